// GNU and C11 odds and ends: statement expressions, _Generic, compound literals, designators, ?:, cleanup, __label__, zero-size.
// tandem: trace @ a
// stdin: bc
// expect: main +not taken .*argv\[1\]\[0\]
// expect: main +taken .*stdin\[0\]
// expect: leave +taken .*stdin\[1\]
#include <stdio.h>
#include <stddef.h>

#define kind(x) _Generic((x), int: "int", char: "char", double: "double", default: "other")
#define max(a, b) ({ __typeof__(a) a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })

struct empty {};
struct matrix { int m[2][3]; struct empty e; };

static void leave(int *c) { if (*c == 'c') puts("left"); }
static inline __attribute__((always_inline)) int always(int x) { return x ^ 1; }
static __attribute__((noinline, const)) int never(int x) { return x * 7; }
static int old_style(a, b) int a; char b; { return a + b; }
static _Noreturn void stop(int code) { extern void exit(int) __attribute__((noreturn)); exit(code); }
static int sum(const int n[static 2]) { return n[0] + n[1]; }

int main(int argc, char *argv[argc + 1])
{
	int c = argv[1][0];
	struct matrix x = { .m = { [1] = { [2] = max(c, 'A'), [0] = 4 } } };
	if (x.m[1][2] == 'z')
		puts("z");
	int b = getchar() ?: 5;
	if (sum((int[]){ b, always(b) }) == 'b' + 'c' && never(b) != old_style(b, 1))
		puts("sum");
	int last __attribute__((cleanup(leave))) = getchar();
	printf("%s %s %s %zu %zu\n", kind(1), kind(1.0), kind("x"), sizeof(struct empty), offsetof(struct matrix, m[1][2]));
	_Static_assert(__builtin_types_compatible_p(int, signed), "");
	if (__builtin_expect(b == 0, 0))
		stop(9);
	return __builtin_constant_p(b) ? 1 : 0;
}
