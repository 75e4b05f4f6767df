// Looks compute addresses that the program itself would not have come to: a shift too far, a conversion out of range.
// cc: -O2
// cc: -O0
// tandem: trace @
// stdin: abcdefg
// expect: main +taken +stdin\[0\] == 'a'
// expect: shifted +taken +stdin\[4\] == 'e'
// expect: converted +taken +stdin\[5\] == 'f'
// never: stdin\[6\]
#include <stdio.h>

static int table[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

static int shifted(const int *a, int n)
{
	if (n >= 5) return -1;
	if (a[1 << n] == 'e') return 5;
	return 6;
}

static int converted(const int *a, double d)
{
	if (!(d < 60)) return -2;
	if (a[(int)d] == 'f') return 5;
	return 6;
}

static int before_call(const int *a, unsigned n)
{
	int y = 1 << n, c = getchar();
	if (n > 4) return c;
	return a[y] + c;
}

int main(void)
{
	if (getchar() == 'a') puts("a");
	printf("%d %d\n", shifted(table, 40), shifted(table, 2));
	printf("%d %d\n", converted(table, 1e30), converted(table, 3));
	printf("%d %d\n", before_call(table, 20), before_call(table, 2));
	getchar();
	table[4] = getchar();
	table[3] = getchar();
	printf("%d %d\n", shifted(table, 40), shifted(table, 2));
	printf("%d %d\n", converted(table, 1e30), converted(table, 3));
	return 0;
}
