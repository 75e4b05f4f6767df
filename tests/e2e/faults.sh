#!/bin/bash
# Crashes: what is told of them, and that nobody else can tell a traced program from a plain one by them. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../reported.sh"

# tells STATUS INPUT HEADLINE FRAME...: and these frames are there, in this order.
tells() {
    local frame line=1 next
    traced "$1" "$2" --quiet ./program
    has "^==TANDEM: $3"
    [ "$(grep -c '^==TANDEM' err)" = 1 ] || fail "$2: not one report: $(grep '^==TANDEM' err)"
    for frame in "${@:4}"; do
        next=$(sed -n "$line,\$p" err | grep -nE -m 1 "#[0-9]+ $frame" | cut -d : -f 1)
        [ -n "$next" ] || { fail "$2: no frame $frame: $(cat err)"; return; }
        line=$((line + next))
    done
}

cat > crashes.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static char *volatile wild = (char *)0x512345678900;
static char *volatile strange = (char *)0x8000123456789000;
static int (*volatile away)(int) = (int (*)(int))0x512345678900;
static const char fixed[] = "constant";
static volatile int sink, zero;
static int deep(int n)
{
	volatile char room[100];
	room[n % 100] = (char)n;
	return deep(n + 1) + room[3];
}
static int broad(int n)
{
	volatile char room[100000];
	room[5] = (char)n;
	return broad(n + 1) + room[3];
}
static void behind(void)
{
	int f = open("behind", O_RDWR | O_CREAT, 0600);
	char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, f, 0);
	sink = *(volatile char *)p;
}
static void crash(int c)
{
	switch (c) {
	case 'w': *wild = 1; break;
	case 'r': sink = *wild; break;
	case 's': sink = *strange; break;
	case 'l': sink = (int)strlen(wild); break;
	case 'm': memcpy(wild, "abcdefghijklmnopqrstuvwxyz", (size_t)(20 + zero)); break;
	case 'p': puts(wild); break;
	case 'd': sink = deep(c); break;
	case 'b': sink = broad(c); break;
	case 'c': *(volatile char *)fixed = 1; break;
	case 'x': *(volatile char *)(unsigned long)deep = 1; break;
	case 'i': __builtin_trap();
	case 'j': sink = away(1); break;
	case 'f': behind(); break;
	case 'k': raise(SIGSEGV); break;
	case 'F': kill(getpid(), SIGFPE); break;
	case 'a': abort();
	case 'e': _exit(7);
	}
}
static void *thread(void *p)
{
	crash(getchar());
	return p;
}
int main(void)
{
	int c = getchar();
	if (c == 't') {
		pthread_t t;
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
	} else {
		crash(c);
	}
	puts("fine");
	return 0;
}
C
for flags in -O0 -O2 "-O1 -static"; do
    case="crashes, $flags"
    # shellcheck disable=SC2086
    builds "$cc" -g $flags crashes.c -o program
    tells 139 w 'wild: write at 0x512345678900$' 'crash at crashes.c:35:' 'main at crashes.c:67:'
    tells 139 r 'wild: read at 0x512345678900$' 'crash at crashes.c:36:' 'main at crashes.c:67:'
    tells 139 s 'wild: access to memory that is not there$' 'crash at crashes.c:37:' 'main at'
    tells 139 l 'wild: read at 0x512345678900$' 'strlen$' 'crash at crashes.c:38:' 'main at'
    tells 139 m 'wild: write at 0x5123456789' 'crash at crashes.c:39:' 'main at'
    tells 139 p 'wild: read at 0x512345678900$' 'main at'
    tells 139 d 'stack-exhausted: ' 'deep at crashes.c:' 'deep at crashes.c:18:' 'deep at crashes.c:18:'
    tells 139 b 'stack-exhausted: ' 'broad at crashes.c:' 'broad at crashes.c:24:' 'broad at crashes.c:24:'
    tells 139 c "read-only-write: write at 0x[0-9a-f]+, at byte 0 of a 9-byte global variable 'fixed'$" 'crash at crashes.c:43:' 'main at'
    tells 139 x 'read-only-write: write at' 'crash at crashes.c:44:' 'main at'
    tells 132 i 'illegal-instruction: ' 'crash at crashes.c:45:' 'main at'
    tells 139 j 'wild: read at 0x512345678900: jump$' 'crash at crashes.c:46:' 'main at'
    tells 135 f 'wild: read at ' 'behind at crashes.c:30:' 'crash at crashes.c:47' 'main at'
    tells 139 tw 'wild: write at 0x512345678900 \(thread 1\)$' 'crash at crashes.c:35:' 'thread at crashes.c:56:'
    tells 139 tl 'wild: read at .* \(thread 1\)$' 'strlen$' 'crash at' 'thread at crashes.c:56:'
    tells 139 td 'stack-exhausted: .* \(thread 1\)$' 'deep at' 'deep at' 'deep at'
    tells 139 tb 'stack-exhausted: .* \(thread 1\)$' 'broad at' 'broad at' 'broad at'
    for pair in k:139 F:136 a:134 e:7 q:0 tk:139 tq:0; do
        traced "${pair#*:}" "${pair%:*}" --quiet ./program
        has_not '==TANDEM'
    done
    traced 139 r --quiet --go-on ./program
    has '^==TANDEM: wild: '
    traced 139 d --quiet --no-sandbox ./program
    has '^==TANDEM: stack-exhausted: '
