// Functions that are not like others: without a frame, never optimised, chosen when the program is loaded, of two names.
// cc: -O2
// cc: -O0
// cc: -Os
// cc: -Oz
// cc: -O2 -static
// tandem: trace @
// stdin: dbacfehg
// expect: slow +taken +stdin\[0\] > 'c'
// expect: lost +argument of an unmodelled function: stdin\[0\]
// expect: real +taken +stdin\[7\] == 'g'
// expect: weak +taken +stdin\[6\] == 'h'
#include <stdio.h>

__attribute__((optnone, noinline)) static int slow(const unsigned char *p)
{
	int s = 0;
	for (int i = 0; i < 5; i++)
		if (p[i] > 'c') s += i + 1;
	return s;
}

__attribute__((naked)) int naked(int x) { __asm__("lea 1(%rdi), %eax\n ret"); }
__attribute__((naked)) static int naked_local(int x) { __asm__("lea 2(%rdi), %eax\n ret"); }

static int chosen(int x) { return x == 'a' ? 5 : 6; }
static int (*choose(void))(int) { return chosen; }
int by_choice(int) __attribute__((ifunc("choose")));

__attribute__((cold)) int rare(int x) { return x == 'b' ? 3 : 4; }
__attribute__((minsize)) int small(int x) { return x == 'c' ? 1 : 2; }
__attribute__((always_inline)) static inline int always(int x) { return x == 'd' ? 7 : 8; }
int (*volatile pointer)(int) = always;

int real(int x) { return x == 'g' ? 9 : x; }
int other_name(int) __attribute__((alias("real")));
__attribute__((weak)) int weak(int x) { if (x == 'h') return 1; return 2; }
extern int not_there(int) __attribute__((weak));

int main(void)
{
	unsigned char in[8];
	if (fread(in, 1, 8, stdin) != 8) return 1;
	printf("%d %d %d\n", rare(in[1]), small(in[3]), pointer(in[0]));
	printf("%d %d %d\n", slow(in), naked(in[0]), naked_local(in[1]));
	if (naked(in[0]) == 'e') puts("naked");
	printf("%d %d %d %d\n", by_choice(in[2]), other_name(in[7]), weak(in[6]), not_there ? 1 : 0);
	return 0;
}
