/* What a run can leave behind in its process. It first looks whether everything is as at the beginning of a process; then it does what its input
 * says, and leaves it so. `stale` is never called. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int changed;
static int initialised = 7;
static _Thread_local int per_thread = 3;
static char large[1 << 20];
static char *kept;
static int sink;

static void stale(const char *what)
{
	fprintf(stderr, "stale: %s\n", what);
	sink++;
}

static void nothing(int number)
{
	sink += number;
}

static void look_at_kernel(void)
{
	struct sigaction a;
	struct rlimit l;
	sigset_t set;
	stack_t s;
	mode_t mode = umask(0);
	umask(mode);
	if (mode == 077)
		stale("file mode mask");
	for (int i = 1; i < 32; i++)
		if (i != SIGSYS && (sigaction(i, NULL, &a) != 0 || a.sa_handler != SIG_DFL))
			stale("signal handler");
	if (sigprocmask(SIG_BLOCK, NULL, &set) != 0 || sigismember(&set, SIGUSR1) || sigismember(&set, SIGHUP))
		stale("signal mask");
	if (sigpending(&set) != 0 || sigismember(&set, SIGUSR1))
		stale("signal");
	if (sigaltstack(NULL, &s) != 0 || !(s.ss_flags & SS_DISABLE))
		stale("alternate stack");
	if (getrlimit(RLIMIT_CORE, &l) != 0 || l.rlim_cur == 12345)
		stale("limit");
	if (fegetround() != FE_TONEAREST)
		stale("rounding");
}

static void look_at_files(void)
{
	struct stat st;
	char here[4096];
	for (int i = 0; i < 3; i++)
		if (fcntl(i, F_GETFD) != 0 || fcntl(i, F_GETFL) & O_NONBLOCK)
			stale("standard stream");
	for (int i = 3; i < getdtablesize(); i++)
		if (fcntl(i, F_GETFD) >= 0)
			stale("descriptor");
	if (lseek(0, 0, SEEK_CUR) > 0)
		stale("position");
	if (stat("made", &st) == 0)
		stale("file");
	if (!getcwd(here, sizeof here) || strstr(here, "/below"))
		stale("directory");
}

static void look_at_memory(void)
{
	if (changed || initialised != 7 || per_thread != 3 || kept)
		stale("variable");
	for (size_t i = 0; i < sizeof large; i += 512)
		sink += large[i];
	if (sink)
		stale("large variable");
	if (getenv("STALE"))
		stale("environment");
	if (strcmp(setlocale(LC_ALL, NULL), "C") != 0)
		stale("locale");
	if (rand() != 1804289383)
		stale("random numbers");
	if (errno)
		stale("errno");
}

static int deep(int n)
{
	volatile char room[1000];
	room[n % 1000] = (char)n;
	return n ? deep(n - 1) + room[n % 1000] : room[0];
}

static void say_goodbye(void)
{
	printf("goodbye\n");
	changed = 9;
}

static void leave_open(void)
{
	for (int i = 0; i < 10; i++)
		if (open("/dev/null", O_RDWR) < 0)
			return;
	dup2(1, 100);
}

static void all_signals(int blocked)
{
	sigset_t all;
	for (int i = 1; i < 65 && !blocked; i++)
		signal(i, nothing);
	sigfillset(&all);
	if (blocked)
		sigprocmask(SIG_BLOCK, &all, NULL);
}

static void own_stack(void)
{
	static char room[1 << 16];
	stack_t s = {.ss_sp = room, .ss_size = sizeof room};
	struct sigaction a = {.sa_handler = nothing, .sa_flags = SA_ONSTACK};
	sigaltstack(&s, NULL);
	sigaction(SIGUSR2, &a, NULL);
	raise(SIGUSR2);
}

static void leave(int number)
{
	_exit(number == SIGUSR2 ? 6 : 7);
}

/* Where it ends there is little room. */
static void own_stack_end(void)
{
	static char room[8192];
	stack_t s = {.ss_sp = room, .ss_size = sizeof room};
	struct sigaction a = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
	sigaltstack(&s, NULL);
	sigaction(SIGUSR2, &a, NULL);
	raise(SIGUSR2);
}

