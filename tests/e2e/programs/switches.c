// switch: dense, sparse, ranges, fall through, 64 bits, signed, a default in the middle, Duff's device.
// tandem: trace @
// stdin: k3\0200Z
// expect: classes +switch +.*stdin\[0\]
// expect: sparse +switch +.*stdin\[1\]
// expect: wide +switch +.*stdin\[2\]
// expect: duff +switch +.*stdin\[3\]
#include <stdio.h>

static int classes(int c)
{
	switch (c) {
	case '0' ... '9': return 1;
	case 'a' ... 'f': return 2;
	default: return 9;
	case 'g' ... 'p': return 3;
	case EOF: return 4;
	}
}

static int sparse(int c)
{
	int n = 0;
	switch (c * 1000) {
	case -1: n++; /* fall through */
	case 51000: n += 2; /* fall through */
	case 70000: n += 4; break;
	case 0x7fffffff: n = 50;
	}
	return n;
}

static int wide(unsigned long v)
{
	switch (v) {
	case 0x8000000000000000ul: return 1;
	case 0xffffffffffffff80ul: return 2;
	case 5: return 3;
	}
	return 0;
}

static int duff(int n)
{
	int r = 0, rounds = (n + 3) / 4;
	switch (n % 4) {
	case 0: do { r += 1;
	case 3: r += 10;
	case 2: r += 100;
	case 1: r += 1000; } while (--rounds > 0);
	}
	return r;
}

int main(void)
{
	printf("%d\n", classes(getchar()));
	printf("%d\n", sparse(getchar()));
	printf("%d\n", wide((unsigned long)(signed char)getchar()));
	printf("%d\n", duff(getchar() & 15));
	return 0;
}
