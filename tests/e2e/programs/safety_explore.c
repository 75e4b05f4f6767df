// Of all inputs one reads past the end, by just one element: the condition on the end has to be exact for it to be found.
// tandem: explore --stdin 4 --time 25 --out found @
// expect: ^bug: heap-overflow in main at .*safety_explore.c:20:
// expect: ^status 10
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	unsigned index = 0;
	for (int i = 0; i < 4; i++) {
		int c = getchar();
		if (c == EOF)
			return 1;
		index = index << 8 | (unsigned)c;
	}
	int *table = calloc(100000, sizeof *table);
	if (index > 100000)
		return 2;
	return table[index];
}
