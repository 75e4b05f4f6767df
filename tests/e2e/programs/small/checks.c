/* A line-based configuration, every line of which is checked with what the C library has for it. The bug is in `limit`, where a range is looked up in a table of which
 * the last row is not there. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; int code; } levels[] = { { "debug", 1 }, { "info", 2 }, { "error", 4 } };
static const int sizes[4] = { 16, 64, 256, 1024 };

static int level_of(const char *word)
{
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (strcmp(word, levels[i].name) == 0)
			return levels[i].code;
	return 0;
}

/* "level=debug" */
static int check_level(const char *value)
{
	int code = level_of(value);
	switch (code) {
	case 0: return 1;
	case 1: puts("verbose"); return 0;
	case 2: puts("usual"); return 0;
	default: puts("quiet"); return 0;
	}
}

/* "limit=3": a number in any base that strtol knows. */
static int check_limit(const char *value)
{
	char *end;
	long n = strtol(value, &end, 0);
	if (end == value)
		return 2;
	if (*end)
		return 3;
	if (n < 0 || n > 4)
		return 4;
	printf("%d bytes\n", sizes[n]);
	return 0;
}

/* "range 3:17" */
static int check_range(const char *line)
{
	int low, high;
	char unit;
	int n = sscanf(line, "range %d:%d%c", &low, &high, &unit);
	if (n < 2)
		return 5;
	if (low > high)
		return 6;
	if (n == 3 && toupper((unsigned char)unit) == 'K')
		puts("in thousands");
	return 0;
}

/* "K4": letters and digits in turn, the first of them A to F. */
static int check_code(const char *s)
{
	if (toupper((unsigned char)s[0]) > 'F')
		return 7;
	for (size_t i = 0; s[i]; i++)
		if (i % 2 ? !isdigit((unsigned char)s[i]) : !isalpha((unsigned char)s[i]))
			return 8;
	puts("a code");
	return 0;
}

static int check(char *line)
{
	if (strncmp(line, "level=", 6) == 0)
		return check_level(line + 6);
	if (strncmp(line, "limit=", 6) == 0)
		return check_limit(line + 6);
	if (strncmp(line, "range ", 6) == 0)
		return check_range(line);
	if (isalpha((unsigned char)line[0]))
		return check_code(line);
	return isdigit((unsigned char)line[0]) ? 9 : 10;
}

int main(void)
{
	char *line = NULL;
	size_t room = 0;
	int lines = 0;
	while (getline(&line, &room, stdin) > 0) {
		line[strcspn(line, "\n")] = 0;
		int trouble = check(line);
		if (trouble) {
			printf("line %d: error %d\n", ++lines, trouble);
			break;
		}
		lines++;
	}
	free(line);
	if (lines == 0)
		return 3;
	return lines > 1 ? 2 : 0;
}
