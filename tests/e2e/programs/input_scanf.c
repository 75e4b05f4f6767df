// Input through a function without a model: what it read is at least said to be lost, and no condition is called concrete.
// tandem: trace @
// stdin: 97 5x
// expect: (taken|lost) .*stdin\[0\]
#include <stdio.h>

int main(void)
{
	int v = 0, w = 0;
	if (scanf("%d %d", &v, &w) != 2)
		return 1;
	if (v > 50)
		puts("large");
	if (getchar() == 'x')
		puts("x");
	return 0;
}
