/* Functions that do to whoever tests them what he would rather not have. A line says of what class its fault is, which no caller is in the way of; nothing else here is one. See ../unit.sh. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int few[4] = { 1, 2, 3, 4 };

int loops(int x)
{
	volatile unsigned n = 0;
	while (x > 0)
		n++;
	return 100 / (x + 5); /* DEFECT division-by-zero */
}

int loops_always(int x)
{
	volatile unsigned n = 0;
	if (x == 1234)
		return few[x]; /* DEFECT global-overflow */
	for (;;)
		n++;
}

int exits(int x)
{
	if (x > 100)
		exit(x & 127);
	return 100 / (x - 7); /* DEFECT division-by-zero */
}

_Noreturn void never_returns(int x)
{
	if (x == 99)
		x = 100 / (x - 99); /* DEFECT division-by-zero */
	_exit(x);
}

void calls_noreturn(int x)
{
	if (x > 5)
		never_returns(x);
	if (x == 4)
		*(volatile int *)NULL = 1; /* DEFECT null-dereference */
}

int jumps(int x)
{
	jmp_buf place;
	volatile int at = x;
	if (setjmp(place))
		return few[at & 7]; /* DEFECT global-overflow */
	if (x > 10)
		longjmp(place, 1);
	return 0;
}

static jmp_buf way_out;

int leaps(int x)
{
	if (x == 5)
		longjmp(way_out, 1); /* from a function that nobody has set the place for */
	return 100 / (x - 6); /* DEFECT division-by-zero */
}

int reads(void)
{
	char *p = NULL;
	if (getchar() == 'q' && getchar() == 'r')
		*p = 1; /* DEFECT null-dereference */
	return 0;
}

int frees(char *p, int again)
{
	free(p);
	return again == 12 && p ? p[0] : 0; /* DEFECT use-after-free */
}

int recurses(int n)
{
	volatile char room[4096];
	room[3] = 1; /* DEFECT stack-exhausted */
	if (n == 77)
		return 1 / (n - 77); /* DEFECT division-by-zero */
	return n > 100 ? recurses(n) + room[3] : 0;
}

int logs(FILE *to, int x)
{
	if (x == 21)
		return few[x]; /* DEFECT global-overflow */
	return to && x > 5 ? fprintf(to, "%d\n", x) : 0;
}

int negate(int x) { return -x; }
int (*const some)(int) = negate;

int calls_back(int (*how)(int), int x)
{
	if (!how)
		return 0;
	return 100 / (how(x) + 8); /* DEFECT division-by-zero */
}

struct pair { int a, b; };
struct wide { double d[3]; long n; };

int many(int a, int b, char *c, double d, struct pair e, long f, short g, unsigned char h, struct wide i, float j, int k, int *l, long m, int n, double o, struct pair p, int q, long double r, char s, int t, unsigned u,
         struct wide v, int w, float x, long y, int z, int *aa, int bb, struct pair cc, int dd)
{
	if (a == 1 && b == 2 && e.b == 3 && i.n == 4 && m == 5 && p.a == 6 && v.n == 7 && cc.b == 8 && dd == 9 && g == -10)
		return few[dd]; /* DEFECT global-overflow */
	return *c + (int)d + (int)f + h + (int)j + k + *l + n + (int)o + q + (int)r + s + t + (int)u + w + (int)x + (int)y + z + *aa + bb;
}

struct pair by_value(struct pair p, struct wide w)
{
	struct pair q = { w.n == 5 && p.b == 6 ? few[w.n] : 0, 1 }; /* DEFECT global-overflow */
	return q;
}

struct wide gives_wide(int x)
{
	struct wide w = { { 1, 2, 3 }, x };
	if (x == 17)
		w.n = 1 / (x - 17); /* DEFECT division-by-zero */
	return w;
}

/* What it calls is no stub, but what that returns is looked at. */
int uses_wide(int x)
{
	struct wide w = gives_wide(x);
	return w.n == 23 ? few[w.n] : 0; /* DEFECT global-overflow */
}

int floats(float a, double b, long double c, int x)
{
	if (x == 8)
		return few[x]; /* DEFECT global-overflow */
	return a > 2 && b < 3 && c > 4;
}

int adds(int n, ...)
{
	va_list list;
	int sum = 0;
	va_start(list, n);
	for (int i = 0; i < n && i < 3; i++)
		sum += va_arg(list, int);
	va_end(list);
	return n == 44 ? few[n] : sum; /* DEFECT global-overflow */
}

int writes(int x, const char *outside)
{
	FILE *f = fopen("made-by-writes", "w");
	if (f) {
		fputs("x", f);
		fclose(f);
	}
	unlink(OUTSIDE);
	f = fopen(OUTSIDE "-too", "w");
	if (f)
		fclose(f);
	if (mkdir(OUTSIDE "-folder", 0700) == 0)
		rmdir("/tmp");
	return x == 31 ? few[x] + outside[0] : 0; /* DEFECT global-overflow */
}

int forks(int x)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return x == 13 ? few[x] : 0; /* DEFECT global-overflow */
}

int forks_on(int x)
{
	for (int i = 0; i < 4; i++)
		if (fork() == 0) {
			sleep(100);
			_exit(0);
		}
	return x == 13 ? few[x] : 0; /* DEFECT global-overflow */
}

int eats(int x)
{
	for (int i = 0; i < 5; i++) {
		char *p = malloc(64 << 20);
		if (p)
			memset(p, 1, 1 << 20);
	}
	return x == 19 ? few[x] : 0; /* DEFECT global-overflow */
}

int eats_all(int x)
{
	while (x != 3 && malloc(64 << 20))
		;
	return 100 / (x - 3); /* DEFECT division-by-zero */
}

int closes(int x)
{
	for (int i = 0; i < 1024; i++)
		close(i);
	return x == 18 ? few[x] : 0; /* DEFECT global-overflow */
}

static void ignore(int number) { (void)number; }

int catches(int x)
{
	struct sigaction a = { .sa_handler = ignore };
	sigset_t all;
	sigfillset(&all);
	for (int i = 1; i < 65; i++)
		sigaction(i, &a, NULL);
	sigprocmask(SIG_BLOCK, &all, NULL);
	if (x == 15)
		*(volatile int *)NULL = 1; /* DEFECT null-dereference */
	while (x > 1000)
		pause();
	return 0;
}

int kills_itself(int x)
{
	if (x == 14)
		return few[x]; /* DEFECT global-overflow */
	if (x > 50)
		return kill(getpid(), SIGKILL);
	return kill(getpid(), SIGSTOP);
}

int aborts(int x)
{
	if (x == 9) /* DEFECT SIGABRT */
		abort();
	return few[x == 8 ? x : 0]; /* DEFECT global-overflow */
}

int alarms(int x)
{
	alarm(1);
	close(0);
	close(1);
	if (chdir("/") != 0 || x == 16)
		return few[x & 31]; /* DEFECT global-overflow */
	return setenv("PATH", "", 1);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc == 2)
		return negate(few[1]);
	return argc > 77 ? loops(1) : 0;
}