done

# What the waiting parent, the program itself and its children see.
cat > notices.c <<'C'
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static char *volatile wild = (char *)0x512345678900;
static jmp_buf out;
static void caught(int s) { longjmp(out, s); }
static void again(int s) { puts("handled"); fflush(stdout); signal(s, SIG_DFL); }
static void once(int s, siginfo_t *i, void *c)
{
	int here;
	stack_t now;
	sigaltstack(NULL, &now);
	printf("once %d %d %d\n", s == SIGSEGV, i->si_addr == wild, c != NULL && (now.ss_flags & SS_ONSTACK) && (char *)&here > (char *)now.ss_sp);
	fflush(stdout);
	_exit(4);
}
static const char *name(sighandler_t h)
{
	return h == SIG_DFL ? "default" : h == SIG_IGN ? "ignored" : h == caught ? "caught" : h == again ? "again" : "?";
}
static void show(int s)
{
	struct sigaction a;
	memset(&a, 1, sizeof a);
	int r = sigaction(s, NULL, &a);
	printf("%d %d %s %x %d\n", s, r, name(a.sa_handler), a.sa_flags & ~0x04000000, sigismember(&a.sa_mask, SIGINT));
}
static void status(const char *what, int s)
{
	printf("%s: %s %d\n", what, WIFSIGNALED(s) ? "signal" : "exit", WIFSIGNALED(s) ? WTERMSIG(s) : WEXITSTATUS(s));
}
int main(int argc, char **argv)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGUSR1 };
	static char room[65536];
	stack_t now, mine = { .ss_sp = room, .ss_size = sizeof room };
	int c = getchar(), s = 0;
	memset(&now, 1, sizeof now);
	printf("%d ", sigaltstack(NULL, &now));
	printf("%d %d\n", now.ss_flags == SS_DISABLE, (int)now.ss_size);
	for (unsigned i = 0; i < 5; i++) {
		show(signals[i]);
		printf("%s ", name(signal(signals[i], caught)));
		printf("%s ", name(signal(signals[i], SIG_IGN)));
		printf("%s ", name(signal(signals[i], SIG_DFL)));
		printf("%s\n", name(signal(signals[i], SIG_DFL)));
		struct sigaction a = { .sa_handler = SIG_DFL, .sa_flags = SA_RESTART | SA_NODEFER }, old;
		sigaddset(&a.sa_mask, SIGINT);
		printf("%d %s\n", sigaction(signals[i], &a, &old), name(old.sa_handler));
		show(signals[i]);
	}
	errno = 0;
	printf("%d ", signal(SIGKILL, caught) == SIG_ERR && errno == EINVAL);
	errno = 0;
	printf("%d %d\n", sigaction(0, NULL, NULL), errno == EINVAL);
	fflush(stdout);
	if (fork() == 0) {
		show(SIGSEGV);
		printf("%s\n", name(signal(SIGSEGV, SIG_DFL)));
		fflush(stdout);
		*wild = 1;
	}
	wait(&s);
	status("child", s);
	fflush(stdout);
	if (fork() == 0) {
		execl("/bin/sh", "sh", "-c", "kill -SEGV $$; exit 9", (char *)NULL);
		_exit(8);
	}
	wait(&s);
	status("exec", s);
	signal(SIGFPE, SIG_IGN);
	raise(SIGFPE);
	signal(SIGSEGV, caught);
	show(SIGSEGV);
	if (!setjmp(out))
		*wild = (char)argc;
	else
		puts("jumped");
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	fflush(stdout);
	if (c == 'o') {
		struct sigaction a = { .sa_sigaction = once, .sa_flags = SA_SIGINFO | SA_ONSTACK };
		printf("%d %d\n", sigaltstack(&mine, &now), now.ss_flags == SS_DISABLE);
		sigaction(SIGSEGV, &a, NULL);
	} else if (c == 'a') {
		signal(SIGSEGV, again);
	} else {
		signal(SIGSEGV, SIG_DFL);
	}
	*wild = argv != NULL;
	return 0;
}
C
clang-19 -D_GNU_SOURCE -w notices.c -o plain || exit 2
for flags in -O0 "-O2 -static"; do
    case="what is seen of it, $flags"
    # shellcheck disable=SC2086
    builds "$cc" -D_GNU_SOURCE -g -w $flags notices.c -o program
    for pair in d:139 a:139 o:4; do
        { (printf '%s' "${pair%:*}" | ./plain > plain.out); } 2> /dev/null
        { (printf '%s' "${pair%:*}" | ./program > native.out); } 2> /dev/null
        cmp -s plain.out native.out || fail "not traced: $(diff plain.out native.out)"
        traced "${pair#*:}" "${pair%:*}" --quiet ./program
        cmp -s plain.out out || fail "traced: $(diff plain.out out)"
        case $pair in
        o*) has_not '==TANDEM' ;;
        *) has '^==TANDEM: wild: write at 0x512345678900$' ;; # told when the program lets go of it
        esac
    done
