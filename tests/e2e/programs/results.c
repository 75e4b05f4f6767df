// A function whose result is symbolic in one call and concrete in the next, also with the same value: nothing is left of the first.
// tandem: trace @
// stdin: abc
// expect: main +not taken .*stdin\[0\]
// expect: main +taken .*stdin\[1\]
// never: main .*stdin\[2\]
#include <stdio.h>

static int pick(int c, int first)
{
	if (first)
		return c;
	return 'c';
}

static int same(int c, int first) { return pick(c, first); }

int main(void)
{
	int a = getchar(), b = getchar(), c = getchar();
	if (pick(a, 1) == 'A')
		puts("A");
	if (pick(a, 0) == 'C')
		puts("C");
	if (same(b, 1) == 'b')
		puts("b");
	int third = pick(c, 1), fixed = pick(c, 0); /* both are 'c' */
	if (fixed == '?')
		puts("?");
	if (same(b, 0) == '!')
		puts("!");
	printf("%c %c\n", third, fixed);
	return 0;
}
