// A shared library built with the same compiler: its branches are in the trace, data and callbacks go both ways.
// before: $CC -shared -fPIC -O2 -w $here/parts/shared_library.c -o libarea.so
// cc: -L. -larea -Wl,-rpath,'$ORIGIN'
// tandem: trace @
// stdin: 5x!
// expect: shared_library.c:.* area +not taken .*stdin\[0\]
// expect: shared.c:.* observe +not taken .*stdin\[1\]
// expect: shared.c:.* main +taken .*stdin\[2\]
#include <stdio.h>

int area(int side);
int each(const char *text, int (*f)(int));
extern int library_state;

static int observe(int c)
{
	if (c == 'y')
		return 1;
	return 0;
}

int main(void)
{
	char text[2] = { 0 };
	printf("%d\n", area(getchar() - '0'));
	text[0] = (char)getchar();
	printf("%d\n", each(text, observe));
	library_state = getchar();
	if (area(0) == '!')
		puts("state");
	return 0;
}
