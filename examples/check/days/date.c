#include "date.h"

static const int before[12] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };

static int is_leap(int year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int date_day(int year, int month, int day)
{
	if (month < 1 || day < 1 || day > 31)
		return 0;
	return before[month - 1] + day + (month > 2 && is_leap(year));
}
