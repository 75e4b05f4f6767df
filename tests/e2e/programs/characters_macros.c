// Character classes as the library's headers write them: code that was preprocessed elsewhere reads a table behind a pointer. It stays one condition, and
// the character is not fixed.
// cc: -O0
// cc: -O2
// tandem: trace @
// stdin: q7\n
// expect: main +taken .*stdin\[0\]
// expect: main +not taken .*stdin\[0\]
// expect: main +taken .*stdin\[1\]
// never: lost
#include <stdio.h>

const unsigned short **__ctype_b_loc(void);
const int **__ctype_tolower_loc(void), **__ctype_toupper_loc(void);

int main(void)
{
	int c = getchar(), d = getchar();
	if ((*__ctype_b_loc())[(int)c] & (unsigned short)1024)
		puts("a letter");
	if ((*__ctype_toupper_loc())[(int)c] == 'X')
		puts("x");
	if ((*__ctype_tolower_loc())[(int)d] == '7')
		puts("7");
	return 0;
}
