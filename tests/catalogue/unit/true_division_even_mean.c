/* crash: argv "3 5" */
/* tests: argv "2 4" | argv "1 2 3" | argv "10" | argv "7 8 9 6" */
/* The divisor counts the values a filter lets through, which may be none. */
#include <stdio.h>
#include <stdlib.h>

struct sums {
	unsigned total, count;
};

static int wanted(unsigned value)
{
	return value % 2 == 0;
}

static void add(struct sums *sums, unsigned value)
{
	if (!wanted(value))
		return;
	sums->total += value;
	sums->count++;
}

static unsigned mean(const struct sums *sums)
{
	return sums->total / sums->count; /* TRUE: division */
}

int main(int argc, char **argv)
{
	struct sums sums = {0, 0};

	if (argc < 2)
		return 1;
	for (int i = 1; i < argc; i++)
		add(&sums, (unsigned)atoi(argv[i]));
	printf("%u\n", mean(&sums));
	return 0;
}
