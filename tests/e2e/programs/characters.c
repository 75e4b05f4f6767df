// ctype.h: every class for every byte as the library has it; and a class test is one condition on the byte.
// tandem: trace @
// stdin: aZ5 \t~\0351
// expect: main +taken .*stdin\[0\]
// expect: main +taken .*stdin\[1\]
// expect: main +taken .*stdin\[2\]
// expect: main +taken .*stdin\[3\]
// expect: main +not taken .*stdin\[6\]
#include <ctype.h>
#include <stdio.h>

static unsigned all(int c)
{
	int (*const f[])(int) = { isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower, isprint, ispunct, isspace, isupper, isxdigit };
	unsigned set = 0;
	for (unsigned i = 0; i < sizeof f / sizeof *f; i++)
		set |= (unsigned)(f[i](c) != 0) << i;
	return set;
}

static unsigned direct(int c)
{
	return (unsigned)(!!isalnum(c) | !!isalpha(c) << 1 | !!isblank(c) << 2 | !!iscntrl(c) << 3 | !!isdigit(c) << 4 | !!isgraph(c) << 5 |
	                  !!islower(c) << 6 | !!isprint(c) << 7 | !!ispunct(c) << 8 | !!isspace(c) << 9 | !!isupper(c) << 10 | !!isxdigit(c) << 11);
}

int main(void)
{
	for (int c = -1; c < 256; c++)
		printf("%x%s%d %d%c", direct(c), all(c) == direct(c) ? " " : "!", toupper(c), tolower(c), c % 8 == 7 ? '\n' : ' ');
	if (isalpha(getchar()))
		puts("alpha");
	if (isupper(getchar()))
		puts("upper");
	if (isdigit(getchar()))
		puts("digit");
	if (isspace(getchar()) && isblank(getchar()))
		puts("space");
	if (ispunct(getchar()))
		puts("punct");
	if (toupper(getchar()) == 'Q')
		puts("Q");
	return 0;
}
