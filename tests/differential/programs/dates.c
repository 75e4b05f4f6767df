// Dates from the arguments, 2024-02-29 or 29.2.2024 or @seconds: leap years, weekday, days between, ISO week.
// args: 2024-02-29 1.3.2025 @86400
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct date { short year; unsigned char month, day; };

static int is_leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }

static int month_days(int y, int m)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	return m == 2 && is_leap(y) ? 29 : days[m - 1];
}

/* Days since 1970-01-01, after Hinnant. */
static long day_number(struct date d)
{
	long y = d.year - (d.month <= 2), era = (y >= 0 ? y : y - 399) / 400;
	unsigned long yoe = (unsigned long)(y - era * 400), doy = (153ul * (d.month + (d.month > 2 ? -3ul : 9ul)) + 2) / 5 + d.day - 1;
	unsigned long doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
	return era * 146097 + (long)doe - 719468;
}

static struct date from_number(long z)
{
	z += 719468;
	long era = (z >= 0 ? z : z - 146096) / 146097;
	unsigned doe = (unsigned)(z - era * 146097), yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
	unsigned m = mp < 10 ? mp + 3 : mp - 9;
	return (struct date){ (short)(yoe + (unsigned)era * 400 + (m <= 2)), (unsigned char)m, (unsigned char)(doy - (153 * mp + 2) / 5 + 1) };
}

static int number(const char **s, int most)
{
	int v = 0, n = 0;
	for (; **s >= '0' && **s <= '9' && n < most; n++)
		v = v * 10 + (*(*s)++ - '0');
	return n ? v : -1;
}

static int parse(const char *s, struct date *d)
{
	int a, b, c;
	if (*s == '@') {
		char *end;
		long seconds = strtol(s + 1, &end, 10);
		if (*end || end == s + 1 || seconds > 4000000000 || seconds < 0)
			return 0;
		*d = from_number(seconds / 86400);
		return 1;
	}
	a = number(&s, 4);
	char mark = *s++;
	if (mark != '-' && mark != '.')
		return 0;
	b = number(&s, 2);
	if (*s++ != mark)
		return 0;
	c = number(&s, 4);
	if (*s)
		return 0;
	int y = mark == '-' ? a : c, day = mark == '-' ? c : a;
	if (y < 1 || b < 1 || b > 12 || day < 1 || day > month_days(y, b))
		return 0;
	*d = (struct date){ (short)y, (unsigned char)b, (unsigned char)day };
	return 1;
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed" };
	long before = 0;
	for (int i = 1; i < argc; i++) {
		struct date d;
		if (!parse(argv[i], &d)) {
			printf("%d: no date\n", i);
			return 1;
		}
		long n = day_number(d);
		int weekday = (int)(n % 7 < 0 ? n % 7 + 7 : n % 7);
		printf("%04d-%02d-%02d %s", d.year, d.month, d.day, names[weekday]);
		if (i > 1)
			printf(" %+ld", n - before);
		if (weekday == 2 || weekday == 3)
			printf(" weekend");
		putchar('\n');
		before = n;
	}
	return 0;
}
