/* crash: none */
/* tests: argv "1 2 3" | argv "9" | argv "4 4 1 8 2 5" | argv "3 3" */
/* An array and its length are passed together; the length always fits. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 6

static int largest(const int *values, int count)
{
	int best = 0;

	for (int i = 0; i < count; i++)
		if (values[i] > best) /* FALSE: upper; a length that goes with a pointer */
			best = values[i];
	return best;
}

static int parse(int *values, char **words)
{
	int count = 0;

	while (count < MOST && words[count]) {
		values[count] = atoi(words[count]);
		count++;
	}
	return count;
}

static void report(const int *values, int count)
{
	if (count > 0)
		printf("largest of %d: %d\n", count, largest(values, count));
}

int main(int argc, char **argv)
{
	int values[MOST];

	if (argc < 2)
		return 1;
	report(values, parse(values, argv + 1));
	return 0;
}
