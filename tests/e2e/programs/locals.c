// Thread-locals (initialised, zero, of another file), statics in functions, and symbolic data in each.
// cc: $here/parts/locals_other.c
// cc: -O2 -static $here/parts/locals_other.c
// tandem: trace @
// stdin: abcd
// expect: main +not taken .*stdin\[0\]
// expect: step +taken .*stdin\[1\]
// expect: main +not taken .*stdin\[2\]
#include <stdio.h>

static __thread int mine = 4;
extern _Thread_local char theirs[16];
char *their_text(void);

static int step(int c)
{
	static int calls, last = '?';
	calls++;
	int before = last;
	last = c;
	if (before == 'b')
		return calls;
	return 0;
}

int main(void)
{
	mine += getchar();
	if (mine == 'z')
		puts("z");
	step(getchar());
	printf("%d\n", step('q'));
	theirs[3] = (char)getchar();
	if (their_text()[3] == '3')
		puts("3");
	printf("%d %c %d\n", mine, theirs[3], theirs[0]);
	return 0;
}
