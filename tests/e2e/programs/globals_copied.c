// A shared library's variables, seen by a program that is not PIE: the linker copies them into it. One of that name in the program comes first.
// before: $CC -shared -fPIC -O2 -w $here/parts/globals_library.c -o libglobals.so
// cc: -fno-pie -no-pie -L. -lglobals -Wl,-rpath,'$ORIGIN'
// cc: -fPIE -pie -L. -lglobals -Wl,-rpath,'$ORIGIN'
// tandem: trace @
// stdin: 2
// expect: globals_copied.c:.* main +taken .*stdin\[0\]
#include "parts/globals_rows.h"

extern int library_numbers[5], library_more[4];
char library_taken[5] = { 'p', 'r', 'o', 'g', 0 };
char next = 1;
int library_sum(void);
const void *library_where(void);

int main(void)
{
	int c = getchar();
	if (c == '2')
		puts("two");
	rows_check();
	HAS_ROW(library_taken, TD_GLOBAL_INITIALISED);
	HAS_ROW(next, TD_GLOBAL_INITIALISED);
	library_numbers[4] = c;
	library_more[0]++;
	printf("%d %d %s\n", library_sum(), library_where() == library_numbers, library_taken);
	return 0;
}
