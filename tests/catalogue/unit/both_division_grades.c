/* crash: argv "8 9 0" */
/* tests: argv "8 9 20" | argv "3 3 10" | argv "0 0 5" | argv "100 1 50" */
/* Two divisions: one by what a callee never returns as 0, one by a plain argument. */
#include <stdio.h>
#include <stdlib.h>

static unsigned weight_of(unsigned grade)
{
	if (grade < 5)
		return 1;
	return grade < 10 ? 2 : 3;
}

static unsigned per_weight(unsigned grade, unsigned points)
{
	unsigned weight = weight_of(grade);

	return points / weight; /* FALSE: division; what a callee can return */
}

static unsigned share(unsigned points, unsigned whole)
{
	return 100 * points / whole; /* TRUE: division */
}

static void report(unsigned grade, unsigned points, unsigned whole)
{
	unsigned weighted = per_weight(grade, points);

	printf("%u weighted, %u%%\n", weighted, share(weighted, whole));
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 1;
	report((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]));
	return 0;
}
