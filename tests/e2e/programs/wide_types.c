// Types without terms, here 128-bit floats: what is read as one is said to be lost, on both sides of a function.
// tandem: trace @
// stdin: 0123456789abcdefx
// expect: lost +memory given to an unmodelled function: stdin\[0\]
// expect: main +taken .*stdin\[16\] == 'x'
#include <stdio.h>
#include <string.h>

static __float128 wide;

int main(void)
{
	char bytes[17];
	if (fread(bytes, 1, sizeof bytes, stdin) != sizeof bytes)
		return 1;
	memcpy(&wide, bytes, sizeof wide);
	__float128 copy = wide;
	memcpy(bytes, &copy, sizeof copy);
	if (bytes[0] == '0')
		puts("zero");
	if (bytes[16] == 'x')
		puts("x");
	return 0;
}
