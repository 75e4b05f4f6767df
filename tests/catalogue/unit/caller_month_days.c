/* crash: none */
/* tests: argv "1 1" | argv "3 15" | argv "12 31" | argv "13 1" */
/* A table is read at an index whose upper end only the caller checks. */
#include <stdio.h>
#include <stdlib.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int days_in(int month)
{
	if (month < 0)
		return 0;
	return days[month]; /* FALSE: upper; guarded by a caller */
}

static int day_of_year(int month, int day)
{
	if (month > 12)
		month = 12;
	if (month < 1 || day < 1 || day > 31)
		return -1;
	return days_in(month - 1) >= day ? 31 * (month - 1) + day : -1;
}

static void show(int day)
{
	if (day < 0)
		puts("no such day");
	else
		printf("%d\n", day);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	show(day_of_year(atoi(argv[1]), atoi(argv[2])));
	return 0;
}
