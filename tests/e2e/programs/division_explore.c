// Of all inputs one divides by zero.
// tandem: explore --stdin 4 --time 25 --out found @
// expect: ^bug: division-by-zero in main at .*division_explore.c:17:
// expect: ^status 10
#include <stdio.h>

int main(void)
{
	unsigned number = 0;
	for (int i = 0; i < 4; i++) {
		int c = getchar();
		if (c == EOF)
			return 1;
		number = number << 8 | (unsigned)c;
	}
	int by = (int)(number * 3u) - 777777;
	return 100 / by > 0;
}
