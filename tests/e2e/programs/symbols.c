// Weak, alias, common, hidden and ifunc-free symbols over two files: the strong definition wins, an alias is the same function.
// cc: -fcommon $here/parts/symbols_other.c
// cc: -fcommon -O2 -fPIE -pie $here/parts/symbols_other.c
// tandem: trace @
// stdin: abcd
// expect: chosen +not taken .*stdin\[0\]
// expect: the_function +taken .*stdin\[1\]
// expect: main +not taken .*stdin\[2\]
// expect: main +taken .*stdin\[3\]
#include <stdio.h>

int common_counter;
extern int other_sum(int);
__attribute__((weak)) int chosen(int c) { return c - 1; }
__attribute__((weak)) int missing(int c);
static int the_function(int c) { if (c == 'b') return 20; return 30; }
int the_alias(int c) __attribute__((alias("the_function")));
__attribute__((weak, alias("the_function"))) int the_weak_alias(int c);
extern int renamed(int c) __asm__("other_name");
__attribute__((weak)) int event_count = 5;

int main(void)
{
	int a = getchar(), b = getchar(), c = getchar(), d = getchar();
	printf("%d %d %d\n", chosen(a), the_alias(b), the_weak_alias(b));
	common_counter = c;
	if (other_sum(1) == 5)
		puts("5");
	printf("%d %d\n", missing ? missing(1) : -1, event_count);
	if (renamed(d) == 1)
		puts("renamed");
	return 0;
}
