// One symbolic value that waits in a variable while a loop runs that has nothing symbolic: it is still there behind the loop.
// tandem: trace @
// stdin: abcd
// expect: first +not taken .*stdin\[0\]
// expect: middle +taken .*stdin\[1\]
// expect: last +not taken .*stdin\[2\]
// expect: parameter +not taken .*stdin\[3\]
#include <stdio.h>

static int table[4] = { 3, 1, 4, 1 };

static int entry(int i) { return table[i & 3]; }

static int first(void)
{
	int x = getchar(), y = entry(1), z = entry(2), n = 0;
	for (int i = 0; i < 50; i++)
		n += y + i * z;
	if (x == 'A')
		return n;
	return y + z;
}

static int middle(void)
{
	int x = entry(0), y = getchar(), z = entry(2), n = 0;
	for (int i = 0; i < 50; i++)
		n += x + i * z;
	if (y == 'b')
		return n;
	return x + z;
}

static int last(void)
{
	int x = entry(0), y = entry(1), n = x;
	if (x + y == 4)
		n = entry(3);
	int z = getchar();
	for (int i = 0; i < 50; i++)
		n += x + i * y;
	if (z == 'C')
		return n;
	return x + y;
}

static int parameter(int c, int n)
{
	int sum = 0;
	while (n > 0)
		sum += n--;
	if (c == 'D')
		return sum;
	return 0;
}

int main(void)
{
	printf("%d ", first());
	printf("%d ", middle());
	printf("%d ", last());
	printf("%d\n", parameter(getchar(), 50));
	return 0;
}
