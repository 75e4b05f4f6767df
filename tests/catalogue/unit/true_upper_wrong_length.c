/* crash: argv "5" */
/* tests: argv "2" | argv "4" | argv "0" | argv "9" */
/* The length passed with a pointer was checked against another array. */
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int small[4] = {1, 2, 3, 4};
static const int large[6] = {10, 20, 30, 40, 50, 60};

static int sum(const int *values, size_t count)
{
	int total = 0;

	for (size_t i = 0; i < count; i++)
		total += values[i]; /* TRUE: upper */
	return total;
}

static size_t limited(size_t wanted)
{
	return wanted < COUNT(large) ? wanted : COUNT(small);
}

static void report(size_t wanted)
{
	size_t count = limited(wanted);

	printf("%d %d\n", sum(large, count), sum(small, count));
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	report((size_t)atoi(argv[1]));
	return 0;
}
