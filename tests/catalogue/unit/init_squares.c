/* crash: none */
/* tests: argv "3" | argv "0" | argv "7" | argv "99" */
/* A global pointer is NULL until prepare() has run; main runs it first. */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 10

static unsigned *squares;

static int prepare(void)
{
	squares = malloc(SIZE * sizeof(*squares));
	if (!squares)
		return 0;
	for (unsigned i = 0; i < SIZE; i++)
		squares[i] = i * i;
	return 1;
}

static unsigned lookup(unsigned n)
{
	return n < SIZE ? squares[n] : 0; /* FALSE: null; initialisation order */
}

static int is_square(unsigned value)
{
	for (unsigned i = 0; i < SIZE; i++)
		if (lookup(i) == value)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned n;

	if (argc < 2 || !prepare())
		return 1;
	n = (unsigned)atoi(argv[1]);
	printf("%u %d\n", lookup(n), is_square(n));
	free(squares);
	return 0;
}
