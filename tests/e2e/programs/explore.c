// explore goes through arithmetic, a table and a string to the null pointer behind them.
// tandem: explore --stdin 8 --time 25 --out found @
// expect: ^bug: null-dereference in main at .* after [0-9]+ runs: stdin = "\\xb9
// expect: replay: 
// expect: ^status 10
#include <stdio.h>
#include <string.h>

static const unsigned char keys[8] = { 3, 1, 4, 1, 5, 9, 2, 6 };

int main(void)
{
	unsigned char c[8];
	if (fread(c, 1, 8, stdin) != 8)
		return 1;
	unsigned short first = (unsigned short)(c[0] * 3 + 1);
	if (first != 0x22c)
		return 2;
	if ((c[1] ^ keys[2]) != 'k' || (signed char)c[2] >= -5)
		return 3;
	if (memcmp(c + 3, "end", 3) != 0)
		return 4;
	if (c[6] == 2 * c[7] + 1)
		return *(volatile int *)NULL;
	return 0;
}
