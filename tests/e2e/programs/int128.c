// __int128: arithmetic, shifts, division, comparison, through calls and memory.
// tandem: trace @ 12345678901234567890123
// stdin: ab
// expect: main +taken .*argv\[1\]
// expect: main +not taken .*argv\[1\]
// expect: main +not taken .*stdin\[0\]
// expect: main +taken .*stdin\[1\]
#include <stdio.h>

typedef unsigned __int128 u128;
static u128 kept;

static u128 parse(const char *s)
{
	u128 v = 0;
	while (*s >= '0' && *s <= '9')
		v = v * 10 + (unsigned)(*s++ - '0');
	return v;
}

static void print(u128 v)
{
	printf("%016lx%016lx\n", (unsigned long)(v >> 64), (unsigned long)v);
}

int main(int argc, char **argv)
{
	kept = parse(argc > 1 ? argv[1] : "7");
	if (kept > (u128)1 << 70)
		puts("more than 2^70");
	if ((unsigned long)(kept >> 64) == 0x777)
		puts("high");
	print(kept);
	if (kept / 1000 % 7 == 3)
		puts("mod");
	__int128 s = getchar();
	s = (s << 100) - 1;
	if ((long)(s >> 98) == 391)
		puts("5");
	if (-s < 0 && (signed char)getchar() * s > 0)
		puts("signs");
	return 0;
}
