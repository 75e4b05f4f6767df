/* crash: argv "0 -1" */
/* tests: argv "0 3" | argv "6 1" | argv "2 100" | argv "5 -5" */
/* A remainder is used as an index and may be negative. */
#include <stdio.h>
#include <stdlib.h>

static const char *const names[7] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

static const char *name_of(int day)
{
	return names[day % 7]; /* TRUE: lower */
}

static int move(int day, int by)
{
	if (by > 1000 || by < -1000)
		by = 0;
	return day + by;
}

static int first_day(const char *word)
{
	int day = atoi(word);

	return day < 0 || day > 6 ? 0 : day;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	puts(name_of(move(first_day(argv[1]), atoi(argv[2]))));
	return 0;
}
