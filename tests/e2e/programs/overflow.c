// Overflow builtins of all kinds: signed, unsigned, mixed widths, the predicate forms, saturation.
// tandem: trace @
// stdin: \0377\0177\0200\0001az
// expect: main +taken .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
// expect: main +taken .*stdin\[2\]
// expect: main +not taken .*stdin\[3\]
// expect: main +taken .*stdin\[4\]
// expect: main +not taken .*stdin\[5\]
#include <limits.h>
#include <stdio.h>

int main(void)
{
	unsigned char c[6], byte;
	if (fread(c, 1, 6, stdin) != 6)
		return 1;
	int i;
	unsigned u;
	long l;
	short s;
	if (__builtin_add_overflow(c[0], (unsigned char)1, &byte))
		printf("add %d\n", byte);
	if (__builtin_mul_overflow(c[1], 16909320, &i))
		printf("mul %d\n", i);
	if (__builtin_sub_overflow((signed char)c[2], 32700, &s))
		printf("sub %d\n", s);
	if (__builtin_umul_overflow(c[3] * 0x1000000u, 255, &u))
		printf("umul %u\n", u);
	if (__builtin_saddl_overflow(LONG_MAX - 96, c[4], &l))
		printf("saddl %ld\n", l);
	if (__builtin_sub_overflow((unsigned)c[5], 122u, &u))
		printf("usub %u\n", u);
	if (__builtin_mul_overflow((long)c[4] << 40, (unsigned)c[5] << 20, &l))
		printf("mul 64 %ld\n", l);
	if (__builtin_add_overflow((short)i, c[0], &s))
		printf("add 16 %d\n", s);
	unsigned char sat = __builtin_elementwise_add_sat(c[0], c[1]);
	signed char ssat = __builtin_elementwise_sub_sat((signed char)c[2], (signed char)c[1]);
	if (sat == 255 && ssat == -128)
		puts("saturated");
	unsigned long long carry;
	if (__builtin_addcll(c[0], ULLONG_MAX, 1, &carry) == 255 && carry)
		puts("carry");
	return 0;
}
