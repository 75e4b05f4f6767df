// Jumps into loops, by switch and by goto: cycles with more than one way in, which have no header to look or go back at.
// cc: -O2
// cc: -O0
// tandem: trace @
// stdin: dbacfehgzyxwvut
// expect: main +taken +stdin\[0\] == 'd'
// expect: two_ways +taken
// expect: three_ways +taken
#include <stdio.h>

static unsigned char copy[32];

static void duff(unsigned char *to, const unsigned char *from, int count)
{
	int k = (count + 3) / 4;
	switch (count % 4) {
	case 0: do { *to++ = *from++;
	case 3:      *to++ = *from++;
	case 2:      *to++ = *from++;
	case 1:      *to++ = *from++;
	        } while (--k > 0);
	}
}

static int two_ways(const unsigned char *p, int x)
{
	int s = 0;
	if (x & 1) goto middle;
top:
	s += p[0];
	if (s > 900) return s;
middle:
	p++;
	s ^= p[0] << 1;
	if (*p == 'z') goto end;
	if (s < 800) goto top;
	if (--x > 0) goto middle;
end:
	return s + x;
}

static int three_ways(const unsigned char *p, int x)
{
	int i = 0, s = 0;
	if (x == 'd') goto b;
a:
	s += p[i++];
	if (i > 9) goto out;
	if (p[i] & 1) goto c;
b:
	s -= p[i++];
	if (i > 9) goto out;
c:
	s ^= i;
	if (p[i] > 'f') goto a;
	goto b;
out:
	return s;
}

int main(void)
{
	unsigned char in[32] = {0};
	if (fread(in, 1, 15, stdin) != 15) return 1;
	duff(copy, in, 15);
	duff(copy + 16, copy, 10);
	if (copy[16] == 'd') puts("copied");
	printf("%d %d\n", two_ways(copy, in[0]), two_ways(copy, in[1]));
	printf("%d %d\n", three_ways(copy, in[0]), three_ways(copy, in[1]));
	return 0;
}
