/* crash: argv "256" */
/* tests: argv "5" | argv "0" | argv "200" | argv "31" */
/* A recursive function writes one digit per level; large numbers have too many levels. */
#include <stdio.h>
#include <stdlib.h>

#define DIGITS 8

static unsigned digits[DIGITS];

static void write_digits(unsigned number, unsigned level)
{
	digits[level] = number % 2; /* TRUE: upper */
	if (number > 1)
		write_digits(number / 2, level + 1);
}

static unsigned count_ones(void)
{
	unsigned ones = 0;

	for (int i = 0; i < DIGITS; i++)
		ones += digits[i];
	return ones;
}

static unsigned ones_in(unsigned number)
{
	if (number > 1000)
		return 0;
	write_digits(number, 0);
	return count_ones();
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	printf("%u\n", ones_in((unsigned)atoi(argv[1])));
	return 0;
}
