// What the condition of an access says already is not said again as the bound of its table: of a whole array in the heap. It is said where
// it is something else: from the middle on, where the array ends with a part of an element, where the way to the element may wrap.
// tandem: trace @
// stdin: 3412aaaaaaaaaaaa\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0
// expect: safe +overflow: .*stdin\[0\]
// expect: main +taken +table#1\[.*stdin\[0\].*\] == 9
// never: bound +[^\]]*stdin\[0\]
// expect: bound +.*stdin\[1\].* <u 6
// expect: bound +.*stdin\[2\].* <u 3
// expect: bound +stdin\[16..23\] < 8
// expect: main +taken +.*table#4\[stdin\[24..31\]\] == 2
// never: bound +stdin\[24
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	unsigned char in[32];
	int *squares = malloc(8 * sizeof *squares);
	char *odd = malloc(15), *bytes = malloc(8);
	unsigned long wide, narrow;
	for (int i = 0; i < 8; i++)
		squares[i] = i * i;
	for (int i = 0; i < 3; i++)
		memcpy(odd + 4 * i, &i, 4);
	memcpy(bytes, "\0\1\2\3\4\5\6\7", 8);
	if (fread(in, 1, sizeof in, stdin) != sizeof in)
		return 1;
	memcpy(&wide, in + 16, 8);
	memcpy(&narrow, in + 24, 8);
	if (squares[in[0] - '0'] == 9)
		puts("three");
	if ((squares + 2)[in[1] - '0'] == 36)
		puts("six");
	if (((int *)odd)[in[2] - '0'] == 1)
		puts("one");
	if (squares[wide] == 1)
		puts("wide");
	if (bytes[narrow] == 2)
		puts("narrow");
	return 0;
}
