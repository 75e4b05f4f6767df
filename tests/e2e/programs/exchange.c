// Compare and swap without a branch on its success: what is in memory afterwards depends on all three operands.
// tandem: trace @
// stdin: abcdxf
// expect: main +not taken .*stdin\[0\].*stdin\[1\]
// expect: main +not taken .*stdin\[2\]
// expect: main +taken .*stdin\[4\]
#include <stdio.h>

static int cell;
static long other;

int main(void)
{
	int c[6];
	for (int i = 0; i < 6; i++)
		c[i] = getchar();
	cell = c[0];
	__sync_val_compare_and_swap(&cell, 'a', c[1]);
	if (cell == 'Q')
		puts("Q");
	other = c[2];
	long before = __sync_val_compare_and_swap(&other, c[3], 7);
	if (before == 'C' || other == 7)
		puts("7");
	__sync_val_compare_and_swap(&other, 'c', c[4]);
	if (other == 'x')
		puts("x");
	printf("%d %ld %ld\n", cell, before, other);
	return 0;
}
