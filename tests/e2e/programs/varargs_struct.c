// A large struct by value as a variadic argument: it lies in the overflow area as a whole.
// tandem: trace @
// stdin: abc
// expect: pick +not taken .*stdin\[0\]
// expect: after +not taken .*stdin\[1\]
#include <stdarg.h>
#include <stdio.h>

struct big { long a[5]; int b; };

static int pick(int n, ...)
{
	va_list ap;
	va_start(ap, n);
	struct big v = va_arg(ap, struct big);
	va_end(ap);
	if (v.a[3] * 3 == v.b)
		return 1;
	return 2;
}

static int after(int n, ...)
{
	va_list ap;
	va_start(ap, n);
	struct big v = va_arg(ap, struct big);
	int c = va_arg(ap, int);
	va_end(ap);
	if (c == 'x' + v.b)
		return 1;
	return 2;
}

int main(void)
{
	struct big b = { { 1, 2, 3, getchar(), 5 }, 9 };
	printf("%d\n", pick(1, b));
	printf("%d\n", after(1, b, getchar()));
	return 0;
}
