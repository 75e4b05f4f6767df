// Variable arguments by place: each of several doubles and longs is symbolic in turn, in registers and behind them.
// tandem: trace @
// stdin: abcdefghij
// expect: is_half +not taken .*stdin\[0\]
// expect: is_mark +not taken .*stdin\[0\]
// expect: is_half +not taken .*stdin\[1\]
// expect: is_mark +not taken .*stdin\[1\]
// expect: is_half +not taken .*stdin\[2\]
// expect: is_mark +not taken .*stdin\[2\]
// expect: is_half +not taken .*stdin\[7\]
// expect: is_mark +not taken .*stdin\[7\]
// expect: is_half +not taken .*stdin\[8\]
// expect: is_mark +not taken .*stdin\[8\]
// expect: is_half +not taken .*stdin\[9\]
// expect: is_mark +not taken .*stdin\[9\]
#include <stdarg.h>
#include <stdio.h>

enum { ALL = 10 };

static int is_half(double d) { if (d == 0.5) return 1; return 0; }
static int is_mark(long l) { if (l == '?') return 2; return 0; }

/* The k-th double and the k-th long of ALL pairs. */
static int pick(int k, ...)
{
	va_list ap;
	double d = 0;
	long l = 0;
	va_start(ap, k);
	for (int i = 0; i <= k; i++) {
		d = va_arg(ap, double);
		l = va_arg(ap, long);
	}
	va_end(ap);
	return is_half(d) + is_mark(l);
}

int main(void)
{
	long c[10];
	for (int i = 0; i < 10; i++)
		c[i] = getchar();
	for (int k = 0; k < ALL; k++)
		printf("%d", pick(k, c[0] + 0., c[0], c[1] + 0., c[1], c[2] + 0., c[2], c[3] + 0., c[3], c[4] + 0., c[4],
		                  c[5] + 0., c[5], c[6] + 0., c[6], c[7] + 0., c[7], c[8] + 0., c[8], c[9] + 0., c[9]));
	puts("");
	return 0;
}
