// Rob Pike's matcher, with classes: c . * ^ $ [a-z] over the lines of standard input; the pattern is an argument. Recursion and
// pointers into strings.
// args: '^a.*[0-4]z*$'
// stdin: abc3\nxyz\na9\nab4zz\n
#include <stdio.h>
#include <string.h>

static int here(const char *pattern, const char *text);

/* One element of a pattern and how long it is. */
static int element(const char *p, char c, int *length)
{
	if (*p != '[') {
		*length = 1;
		return c && (*p == '.' || *p == c);
	}
	int in = 0, i = 1, negated = 0;
	if (p[i] == '!')
		negated = i++;
	for (; p[i] && p[i] != ']'; i++) {
		if (p[i + 1] == '-' && p[i + 2] && p[i + 2] != ']') {
			in |= p[i] <= c && c <= p[i + 2];
			i += 2;
		} else {
			in |= p[i] == c;
		}
	}
	*length = p[i] ? i + 1 : i;
	return c && in != (negated != 0);
}

static int star(const char *one, const char *rest, const char *text)
{
	int length;
	do {
		if (here(rest, text))
			return 1;
	} while (element(one, *text++, &length));
	return 0;
}

static int here(const char *p, const char *text)
{
	int length;
	if (!*p)
		return 1;
	if (p[0] == '$' && !p[1])
		return !*text;
	int fits = element(p, *text, &length);
	if (p[length] == '*')
		return star(p, p + length + 1, text);
	return fits && here(p + length, text + 1);
}

static int match(const char *p, const char *text)
{
	if (*p == '^')
		return here(p + 1, text);
	do
		if (here(p, text))
			return 1;
	while (*text++);
	return 0;
}

int main(int argc, char **argv)
{
	char line[32];
	int n = 0, hits = 0;
	while (argc > 1 && fgets(line, sizeof line, stdin)) {
		size_t length = strcspn(line, "\n");
		line[length] = 0;
		n++;
		if (match(argv[1], line)) {
			printf("%d: %s\n", n, line);
			hits++;
		}
	}
	return hits ? 0 : 1;
}
