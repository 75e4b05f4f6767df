// A table that changes while the program runs: each read sees what was there, a symbolic element makes it an ordinary read, and
// what is concrete again is a table again. Changes by stores, by memset, from another function, and behind a pointer.
// tandem: trace @
// stdin: abcdefgh
// expect: main +taken +table\[stdin\[0\] & 7\] == 1
// expect: main +not taken +table#2\[stdin\[0\] & 7\] != 1
// expect: lost +address of a read: .*stdin\[2\] & 7
// expect: main +taken +table#2\[stdin\[3\] & 7\] == 4
// expect: main +taken +table#3\[stdin\[4\] & 7\] == 9
// expect: main +taken +table\[stdin\[5\] & 7\]
// expect: main +taken +table\[stdin\[6\] & 7\] == 7
// expect: main +taken +table#4\[stdin\[6\] & 7\] == 7
// expect: counted +1 +such reads that were lost: the array holds symbolic bytes
#include <stdio.h>
#include <string.h>

static unsigned short table[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static unsigned short *behind = table;

__attribute__((noinline)) static void set(unsigned at, unsigned short to)
{
	behind[at] = to;
}

int main(void)
{
	unsigned char in[8];
	if (fread(in, 1, 8, stdin) != 8)
		return 1;
	if (table[in[0] & 7] == 1)
		puts("first");
	set(1, 100);
	if (table[in[0] & 7] == 1)
		puts("second");
	table[2] = in[1];
	if (table[in[2] & 7] == 3)
		puts("mixed");
	table[2] = 2;
	if (table[in[3] & 7] == 4)
		puts("third");
	memset(table, 0, sizeof table);
	set(5, 9);
	if (table[in[4] & 7] == 9)
		puts("fourth");
	for (unsigned i = 0; i < 8; i++)
		set(i, (unsigned short)i);
	if (table[in[5] & 7] == 6)
		puts("as it was");
	unsigned at = in[6] & 7; /* its address is computed once, used on either side of a call */
	if (table[at] == 7)
		puts("seven");
	set(6, 60);
	if (table[at] == 7)
		puts("seven again");
	return 0;
}
