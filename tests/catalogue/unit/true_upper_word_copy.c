/* crash: stdin "incredible\n" */
/* tests: stdin "red blue\n" | stdin "one\n" | stdin "a bc d\n" | stdin "eightlet\n" */
/* A word of a line is copied into a stack array without a look at its length. */
#include <stdio.h>

static int same(int a, int b)
{
	return a == b || a + 'A' - 'a' == b;
}

static int letters_like_first(const char *text)
{
	char word[8] = {0};
	int length = 0, alike = 0;

	while (text[length] != '\0' && text[length] != ' ' && text[length] != '\n') {
		word[length] = text[length]; /* TRUE: upper */
		length++;
	}
	for (int i = 0; i < 8; i++)
		alike += word[i] != '\0' && same(word[i], word[0]);
	return alike;
}

static void report(const char *line)
{
	if (line[0] == ' ')
		puts("no word");
	else
		printf("%d\n", letters_like_first(line));
}

int main(void)
{
	char line[40];

	if (!fgets(line, sizeof(line), stdin))
		return 1;
	report(line);
	return 0;
}
