// Input through a function without a model: the trace says that from there on nothing is promised.
// tandem: trace @
// stdin: 97 5x
// expect: input was read by a function without a model
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