done

case="a disposition it was started with"
cat > start.c <<'C'
#include <signal.h>
#include <stdio.h>
int main(void)
{
	struct sigaction a;
	sigaction(SIGSEGV, NULL, &a);
	printf("%d\n", a.sa_handler == SIG_IGN);
	raise(SIGSEGV);
	return getchar();
}
C
builds "$cc" -g start.c -o program
(trap '' SEGV; printf 'A' | "$tandem" trace --quiet --no-sandbox ./program > out 2> err)
[ $? = 65 ] || fail "not ignored: $(cat out err)"
has '^1$' out

case="explored"
cat > search.c <<'C'
#include <stdio.h>
static char *volatile wild = (char *)0x512345678900;
static int deep(int n)
{
	volatile char room[100];
	room[n % 100] = (char)n;
	return deep(n + 1) + room[3];
}
int main(void)
{
	int c = getchar();
	if (c == 'x')
		*wild = 1;
	return c == 'd' ? deep(c) : 0;
}
C
builds "$cc" -g search.c -o program
"$tandem" explore --stdin 1 --execs 20 --out found ./program > out 2> err < /dev/null
[ $? = 10 ] || fail "no bug: $(cat out err)"
has '^bug: (wild in main at search.c:13:9|stack-exhausted in deep at search.c:[0-9:]+) after [0-9]+ runs: stdin = "[xd]"$' out

case="the condition that does not hold"
cat > index.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	volatile char *block = malloc(100);
	int c = getchar();
	block[c] = 1;
	return 100 / (getchar() - 'a');
}
C
builds "$cc" -g -O1 index.c -o program
traced 134 '~a' --quiet ./program
has '^==TANDEM: heap-overflow: write of 1 byte '
has '^  depends on .*stdin\[0\]'
traced 134 'Aa' --quiet ./program
has '^==TANDEM: division-by-zero'
has '^  depends on .*stdin\[1\]'
traced 136 'Aa' --quiet --go-on ./program
[ "$(grep -c '^  depends on ' err)" = 1 ] || fail "not told once: $(cat err)"

[ "$failures" = 0 ] && echo "faults: ok"
[ "$failures" = 0 ]
