// An index that may leave its array: a table as long as it stays inside, which is part of the trace. What lies outside is another
// member, so that the program goes on; nothing is promised then. An index that is outside already is a read at any address.
// tandem: trace --go-on @ 5
// stdin: 3b\0377dyzx
// expect: bound +\(stdin\[0\] - 48\) <u 10
// expect: main +taken +g\[.*stdin\[0\] - 48.*\] == 9
// expect: bound +\(int8_t\)\(stdin\[1\] - 97\) <u 4
// expect: main +taken +g#2\[.*stdin\[1\] - 97
// expect: lost +address of a read: .*stdin\[2\]
// expect: main +taken +.*flexible\[stdin\[3\] & 15\]
// expect: bound +\(int8_t\)stdin\[5\] <u 300
// expect: main +taken +g#3\[\(int8_t\)stdin\[5\]\] == 0
// expect: main +taken +.*table#1\[stdin\[4\]\]
// expect: bound +.*stdin\[6\].* <u 300
#include <stdio.h>
#include <stdlib.h>

static struct { int before[4]; int squares[10]; int after[300]; } g = { { 5 }, { 0, 1, 4, 9, 16, 25, 36, 49, 64, 81 }, { 9, 9, 9, 9 } };
static struct { int n; char tail[]; } flexible = { 3, "abcdefghijklmno" };
struct open { int n; char tail[1]; };

int main(int argc, char **argv)
{
	int c[7];
	for (int i = 0; i < 7; i++)
		c[i] = getchar();
	if (c[6] < 0)
		return 1;
	if (g.squares[c[0] - '0'] == 9)
		puts("nine");
	signed char step = (signed char)(c[1] - 'a');
	if (g.before[step] == 0)
		puts("nothing");
	if (g.squares[(signed char)c[2] + 0] == 1) /* -1: the last of `before` */
		puts("one");
	if (flexible.tail[c[3] & 15] == 'e')
		puts("e");
	if (g.after[(signed char)c[5]] == 0)
		puts("zero");
	struct open *o = malloc(sizeof *o + 256);
	for (int i = 0; i < 256; i++)
		o->tail[i] = (char)i;
	if (o->tail[c[4]] == 'y')
		puts("y");
	free(o);
	if (g.after[c[6] * 2] == 9) /* up to 510: whatever comes behind */
		puts("9");
	return 0;
}
