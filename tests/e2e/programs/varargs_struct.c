// A large struct by value as a variadic argument: it lies in the overflow area as a whole.
// tandem: trace @
// stdin: abc
// expect: pick +not taken .*stdin\[0\]
// expect: after +not taken .*stdin\[1\]
// expect: behind +taken .*stdin\[2\]
// expect: behind +not taken .*stdin\[1\]
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

struct huge { char c[70000]; };

static int behind(int n, ...)
{
	va_list ap;
	va_start(ap, n);
	struct huge v = va_arg(ap, struct huge);
	long last = 0;
	for (int i = 0; i < n; i++)
		last = va_arg(ap, long);
	va_end(ap);
	if (v.c[69999] == 'c')
		n += 16;
	if (v.c[70000 % 65536] == 'h')
		n += 32;
	if (last == 'x')
		n += 64;
	return n;
}

int main(void)
{
	static struct huge h;
	struct big b = { { 1, 2, 3, getchar(), 5 }, 9 };
	printf("%d\n", pick(1, b));
	int second = getchar();
	printf("%d\n", after(1, b, second));
	h.c[70000 % 65536] = 'h';
	h.c[69999] = (char)getchar();
	printf("%d\n", behind(9, h, 1l, 2l, 3l, 4l, 5l, 6l, 7l, 8l, (long)second));
	return 0;
}
