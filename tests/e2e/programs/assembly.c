// Inline assembly: a barrier loses nothing; real code gives the right values, and says what it lost.
// tandem: trace @
// stdin: abc
// expect: barrier +not taken .*stdin\[0\]
// expect: lost +inline assembly: .*stdin\[1\]
// expect: main +not taken .*stdin\[2\]
#include <stdio.h>

static int shared;

static void barrier(int c)
{
	shared = c;
	__asm__ volatile("" ::: "memory");
	if (shared == '!')
		puts("!");
}

int main(void)
{
	int a = getchar(), b = getchar(), c = getchar(), sum, memory = 5;
	barrier(a);
	__asm__("leal 1(%1), %0" : "=r"(sum) : "r"(b));
	__asm__ volatile("addl $3, %0" : "+m"(memory) : : "cc");
	unsigned low, high;
	__asm__ volatile("mull %3" : "=a"(low), "=d"(high) : "0"(0x80000000u), "r"(6) : "cc");
	if (sum == 'b' + 1)
		puts("sum");
	if (c == '?')
		puts("?");
	printf("%d %d %u %u\n", sum, memory, low, high);
	return 0;
}
