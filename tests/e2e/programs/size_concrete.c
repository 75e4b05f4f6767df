// A size that may be symbolic, but is not in this call, has no condition; also where all branches are recorded.
// tandem: trace --all-branches @
// stdin: a
// expect: main +taken +.*stdin\[0\]
// never: size_concrete.c:14:.* safe
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned long three = 3;

__attribute__((noinline)) static char *make(unsigned long n)
{
	if (n > 100) return NULL;
	return malloc(n * 24);
}

int main(void)
{
	int c = getchar();
	char *made = make(three);
	if (c == 'a' && made)
		puts("made");
	free(made);
	return 0;
}
