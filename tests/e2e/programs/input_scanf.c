// scanf has a model: its results are terms, and what it left is still there.
// cc: -O1
// cc: -static
// tandem: trace @
// stdin: 97 5x
// never: without a model|lost
// expect: > 50|<= 50
// expect: == 'x'
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
