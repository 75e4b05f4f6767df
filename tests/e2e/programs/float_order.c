// Floating point comparisons of the same two values, one after the other: each predicate is a condition of its own.
// tandem: trace @
// stdin: bbc
// expect: order +not taken .*stdin\[0\]
// expect: order +not taken .*stdin\[0\]
// expect: order +taken .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
// expect: main +taken .*stdin\[1\]
// expect: differs +taken .*stdin\[2\]
#include <stdio.h>

static int order(double a, double b)
{
	if (a < b)
		return -1;
	if (a > b)
		return 1;
	if (a == b)
		return 0;
	return 2; /* not a number */
}

static int differs(double a, double b) { if (a != b) return 1; return 0; }

int main(void)
{
	volatile double zero = 0;
	printf("%d\n", order(getchar() * 0.5, 49));
	float f = (float)getchar();
	if (f > 98)
		puts("more than 98");
	if (f >= 98)
		puts("at least 98");
	if (!(f <= 98))
		puts("not at most 98");
	printf("%d\n", differs(getchar(), zero / zero));
	return 0;
}
