/* crash: stdin "0/" */
/* tests: stdin "3/" | stdin "12/<\n" | stdin "</" | stdin "579<</" */
/* A global count stays at least 1, so there is a newest level; but that level may be 0. */
#include <stdio.h>

#define SIZE 8

static unsigned levels[SIZE] = {1};
static unsigned used = 1;

static unsigned current(void)
{
	int newest = used < SIZE ? (int)used - 1 : SIZE - 1;

	return levels[newest]; /* FALSE: lower; a global invariant */
}

static void enter(unsigned level)
{
	if (used < SIZE)
		levels[used++] = level;
}

static void leave(void)
{
	if (used > 1)
		used--;
}

static unsigned parts(void)
{
	return 720 / current(); /* TRUE: division */
}

static void handle(int c)
{
	if (c >= '0' && c <= '9')
		enter((unsigned)(c - '0'));
	else if (c == '<')
		leave();
	else if (c == '/')
		printf("%u\n", parts());
}

int main(void)
{
	int c;

	while ((c = getchar()) != EOF)
		handle(c);
	return 0;
}
