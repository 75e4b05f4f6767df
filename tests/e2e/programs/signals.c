// Signal handlers: synchronous, nested in library calls, on an alternate stack, and a timer that interrupts symbolic code.
// tandem: trace @
// stdin: abc
// expect: main +not taken +\(\(\(
// expect: main +taken .*stdin\[1\]
// predict: no
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks, caught;
static char seen;
static sigjmp_buf out;

static void on_tick(int s) { (void)s; ticks++; for (volatile int i = 0; i < 50; i++) if (seen == 'q') caught += 100; }
static void on_signal(int s) { caught += s == SIGUSR1 && seen == 'b'; }
static void *volatile nothing;
static void on_fault(int s, siginfo_t *info, void *context) { (void)context; siglongjmp(out, s == SIGSEGV && info->si_addr == nothing); }

int main(void)
{
	struct sigaction a = { .sa_handler = on_tick, .sa_flags = SA_RESTART };
	struct itimerval t = { { 0, 300 }, { 0, 300 } }, off = { { 0, 0 }, { 0, 0 } };
	unsigned hash = 5381;
	int c = getchar();
	seen = (char)getchar();
	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
	for (int i = 0; i < 3000 || ticks < 3; i++)
		if (i < 3000)
			hash = hash * 33 + (unsigned)(c ^ i);
	setitimer(ITIMER_REAL, &off, NULL);
	if (hash == 12345)
		puts("hash");
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	if (seen == 'b')
		printf("b %d %u\n", caught, hash);
	static char stack[65536];
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction f = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	sigaltstack(&alternate, NULL);
	sigaction(SIGSEGV, &f, NULL);
	nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int how = sigsetjmp(out, 1);
	if (how == 0)
		*(volatile int *)nothing = 1;
	printf("%d %d\n", how, ticks >= 3);
	return 0;
}
