// C11 atomics, __atomic and __sync builtins: values go through memory and stay symbolic.
// tandem: trace @
// stdin: abcdefgh
// expect: main +not taken .*stdin\[0\]
// expect: main +taken .*stdin\[1\]
// expect: main +not taken .*stdin\[2\]
// expect: main +taken .*stdin\[3\]
// expect: main +not taken .*stdin\[4\]
// expect: main +not taken .*stdin\[5\]
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int counter;
static atomic_uchar small;
static _Atomic(long) wide;
static int plain;
struct two { int a, b; };
static _Atomic struct two pair;

int main(void)
{
	int c[8];
	for (int i = 0; i < 8; i++)
		c[i] = getchar();
	atomic_store(&counter, c[0]);
	int before = atomic_fetch_add(&counter, 5);
	if (before + atomic_load(&counter) == 1)
		puts("?");
	atomic_store_explicit(&small, 250, memory_order_relaxed);
	small += c[1];
	if (small == (unsigned char)(250 + 'b'))
		puts("wraps");
	wide = c[2];
	wide |= 1L << 40;
	if (atomic_exchange(&wide, 3) == (1L << 40 | 'x'))
		puts("x");
	long expected = 3;
	if (atomic_compare_exchange_strong(&wide, &expected, c[3]) && wide == 'd')
		puts("d");
	__atomic_store_n(&plain, c[4], __ATOMIC_SEQ_CST);
	if (__atomic_nand_fetch(&plain, 0xf0, __ATOMIC_ACQ_REL) == ~0x70)
		puts("nand");
	struct two p = { c[5], 1 };
	atomic_store(&pair, p);
	p = atomic_load(&pair);
	if (p.a - p.b == 0)
		puts("pair");
	plain = 1;
	int old = __sync_val_compare_and_swap(&plain, 1, c[6]);
	if (plain == 'G' || old == c[7])
		puts("cas");
	printf("%d %d %ld %d %d\n", counter, small, (long)wide, plain, old);
	return 0;
}
