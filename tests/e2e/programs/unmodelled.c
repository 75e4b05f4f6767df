// Functions without a model: what they are given becomes concrete, and the trace says so, before anything depends on their result.
// cc: -lm
// tandem: trace @ 20
// stdin: abcd
// expect: lost +argument of an unmodelled function: .*stdin\[0\]
// expect: lost +argument of an unmodelled function: .*stdin\[1\]
// expect: lost +memory given to an unmodelled function: argv\[1\]\[0\]
// expect: main +not taken .*stdin\[2\]
// never: main .*taken .*stdin\[(0|1)\]
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wctype.h>

int main(int argc, char **argv)
{
	if (l64a(getchar())[0] == 'V')
		puts("97");
	if (pow(getchar(), 2) > 9000)
		puts("high");
	if (argc > 1 && strtod(argv[1], NULL) == 20)
		puts("20");
	int c = getchar();
	if (c == 'C')
		puts("C");
	if (towupper((wint_t)getchar()) == 'D')
		puts("D");
	return 0;
}
