// cc: -O0
// cc: -O2
// tandem: trace @
// stdin: ab
// expect: altstack.c:[0-9]+:[0-9]+ main +taken .*stdin\[0\] == 'a'
// never: TANDEM
/* Jumps out of handlers that have a stack of their own, far from the one that is jumped to: its frames are gone, and so are those of the
 * recursion that was interrupted. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static char other[1 << 16];
static sigjmp_buf back;
static char *volatile kept;

static void handler(int number)
{
	char text[40];
	kept = text;
	sprintf(text, "signal %s", number == SIGUSR1 ? "one" : "two");
	puts(text);
	siglongjmp(back, number);
}

static int deep(int n, int number)
{
	char room[20000];
	memset(room, n, sizeof room);
	kept = room;
	if (n == 0)
		raise(number);
	return n ? deep(n - 1, number) + kept[n] : kept[0];
}

/* Where the frames of deep() were, and where nobody lies now. */
static unsigned shallow(int c)
{
	unsigned sum = 0;
	char room[100];
	memset(room, c, sizeof room);
	kept = room;
	for (unsigned i = 0; i < sizeof room; i++)
		sum += (unsigned char)kept[i];
	return sum;
}

int main(void)
{
	stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	int c = getchar();
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	volatile int round = 0;
	if (sigsetjmp(back, 1) < SIGUSR2 && round++ < 9)
		deep(round < 5 ? 3 : 100, round < 5 ? SIGUSR1 : SIGUSR2);
	printf("%d rounds, %u\n", round, shallow(c));
	unsigned left = 0;
	for (unsigned i = 0; i < sizeof other; i++)
		left += other[i] == 's';
	printf("%d\n", left > 0);
	if (c == 'a')
		puts("a");
	return 0;
}
