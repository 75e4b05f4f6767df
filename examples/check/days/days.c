/* Prints the number of each day in its year. Days are arguments, YYYY-MM-DD, or without any the lines of standard input. */
#include "date.h"

#include <stdio.h>

static int tell(const char *text)
{
	int year, month, day, number = 0;
	if (sscanf(text, "%d-%d-%d", &year, &month, &day) == 3)
		number = date_day(year, month, day);
	if (number)
		printf("%d\n", number);
	else
		fprintf(stderr, "days: no date: %s\n", text);
	return number != 0;
}

int main(int argc, char **argv)
{
	char line[64];
	int all_good = 1;
	for (int i = 1; argc > 1 ? i < argc : fgets(line, sizeof line, stdin) != NULL; i++)
		all_good &= tell(argc > 1 ? argv[i] : line);
	return !all_good;
}