static void much(size_t n, size_t each)
{
	char **p = malloc(n * sizeof *p);
	for (size_t i = 0; p && i < n; i++)
		if ((p[i] = malloc(each)))
			memset(p[i], 1, each);
	for (size_t i = 0; p && i < n; i += 2)
		free(p[i]);
	kept = p ? p[1] : NULL;
}

static void below(void)
{
	if (mkdir("below", 0700) == 0 && chdir("below") == 0)
		changed = 1;
}

static void start_another(void)
{
	pid_t child = fork();
	if (child == 0)
		_exit(3);
	waitpid(child, NULL, 0);
}

static void map(void)
{
	char *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p != MAP_FAILED)
		memset(p, 1, 1 << 16);
}

static void limit(void)
{
	struct rlimit l;
	getrlimit(RLIMIT_CORE, &l);
	l.rlim_cur = l.rlim_max < 12345 ? l.rlim_max : 12345;
	setrlimit(RLIMIT_CORE, &l);
}

static void make(void)
{
	FILE *f = fopen("made", "w");
	if (f)
		fputs("made\n", f);
}

static void waits(void)
{
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	sigprocmask(SIG_BLOCK, &one, NULL);
	raise(SIGUSR1);
}

static void close_from(int first, int last)
{
	for (int i = first; i <= last; i++)
		close(i);
}

int main(void)
{
	errno = errno == EINTR ? 0 : errno;
	look_at_memory();
	look_at_kernel();
	look_at_files();
	switch (getchar()) {
	case 'a': changed = initialised = per_thread = 1; break;
	case 'b': setenv("STALE", "1", 1); break;
	case 'c': signal(SIGUSR1, nothing); break;
	case 'd': waits(); break;
	case 'e': umask(077); break;
	case 'f': if (sbrk(1 << 16) != (void *)-1) changed = 1; break;
	case 'g': fesetround(FE_UPWARD); break;
	case 'h': fcntl(0, F_SETFL, O_NONBLOCK); fcntl(1, F_SETFL, O_NONBLOCK); break;
	case 'i': leave_open(); break;
	case 'j': close_from(0, 2); break;
	case 'k': close_from(0, 300); break;
	case 'l': for (int i = 240; i < 256; i++) dup2(0, i); break;
	case 'm': below(); break;
	case 'n': start_another(); break;
	case 'o': memset(large, 1, sizeof large); break;
	case 'p': map(); break;
	case 'q': alarm(100); break;
	case 'r': limit(); break;
	case 's': all_signals(0); break;
	case 't': all_signals(1); break;
	case 'u': sink = deep(2000); break;
	case 'v': much(40, 1 << 20); break;
	case 'w': printf("not written"); _exit(7);
	case 'x': own_stack(); break;
	case 'y': atexit(say_goodbye); exit(5);
	case 'z': make(); break;
	case '0': srand(5); break;
	case '1': setlocale(LC_ALL, "C.UTF-8"); break;
	case '2': much(1000, 100); break;
	case '3': quick_exit(4);
	case '4': for (int i = 0; i < 3000; i++) printf("%d\n", i); return 1;
	case '5': ungetc('x', stdin); fflush(stdin); break;
	case '6': setvbuf(stdout, NULL, _IONBF, 0); printf("6"); break;
	case '7': execl("/bin/true", "true", (char *)NULL); break;
	case '8': sink = deep(100); break;
	case 'A': while (dup(0) >= 0) changed++; break;
	case 'B': own_stack_end(); break;
	case 'C': sink = clock() > 1000 * CLOCKS_PER_SEC; break;
	case '9': system("true"); break;
	default: return 2;
	}
	return 0;
}
