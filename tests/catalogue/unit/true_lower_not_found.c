/* crash: stdin "abx\n" */
/* tests: stdin "abc\n" | stdin "eee\n" | stdin "a\n" | stdin "deb\n" */
/* A search returns -1 for "not found", and its result is used as an index. */
#include <stdio.h>

static const char letters[] = "abcde";
static unsigned counts[5];

static int position(int letter)
{
	for (int i = 0; i < 5; i++)
		if (letters[i] == letter)
			return i;
	return -1;
}

static void count(int letter)
{
	counts[position(letter)]++; /* TRUE: lower */
}

static void print_counts(void)
{
	for (int i = 0; i < 5; i++)
		printf("%c %u\n", letters[i], counts[i]);
}

int main(void)
{
	int c;

	while ((c = getchar()) != EOF && c != '\n')
		count(c);
	print_counts();
	return 0;
}
