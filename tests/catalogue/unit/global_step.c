/* crash: none */
/* tests: stdin "ab" | stdin "+a" | stdin "++-ab" | stdin "--a+b" */
/* A global divisor starts at 1 and is never let below 1. */
#include <stdio.h>

static unsigned step = 1;

static void wider(void)
{
	if (step < 10)
		step++;
}

static void narrower(void)
{
	if (step > 1)
		step--;
}

static unsigned rounded(unsigned value)
{
	return value - value % step; /* FALSE: division; a global invariant */
}

static unsigned handle(int c)
{
	if (c == '+')
		wider();
	else if (c == '-')
		narrower();
	return rounded((unsigned)c);
}

int main(void)
{
	unsigned last = 0;
	int c;

	while ((c = getchar()) != EOF)
		last = handle(c);
	printf("%u\n", last);
	return 0;
}
