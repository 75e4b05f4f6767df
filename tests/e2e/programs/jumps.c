// setjmp/longjmp: over several frames, with a value; what was stored before the jump is still symbolic after it.
// tandem: trace @
// stdin: xyz
// expect: deep +taken .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
// expect: main +taken .*stdin\[2\]
#include <setjmp.h>
#include <stdio.h>

static jmp_buf home;
static int kept;

static void deep(int n, int c)
{
	if (n > 0)
		deep(n - 1, c);
	if (c == 'x')
		longjmp(home, 7);
	puts("no jump");
}

int main(void)
{
	volatile int after = 0;
	int c = getchar();
	int how = setjmp(home);
	if (how == 0) {
		kept = getchar();
		after = getchar();
		deep(5, c);
	}
	if (kept == 'Y')
		puts("Y");
	if (after == 'z')
		printf("z, %d\n", how);
	sigjmp_buf again;
	if (sigsetjmp(again, 1) == 0)
		siglongjmp(again, 3);
	puts("end");
	return how;
}
