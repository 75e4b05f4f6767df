// Functions that call themselves and then return something else than the inner call did: whose result is it?
// args: 9
// stdin: Azk
#include <stdio.h>
#include <stdlib.h>

static int byte;

static int __attribute__((noinline)) quiet(int n) { if (n == 0) return byte; int r = quiet(n - 1); if (r > 60) return 65; return 7; }
static int __attribute__((noinline)) passed(int n, int v) { if (n == 0) return v; int r = passed(n - 1, v); if (r > 60) return 65; return 7; }
static int __attribute__((noinline)) unused(int n, int v) { if (n == 0) return v; unused(n - 1, v); return 65; }
static int __attribute__((noinline)) ignored(int n) { if (n == 0) return byte; ignored(n - 1); return 65; }
static int __attribute__((noinline)) upper(int n) { if (n == 0) return byte; int r = upper(n - 1); return r >= 'A' && r <= 'Z'; }

int main(int argc, char **argv)
{
	int limit = argc > 1 ? atoi(argv[1]) : 0;
	for (int c; limit-- > 0 && (c = getchar()) != EOF;) {
		byte = c;
		int x = quiet(1), y = passed(1, c), z = unused(2, c);
		if (x == 65)
			puts("quiet");
		if (y == 65)
			puts("passed");
		if (z == c)
			puts("unused");
		if (ignored(1) == c)
			puts("ignored");
		if (upper(1))
			puts("upper");
		if (upper(2))
			puts("never");
	}
	return 0;
}
