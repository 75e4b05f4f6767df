// Input through a function without a model: the trace says that from there on nothing is promised.
// tandem: trace @
// stdin: ax
// expect: input was read by a function without a model
#include <stdio.h>
#include <wchar.h>

int main(void)
{
	wint_t c = fgetwc(stdin);
	if (c == 'a')
		puts("a");
	return 0;
}
