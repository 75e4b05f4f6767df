/* Who calls whom, in ways that a call graph has to get right, for unit_scope.c, which never runs it. */
#include <stdlib.h>

typedef int order(const void *, const void *);

static int down(int x) { return x - 1; }
static int up(int x) { return x + 1; }
int alone(int x) { return x; }

int itself(int x) { return x > 3 ? itself(x - 1) : down(x); }
int ping(int x);
int pong(int x) { return x > 3 ? ping(x - 1) : 0; }
int ping(int x) { return x > 5 ? pong(x - 1) : up(x); }

int (*chosen)(int) = up;
int by_pointer(int x) { return chosen(x); }

static int by_size(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sorts(int *v, size_t n) { qsort(v, n, sizeof *v, by_size); }

/* Two ways at each step: 128 chains to the end. */
int end(int x) { return x; }
#define STEP(n, to) \
	int left##n(int x) { return to(x); } \
	int right##n(int x) { return to(x); } \
	int step##n(int x) { return x ? left##n(x) : right##n(x); }
STEP(1, end)
STEP(2, step1)
STEP(3, step2)
STEP(4, step3)
STEP(5, step4)
STEP(6, step5)
STEP(7, step6)

int main(int argc, char **argv)
{
	int v[2] = { argc, 0 };
	(void)argv;
	sorts(v, 2);
	return itself(argc) + ping(argc) + by_pointer(argc) + step7(argc) + alone(v[0]);
}
