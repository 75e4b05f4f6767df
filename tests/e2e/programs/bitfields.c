// Bit-fields: signed and unsigned, odd widths, across storage units, packed, neighbours untouched.
// tandem: trace @
// stdin: \0377abcdef
// expect: main +taken .*stdin\[0\]
// expect: main +not taken .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
// expect: main +not taken .*stdin\[2\]
// expect: main +taken .*stdin\[3\]
#include <stdio.h>
#include <string.h>

struct flags { unsigned a : 3; int b : 5; unsigned long c : 37; _Bool d : 1; unsigned short e : 9; };
struct __attribute__((packed)) tight { unsigned x : 5; unsigned y : 19; unsigned z : 13; };

int main(void)
{
	unsigned char in[6];
	if (fread(in, 1, 6, stdin) != 6)
		return 1;
	struct flags f = { 0 };
	struct tight t = { 1, 2, 3 };
	f.a = in[0];
	f.b = (signed char)in[0];
	if (f.a == 7)
		puts("a");
	if (f.b > -1)
		puts("b");
	f.c = (unsigned long)in[1] << 30 | 5;
	f.d = in[1];
	f.e = f.c >> 29;
	if (f.e == 77)
		puts("e");
	t.y = in[2] * 1000;
	t.z += in[3];
	if (t.y % 7 == 6)
		puts("y");
	if (t.z == 3 + 'c')
		puts("z");
	f.b++;
	printf("%u %d %lu %d %u %u %u %u\n", f.a, f.b, (unsigned long)f.c, f.d, f.e, t.x, t.y, t.z);
	return 0;
}
