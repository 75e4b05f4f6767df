// Reads at a symbolic index from arrays of known size: constants, variables, locals, members, structs, two dimensions, all widths.
// tandem: trace @
// stdin: a<AAcb9zzq#K
// expect: main +taken +classes\[stdin\[0\]\] == 2
// expect: kind +switch +table#1\[stdin\[1\]\] = 7
// expect: main +taken +rows\[stdin\[2\] & 3\] == 6
// expect: lost +address of a read: .*stdin\[2\] & 3
// expect: main +taken +rows#2\[stdin\[3\] & 7\] == 5
// expect: main +not taken +pairs\[stdin\[4\] & 7\]
// expect: main +taken +.*words\[stdin\[5\] & 3\] .*
// expect: main +taken +wides\[.*classes\[stdin\[6\]\]
// expect: main +taken +.*ratios\[stdin\[7\] % 5\]
// expect: main +taken +table#2\[stdin\[8\] & 15\] == 10
// expect: called +taken +table#3\[.*stdin\[9\]
// expect: main +taken +.*letters\[stdin\[10\] & 7\] .*
// expect: main +taken +.*names\[stdin\[11\] & 1\]
// never: bound
#include <stdio.h>

static const unsigned char classes[256] = { ['0'...'9'] = 1, ['a'...'z'] = 2, [' '] = 3 };
struct encoding { int kind; unsigned char type[256]; struct { short s; int v[16]; } inner; };
static struct encoding latin = { 1, { ['<'] = 7, ['>'] = 8 }, { 0, { 0, [9] = 4 } } };
static int rows[4][8] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
static struct pair { char c; int value; } pairs[8] = { { 1, 10 }, { 2, 20 }, { 3, 30 } };
static const short words[4] = { -1, 300, -300, 32767 };
static unsigned long wides[4] = { 1ul << 63, 5, ~0ul, 7 };
static const double ratios[5] = { 0.5, 1.5, -2.5, 1e300, 4 };
static const char letters[] = "abcdefg";
static const char *const names[2] = { "none", "some" };

__attribute__((noinline)) static int kind(const struct encoding *e, int c)
{
	switch (e->type[c]) {
	case 7: return 1;
	case 8: return 2;
	default: return 0;
	}
}

__attribute__((noinline)) static int called(struct encoding *e, unsigned c)
{
	if (e->inner.v[c >> 4] == 0)
		return 10;
	return 11;
}

int main(void)
{
	unsigned char in[12];
	int squares[16];
	if (fread(in, 1, 12, stdin) != 12)
		return 1;
	for (int i = 0; i < 16; i++)
		squares[i] = i;
	if (classes[in[0]] == 2)
		puts("letter");
	printf("%d\n", kind(&latin, in[1]));
	if (rows[in[2] & 3][2] == 6)
		puts("six");
	if (rows[in[2] & 3][in[3] & 7] == 5)
		puts("five");
	if (pairs[in[4] & 7].value == 20)
		puts("twenty");
	if (words[in[5] & 3] == -300)
		puts("-300");
	if (wides[classes[in[6]]] == 5)
		puts("5");
	if (ratios[in[7] % 5] < 0)
		puts("below");
	if (squares[in[8] & 15] == 10)
		puts("ten");
	printf("%d\n", called(&latin, in[9]));
	if (letters[in[10] & 7] == 'd')
		puts("d");
	if (names[in[11] & 1] == names[1])
		puts("some");
	return 0;
}
