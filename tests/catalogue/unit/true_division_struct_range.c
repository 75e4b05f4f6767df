/* crash: argv "4 4 4" */
/* tests: argv "0 10 5" | argv "2 4 3" | argv "9 1 5" | argv "0 1 0" */
/* A range, passed by value, may be empty; the check before only orders its ends. */
#include <stdio.h>
#include <stdlib.h>

struct range {
	unsigned low, high;
};

static unsigned width(struct range range)
{
	return range.high - range.low;
}

static unsigned percent_of(struct range range, unsigned value)
{
	return (value - range.low) * 100 / width(range); /* TRUE: division */
}

static struct range ordered(unsigned a, unsigned b)
{
	struct range range = {a, b};

	if (a > b) {
		range.low = b;
		range.high = a;
	}
	return range;
}

static int show(struct range range, unsigned value)
{
	if (value < range.low || value > range.high)
		return 1;
	printf("%u%%\n", percent_of(range, value));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 1;
	return show(ordered((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2])), (unsigned)atoi(argv[3]));
}
