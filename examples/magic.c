/* Five bytes stand between a program and its crash; random inputs find them once in 2^40 tries. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char b[5];
	if (fread(b, 1, sizeof b, stdin) != sizeof b)
		return 1;
	if (b[0] == 'm' && b[1] == 'a' && (b[2] ^ 0x20) == 'G' && b[3] + b[2] == 'g' + 'i' && b[4] * 3 == 'c' * 3)
		abort();
	puts("not the word");
	return 0;
}
