/* crash: none */
/* tests: stdin "abc\n" | stdin "zoo 42\n" | stdin "Hello\n" | stdin "a1\n" */
/* rank() returns 1 to 4; the element before that position is counted. */
#include <stdio.h>

static int counts[4];

static int rank(int c)
{
	if (c >= 'a' && c <= 'z')
		return 1;
	if (c >= 'A' && c <= 'Z')
		return 2;
	return c >= '0' && c <= '9' ? 3 : 4;
}

static int raise_count(int c)
{
	int place = rank(c) - 1;

	if (place > 3)
		return 0;
	return counts[place]++; /* FALSE: lower; what a callee can return */
}

static void print_counts(void)
{
	for (int i = 0; i < 4; i++)
		printf("%d ", counts[i]);
	puts("");
}

int main(void)
{
	int c, seen = 0;

	while (seen++ < 1000 && (c = getchar()) != EOF && c != '\n')
		raise_count(c);
	print_counts();
	return 0;
}
