#!/bin/bash
# Reports of violations, by way of assert: the call stack as the source has it, however the program was linked and wherever it happens, and the end of
# the run, whatever the program does about SIGABRT. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../reported.sh"

# stack LINE...: these are the frames of the first report, no more and no less.
stack() {
    printf '%s\n' "$@" > wanted
    awk '/^==TANDEM/ { n++; next } n == 1 && /^    #/ { sub(/^    #[0-9]+ /, ""); print } /^  [^ ]/ { n = 2 }' err > frames
    cmp -s wanted frames || fail "other frames: $(diff wanted frames)"
}

mkdir -p tree/.git tree/src
cat > tree/src/deep.c <<'C'
#include <assert.h>
#include <stdio.h>
static inline __attribute__((always_inline)) void check(int c)
{
	assert(c != 'x');
}
static int small(int c)
{
	check(c);
	return c;
}
int deep(int n, int c)
{
	if (n == 0)
		return small(c);
	return deep(n - 1, c) + 1;
}
int main(void)
{
	int c = getchar();
	printf("%d\n", deep(2, c));
	return 0;
}
C
deep_stack=(__assert_fail 'check at src/deep.c:5:2' 'small at src/deep.c:9:2' 'deep at src/deep.c:15:10' 'deep at src/deep.c:16:9'
    'deep at src/deep.c:16:9' 'main at src/deep.c:21:17')

for flags in -O0 -O2 "-O2 -no-pie -fno-pie" -static -static-pie "-O1 -ffunction-sections -Wl,--gc-sections"; do
    case="a function inlined, recursion: $flags"
    # shellcheck disable=SC2086
    builds "$cc" $flags tree/src/deep.c -o program
    traced 134 x ./program
    stack "${deep_stack[@]}"
    has "^==TANDEM: assertion: assertion failed: c != 'x'\$"
    has "not taken .*stdin\[0\] == 'x'" out
    traced 0 y ./program
    has_not '==TANDEM'
    traced 134 x --nothing-symbolic ./program
    stack "${deep_stack[@]}"
    traced 134 x --all-branches ./program
    stack "${deep_stack[@]}"
    traced 134 x --quiet --no-sandbox ./program
    stack "${deep_stack[@]}"
    [ ! -s out ] || fail "not quiet: $(cat out)"
done

case="the library's own words"
mkdir plain
clang-19 tree/src/deep.c -o plain/program || exit 2
builds "$cc" tree/src/deep.c -o program
{ (printf x | plain/program 2> plain.err); } 2> /dev/null
traced 134 x ./program
grep -v '^==TANDEM\|^    #' err | cmp -s - plain.err || fail "$(head -n 2 err) instead of $(cat plain.err)"

case="no names"
strip program
traced 134 x ./program
has "^==TANDEM: assertion: assertion failed: c != 'x'\$"
has '^    #1 \? \(program\+0x[0-9a-f]+\)$'
has_not '#.*( at |main|deep)'

case="JSON"
builds "$cc" tree/src/deep.c -o program
traced 134 x --json ./program
has '^"reports": \[\{"class":"assertion","violation":"assertion","headline":"assertion: assertion failed: c != .x.",' out
has '"happened":\[\{"function":"__assert_fail",[^}]*\},\{"function":"check","file":"src/deep.c","line":5,"column":2,[^}]*"inlined":true\}' out
has_not '==TANDEM'
traced 0 y --json ./program
has '^"reports": \[\],$' out

case="explored"
"$tandem" explore --stdin 1 --execs 20 --out found ./program > out 2> err < /dev/null
[ $? = 10 ] || fail "no bug: $(cat out err)"
has '^bug: assertion in check at src/deep.c:5:2 after [0-9]+ runs: stdin = "x"$' out
grep -q '^|x\\$' found/crashes/assertion-*.tcase || fail "the input is not kept"

