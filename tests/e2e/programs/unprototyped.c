// Without prototypes, what is passed may be wider than what is taken: the low bits are symbolic all the same. Likewise results.
// cc: -std=gnu89 -O2
// cc: -std=gnu89 -O0
// tandem: trace @
// stdin: x
// expect: unprototyped.c:24:[0-9]* f *taken .*stdin\[0\]
// expect: unprototyped.c:19:[0-9]* main *taken .*stdin\[0\]
#include <stdio.h>

static int f();
static long wide();
int (*narrow)();

int main()
{
	long n = getchar();
	int r = f(n, 0);
	narrow = (int (*)())wide;
	if (narrow(n) > 'b')
		r += 2;
	return r;
}

static int f(x, y) int x, y; { if (x > 'a') { puts("big"); return y + 1; } return y; }

static long wide(n) long n; { return n + 1; }
