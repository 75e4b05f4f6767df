// Variadic calls: ints, doubles, long doubles, small structs by value, a va_list handed on and copied, more than fit in registers.
// tandem: trace @
// stdin: abcdefgh
// expect: pick_int +not taken .*stdin\[0\]
// expect: pick_double +not taken .*stdin\[1\]
// expect: pick_long_double +not taken .*stdin\[2\]
// expect: pick_struct +not taken .*stdin\[3\]
// expect: handed_on +not taken .*stdin\[5\]
// expect: many +not taken .*stdin\[6\]
// expect: copied +not taken .*stdin\[7\]
#include <stdarg.h>
#include <stdio.h>

struct pair { int a, b; };

static va_list *start_of(va_list *ap) { return ap; }

static int pick_int(int n, ...) { va_list ap; va_start(ap, n); int v = va_arg(ap, int); va_end(ap); if (v == 'A') return 1; return 2; }
static int pick_double(int n, ...) { va_list ap; va_start(ap, n); (void)va_arg(ap, int); double v = va_arg(ap, double); va_end(ap); if (v == 65.5) return 1; return 2; }
static int pick_long_double(int n, ...) { va_list ap; va_start(ap, n); long double v = va_arg(ap, long double); va_end(ap); if (v == 65.25L) return 1; return 2; }
static int pick_struct(int n, ...) { va_list ap; va_start(ap, n); struct pair v = va_arg(ap, struct pair); va_end(ap); if (v.a + v.b == 100) return 1; return 2; }
static int handed_on(int n, va_list ap) { int v = 0; while (n--) v = va_arg(ap, int); if (v == 'F') return 1; return 2; }
static int hand(int n, ...) { va_list ap; va_start(ap, n); int r = handed_on(n, *start_of(&ap)); va_end(ap); return r; }
static long many(int n, ...)
{
	va_list ap;
	long sum = 0;
	va_start(ap, n);
	for (int i = 0; i < n; i++)
		sum += i & 1 ? (long)va_arg(ap, double) : va_arg(ap, long);
	va_end(ap);
	if (sum == 1000)
		return 1;
	return sum;
}
static int copied(const char *f, ...)
{
	va_list ap, again;
	va_start(ap, f);
	va_copy(again, ap);
	int x = va_arg(ap, int), y = va_arg(again, int), z = va_arg(again, int);
	va_end(ap);
	va_end(again);
	if (x + y + z == 0)
		return 1;
	return 2;
}

int main(void)
{
	int c[8];
	for (int i = 0; i < 8; i++)
		c[i] = getchar();
	struct pair p = { c[3], 7 };
	printf("%d", pick_int(1, c[0]));
	printf("%d", pick_double(2, 7, c[1] + 0.5));
	printf("%d", pick_long_double(1, c[2] + 0.25L));
	printf("%d", pick_struct(1, p));
	printf("%d", hand(7, 1, 2, 3, 4, 5, 6, c[5]));
	printf("%ld", many(20, 0L, 1., 2L, 3., 4L, 5., 6L, 7., 8L, 9., 10L, 11., 12L, 13., 14L, 15., 16L, 17., (long)c[6], c[6] + 0.5));
	printf("%d\n", copied("", c[7], 1));
	return 0;
}
