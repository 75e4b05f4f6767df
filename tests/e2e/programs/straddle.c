// Values and copies that lie across a page boundary, with symbolic bytes on one side of it only.
// cc: -O0
// cc: -O2
// tandem: trace @
// stdin: abcdefgh
// expect: load +not taken .*stdin\[1\]
// expect: load +taken .*stdin\[2\]
// expect: load +not taken .*stdin\[7\]
// expect: check +not taken .*stdin\[0\]
// expect: check +taken .*stdin\[3\]
// expect: check +not taken .*stdin\[0\]
// expect: check +taken .*stdin\[3\]
// never: check .*stdin\[(1|2)\]
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096 };
struct __attribute__((packed)) word { uint32_t value; };
static _Alignas(PAGE) unsigned char area[16 * PAGE];

static int load(const void *at, uint32_t want) { if (((const struct word *)at)->value == want) return 1; return 0; }

static int check(const unsigned char *p)
{
	int n = 0;
	if (p[1] == '?')
		n++;
	if (p[0] == 'w' && p[3] == 'w')
		n++;
	if (p[2] == 'd')
		n++;
	return n;
}

int main(void)
{
	/* The first bytes of a page whose predecessor has nothing; the last bytes of one whose successor has nothing. */
	if (read(0, area + 2 * PAGE, 1) != 1)
		return 1;
	if (read(0, area + 4 * PAGE, 1) != 1 || read(0, area + 6 * PAGE, 1) != 1)
		return 1;
	int n = load(area + 4 * PAGE - 3, 1) + load(area + 6 * PAGE - 1, 'c' << 8);
	unsigned char rest[5];
	if (read(0, rest, sizeof rest) != sizeof rest)
		return 1;
	area[9 * PAGE - 1] = rest[4];
	n += load(area + 9 * PAGE - 1, 'H');
	/* Overlapping moves over the boundary, up and down. */
	unsigned char *p = area + 12 * PAGE - 2;
	p[0] = p[3] = 'w';
	p[1] = area[2 * PAGE];
	p[2] = rest[0];
	memmove(p + 1, p, 7);
	n += check(p + 1);
	memmove(p - 1, p + 1, 7);
	n += check(p - 1);
	printf("%d\n", n);
	return 0;
}
