// Marks as other tools spell them: KLEE, CREST, CROWN, SV-COMP. Values are 0 at first, or in their range; assumptions are no branches.
// tandem: trace @
// expect: assume +.*r\[0
// expect: assume +.*u\[0
// expect: assume +.*nondet_int
// expect: main +not taken .*a\[0
// expect: main +not taken .*b\[7\]
// expect: main +not taken .*d\[0
// expect: main +not taken .*e\[0
// expect: main +not taken .*nondet_int
// expect: main +not taken .*nondet_bool
// expect: main +not taken .*r\[0
// expect: main +not taken .*f\[0
// expect: main +not taken .*own\[0
// never: (taken|branch) .*marks\.c
#include <crest.h>
#include <crown.h>
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void tandem_symbolic(void *memory, size_t bytes, const char *name);

#ifdef PLAIN
void klee_make_symbolic(void *memory, size_t bytes, const char *name) { (void)name, memset(memory, 0, bytes); }
int klee_range(int begin, int end, const char *name) { return (void)end, (void)name, begin; }
int klee_int(const char *name) { return (void)name, 0; }
void klee_assume(uintptr_t condition) { (void)condition; }
void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void __td_mark_zero(void *memory, size_t bytes, const char *name) { (void)name, memset(memory, 0, bytes); }
void (SYM_assume)(int condition) { (void)condition; }
int __VERIFIER_nondet_int(void) { return 0; }
_Bool __VERIFIER_nondet_bool(void) { return 0; }
void __VERIFIER_assume(int condition) { (void)condition; }
void tandem_symbolic(void *memory, size_t bytes, const char *name) { (void)name, (void)memory, (void)bytes; }
#endif

/* The program's own wins. */
unsigned __VERIFIER_nondet_uint(void)
{
	unsigned own = 5;
	tandem_symbolic(&own, sizeof own, "own");
	return own;
}

int main(void)
{
	int a = 9;
	char b[8] = "nothing";
	short d;
	unsigned long e, u;
	klee_make_symbolic(&a, sizeof a, "a");
	klee_make_symbolic(b, sizeof b, "b");
	CREST_short(d);
	SYM_unsigned_long(e);
	CREST_unsigned_long(u);
	int n = __VERIFIER_nondet_int(), r = klee_range(5, 9, "r"), f = klee_int("f");
	_Bool truth = __VERIFIER_nondet_bool();
	klee_assume(u < 17);
	__VERIFIER_assume(n < 7);
	SYM_assume(1);
	klee_prefer_cex(&a, a > 3);
	if (a == 4711)
		puts("a");
	if (b[7] == 'x')
		puts("b");
	if (d == -5)
		puts("d");
	if (e == 1ul << 40)
		puts("e");
	if (n == -3)
		puts("n");
	if (truth)
		puts("truth");
	if (r == 8)
		puts("r");
	if (f < 0)
		puts("f");
	if (__VERIFIER_nondet_uint() == 6)
		puts("own");
	printf("%d %d %d %lu %d %d %d\n", a, b[0], d, e, n, r, f);
	return 0;
}
