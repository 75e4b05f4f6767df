// One call through a pointer to a function of another compiler, on the concrete side: what it gets to see is lost every time, also
// when the pointer is the one of the time before.
// before: $REFERENCE -w -c -fPIC $here/parts/pointers_plain.c -o plain_part.o
// cc: plain_part.o
// tandem: trace @ word
// expect: lost +memory given .*argv\[1\]\[2\]
#include <stdio.h>

int plain_sum(const char *s);
static int (*sum_of)(const char *) = plain_sum;

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	argv[0] = "constant";
	for (int i = 0; i < 2; i++) /* twice at one place */
		printf("%d\n", sum_of(argv[i]) > 0);
	return 0;
}
