/* A number that is to have a sign, which a number without one has no room for; the more is read of standard input, the more is covered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_number(const char *s)
{
	s += *s == '-';
	do
		if (*s < '0' || *s > '9')
			return 0;
	while (*++s);
	return 1;
}

int main(int argc, char **argv)
{
	int count = 0;
	if (argc != 2 || strlen(argv[1]) > 3)
		return 1;
	while (getchar() != EOF)
		count++;
	char *word = strtok(argv[1], ",");
	if (word && is_number(word) && word[0] == '-')
		abort();
	return count > 4 ? 2 : 0;
}
