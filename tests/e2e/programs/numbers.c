// strtol and its kin: bases, signs, prefixes, limits, errno and the end pointer as the library has them; values are symbolic.
// tandem: trace @ 77 -0x1fz
// expect: main +taken .*argv\[1\]\[0\]
// expect: main +not taken .*argv\[2\]\[3\]
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void show(const char *s, int base)
{
	char *end = NULL;
	errno = 0;
	long l = strtol(s, &end, base);
	int e = errno;
	errno = 0;
	unsigned long u = strtoul(s, NULL, base);
	printf("%s/%d: %ld %d %lu %d %ld\n", s, base, l, e, u, errno, end ? (long)(end - s) : -1);
}

int main(int argc, char **argv)
{
	static const char *const texts[] = { "", "-", "+5", " \t-12x", "0x", "0xg", "0X1F", "089", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "zz", "0b11", "\v\f7", "--1", "1e5" };
	static const int bases[] = { 0, 2, 8, 10, 16, 36 };
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
		for (unsigned k = 0; k < sizeof bases / sizeof *bases; k++)
			show(texts[i], bases[k]);
	if (atoi(argv[1]) * 2 == 154)
		puts("77");
	if (strtol(argv[2], NULL, 0) == -100)
		puts("-100");
	show(argv[2], 16);
	return 0;
}
