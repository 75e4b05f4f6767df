/* crash: argv "2 8" */
/* tests: argv "0 1 2" | argv "7 7" | argv "3" | argv "5 9" */
/* The caller's check of an index lets one too many through to a stack array. */
#include <stdio.h>
#include <stdlib.h>

#define SEATS 8

static int row_of(int seat)
{
	int rows[SEATS];

	for (int i = 0; i < SEATS; i++)
		rows[i] = 1 + i / 3;
	if (seat < 0)
		return 0;
	return rows[seat]; /* TRUE: upper */
}

static int exists(int seat)
{
	return seat >= 0 && seat <= SEATS;
}

static void book(int seat)
{
	if (exists(seat))
		printf("row %d\n", row_of(seat));
	else
		puts("no such seat");
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		book(atoi(argv[i]));
	return 0;
}
