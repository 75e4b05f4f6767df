/* crash: none */
/* tests: argv "3 5" | argv "10 20 30" | argv "7" | argv "1 2 3 4 5 6" */
/* A cursor is 0 until start() moves it to 1; then the element before it is read. */
#include <stdio.h>
#include <stdlib.h>

#define COUNT 6

static int prices[COUNT];
static int cursor;

static void start(void)
{
	cursor = 1;
}

static int change(void)
{
	if (cursor >= COUNT)
		return 0;
	return prices[cursor] < prices[cursor - 1]; /* FALSE: lower; initialisation order */
}

static int count_falls(void)
{
	int falls = 0;

	for (start(); cursor < COUNT; cursor++)
		falls += change();
	return falls;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 0; i < COUNT && i + 1 < argc; i++)
		prices[i] = atoi(argv[i + 1]);
	printf("%d falls\n", count_falls());
	return 0;
}