# Everything a program can do about SIGABRT, and every place it can happen in.
cat > library.c <<'C'
#include <assert.h>
#include <string.h>
void library(const char *s)
{
	assert(strcmp(s, "library") != 0);
}
C
cat > places.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
void library(const char *s);
static char line[32];
static jmp_buf away;
static void caught(int s)
{
	longjmp(away, s);
}
static void handler(int s)
{
	assert(s && strcmp(line, "handler") != 0);
}
static void *thread(void *p)
{
	assert(strcmp(line, "thread") != 0);
	return p;
}
static int compare(const void *a, const void *b)
{
	assert(strcmp(line, "callback") != 0);
	return *(const char *)a - *(const char *)b;
}
static void child(void)
{
	int status = 0;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGABRT, SIG_DFL);
		assert(strcmp(line, "child") != 0);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	printf("child %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}
int main(void)
{
	sigset_t all;
	pthread_t t;
	char two[] = "ba";
	if (!fgets(line, sizeof line, stdin))
		return 2;
	signal(SIGABRT, strcmp(line, "ignored") == 0 ? SIG_IGN : caught);
	signal(SIGUSR1, handler);
	if (setjmp(away)) {
		puts("caught");
		return 3;
	}
	raise(SIGUSR1);
	qsort(two, 2, 1, compare);
	child();
	library(line);
	assert(strcmp(line, "caught") != 0 && strcmp(line, "ignored") != 0);
	if (strcmp(line, "blocked") == 0) {
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		assert(!"blocked");
	}
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	assert(strcmp(line, "late") != 0);
	puts("fine");
	return 0;
}
C
for flags in -O0 -O2; do
    case="places, $flags"
    builds "$cc" $flags -fPIC -shared library.c -o liblibrary.so
    builds "$cc" $flags places.c -L. -llibrary -Wl,-rpath,"$dir" -o places
    for word in handler callback library caught ignored blocked thread late; do
        traced 134 $word ./places
        has '^==TANDEM: assertion: assertion failed: '
        has '^    #0 __assert_fail$'
        has_not '#[1-9][0-9]* __'
        has_not '^caught' out
        cp err "err.$word"
    done
    has '#1 handler at places.c:19:2$' err.handler
    has '#1 compare at places.c:28:2$' err.callback
    has '#1 library at library.c:5:2$' err.library
    has '#2 main at places.c:60:2$' err.library
    has '#1 main at places.c:61:2$' err.caught
    has '#1 main at places.c:65:3$' err.blocked
    has '^==TANDEM: .* \(thread 1\)$' err.thread
    has '#1 thread at places.c:23:2$' err.thread
    has '^==TANDEM: [^(]*\(line, "late"\) != 0$' err.late
    traced 0 child ./places
    has '^child 6$' out
    has_not '==TANDEM'
    traced 0 other ./places
    has '^fine$' out
    # Told, and left to the library and the program's handler.
    traced 3 caught --go-on ./places
    has '^caught$' out
    [ "$(grep -c '^==TANDEM' err)" = 1 ] || fail "not one report: $(cat err)"
    [ "$(grep -c "Assertion .* failed" err)" = 1 ] || fail "not said once: $(cat err)"
done

case="in the middle of a function, on another stack"
cat > middle.c <<'C'
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static void handler(int s)
{
	assert(s == SIGSEGV && s == SIGILL);
}
static int middle(int c)
{
	if (c == 'x')
		__builtin_trap();
	return c;
}
int main(void)
{
	stack_t other = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	sigaltstack(&other, NULL);
	sigaction(SIGILL, &a, NULL);
	return middle(getchar());
}
C
for flags in -O0 -O2; do
    builds "$cc" $flags middle.c -o program
    traced 134 x ./program
    stack __assert_fail 'handler at middle.c:7:2' 'middle at middle.c:12:3' 'main at middle.c:21:9'
done

case="a function of several files"
cat > part.h <<'C'
/* What is in a line of this file is elsewhere in the others. */


static inline __attribute__((always_inline)) int first(const int *p)
{
	return *p;
}
C
cat > part.def <<'C'



	if (c == 'd')
		*p = 1;
C
cat > parts.c <<'C'
#include <stdio.h>
#include <string.h>
#include "part.h"
static int total;
int main(void)
{
	char small[4], line[16] = "";
	int c = getchar(), *p = c == 's' ? &total : NULL;
	total = 3;
#include "part.def"
	if (c == 's')
		strcpy(small, fgets(line, sizeof line, stdin));
	if (c == 'h')
		total = total * 2 + first(p);
#line 833 "grammar.y"
	if (c == 'l')
		*p = 1;
	return small[0] + line[1] == total;
}
C
for flags in -O0 -O2; do
    builds "$cc" -g $flags parts.c -o parts
    traced 134 d ./parts
    stack 'main at part.def:5:6'
    traced 134 h ./parts
    stack 'first at part.h:6:9' 'main at parts.c:14:23'
    traced 134 l ./parts
    stack 'main at grammar.y:834:6'
    traced 134 sabcdefgh ./parts
    stack strcpy 'main at parts.c:12:3'
done

case="a library that is gone"
cat > gone.c <<'C'
#include <stdio.h>
void library(const char *s);
int main(void)
{
	rename("liblibrary.so", "moved.so");
	library("library");
	return 0;
}
C
builds "$cc" gone.c -L. -llibrary -Wl,-rpath,"$dir" -o gone
traced 134 '' --no-sandbox ./gone
has '^tandem: note: branches in .*/liblibrary.so have no names'
has '#1 \? \(liblibrary.so\+0x[0-9a-f]+\)$'
has '#[23] main at gone.c:6:2$'

[ "$failures" = 0 ] && echo "reports: ok"
[ "$failures" = 0 ]
