/* crash: none */
/* tests: stdin "cats\n" | stdin "dog\n" | stdin "\n" | stdin "bus\n" */
/* The last letter of a string is read; callers leave out empty strings. */
#include <stdio.h>
#include <string.h>

static int last_letter(const char *word)
{
	return word[strlen(word) - 1]; /* FALSE: lower; guarded by a caller */
}

static int is_plural(const char *word)
{
	if (word[0] == '\0')
		return 0;
	return last_letter(word) == 's';
}

static void cut_line_end(char *line)
{
	line[strcspn(line, "\n")] = '\0';
}

int main(void)
{
	char line[32];

	if (!fgets(line, sizeof(line), stdin))
		return 1;
	cut_line_end(line);
	puts(is_plural(line) ? "many" : "one");
	return 0;
}
