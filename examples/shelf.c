/* Puts books on a shelf with a hundred places. The tests of shelf-test.sh run every line and every branch of it, and nothing goes wrong; `tandem check` finds what they take for granted. */
#include <stdio.h>
#include <stdlib.h>

static int books[100];

static void put(int place)
{
	if (place > 99)
		place = 99;
	books[place]++;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		put((int)strtol(argv[i], NULL, 10));
	for (int i = 0; i < 100; i++)
		if (books[i])
			printf("%d: %d\n", i, books[i]);
	return 0;
}
