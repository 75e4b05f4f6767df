// A variable that was never set is 0 in traced runs, on either side and at every use: the branches of main that ask about the
// input are reached.
// cc: -O2
// tandem: trace @
// stdin: a
// predict: no
// expect: unset.c:31:[0-9]+ main +not taken +stdin\[0\] != 'b'
// expect: unset.c:32:[0-9]+ main +not taken +stdin\[0\] != 'c'
#include <stdio.h>

__attribute__((noinline)) static int compare(const char *s, const char *t, size_t n)
{
	unsigned char c, d;
	while (n > 0) {
		c = (unsigned char)*s++;
		d = (unsigned char)*t++;
		if (c == 0 || c != d) break;
		n--;
	}
	return c - d;
}

__attribute__((noinline)) static int is_zero(int value) { return value == 0; }

int main(void)
{
	volatile size_t none = 0;
	int first = getchar();
	if (first == 'x') none = 1;
	const char *text = "hello world";
	if (is_zero(compare(text + 1, text + 4, none)) && first == 'b') none = 2;
	if (is_zero(compare(text + 2, text + 5, none)) && first == 'c') none = 3;
	return 0;
}
