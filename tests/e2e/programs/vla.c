// Variable length arrays, one and two dimensions, alloca, and a parameter of variable type.
// tandem: trace @
// stdin: 3abcdefghijkl
// expect: corner +not taken .*stdin\[8\]
// expect: main +not taken .*stdin\[3\].* != 400
// expect: main +not taken .*stdin\[2\]
#include <alloca.h>
#include <stdio.h>

static int corner(int n, int m, unsigned char (*a)[m])
{
	if (a[n - 1][m - 2] == '#')
		return 1;
	return (int)(sizeof a[0]);
}

int main(void)
{
	int n = getchar() - '0';
	if (n != 3)
		return 1;
	unsigned char a[n][n + 1];
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n + 1; j++)
			a[i][j] = (unsigned char)getchar();
	printf("%d\n", corner(n, n, (unsigned char (*)[n])a));
	int sums[n];
	for (int i = 0; i < n; i++) {
		sums[i] = 0;
		for (int j = 0; j < n + 1; j++)
			sums[i] += a[i][j];
	}
	if (sums[0] == 400)
		puts("400");
	short *s = alloca(n * sizeof *s);
	s[1] = a[0][1];
	if (s[1] - 1 == 'x')
		puts("y");
	printf("%d %d %zu\n", sums[1], sums[2], sizeof sums + sizeof a);
	return 0;
}
