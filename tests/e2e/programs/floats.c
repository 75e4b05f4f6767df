// float, double, long double: conversions from and to integers of all widths, comparison, rounding.
// cc: -lm
// tandem: trace @
// stdin: abcdefgh
// expect: main +not taken .*stdin\[0\]
// expect: main +taken .*stdin\[1\]
// expect: main +not taken .*stdin\[2\]
// expect: main +taken .*stdin\[3\]
// expect: main +not taken .*stdin\[4\]
// expect: main +not taken .*stdin\[5\]
#include <math.h>
#include <stdio.h>

static float half(float x) { return x / 2; }
static long double third(long double x) { return x / 3; }

int main(void)
{
	int c[8];
	for (int i = 0; i < 8; i++)
		c[i] = getchar();
	if (half(c[0]) == 33.5f)
		puts("half");
	if (third(c[1]) > 32.5L)
		puts("third");
	double d = (unsigned long)c[2] << 56;
	if ((unsigned long)d >> 56 == 'C')
		puts("to unsigned long");
	if ((signed char)(c[3] * 1.25f) == 125)
		puts("to signed char");
	if (floor(c[4] / 7.0) == 9 || fabs(c[4] - 80.0) < 1)
		puts("floor, fabs");
	long double l = (long)c[5] * -1000000007L;
	if ((float)l == -1000000007.0f * 65 || (int)(l / 1000000007) == -66)
		puts("long double");
	volatile double zero = 0;
	double nan = zero / zero;
	if (nan == c[6] || nan < c[6] || !(nan != c[6]))
		puts("?");
	if (-c[7] * zero != 0 || signbit(-(c[7] * zero)) == 0)
		puts("minus zero");
	printf("%.3f %.3Lf %.1f\n", half(c[0]), third(c[1]), d);
	return 0;
}
