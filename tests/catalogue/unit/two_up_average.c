/* crash: none */
/* tests: argv "10 2" | argv "9 4" | argv "100 7" | argv "5 0" */
/* A division; that the divisor is not 0 is checked two levels up. */
#include <stdio.h>
#include <stdlib.h>

static unsigned average(unsigned total, unsigned count)
{
	return total / count; /* FALSE: division; guarded two levels up */
}

static void show(unsigned total, unsigned count)
{
	unsigned mean = average(total, count);

	if (mean > 50)
		printf("high: %u\n", mean);
	else
		printf("low: %u\n", mean);
}

static int report(unsigned total, unsigned count)
{
	if (count == 0) {
		puts("nothing to report");
		return 0;
	}
	show(total, count);
	return 1;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	return report((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2])) ? 0 : 2;
}
