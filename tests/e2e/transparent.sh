#!/bin/bash
# `tandem trace --transparent`: a program that cannot tell, nor can those around it. Name, process, parent, descriptors open and closed,
# environment, signals and status are compared with those of the program alone; runs and reports are in the log. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../reported.sh"
unset TANDEM
input=

cat > around.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
extern char **environ;
static long number(const char *variable)
{
	const char *text = getenv(variable);
	return text ? atol(text) : 0;
}
int main(int argc, char **argv)
{
	FILE *f = fopen("seen", "w");
	for (int i = 0; i < argc; i++)
		fprintf(f, "argument %s\n", argv[i]);
	for (int i = 0; i < 20; i++)
		if (fcntl(i, F_GETFD) >= 0 && i != fileno(f))
			fprintf(f, "descriptor %d\n", i);
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "_=", 2) && strncmp(*e, "STARTER=", 8) && strncmp(*e, "NOW=", 4))
			fprintf(f, "variable %s\n", *e);
	sigset_t blocked;
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (int s = 1; s < 32; s++) {
		struct sigaction a;
		sigaction(s, NULL, &a);
		fprintf(f, "signal %d: %s%s\n", s, a.sa_handler == SIG_IGN ? "ignored" : "default", sigismember(&blocked, s) ? ", blocked" : "");
	}
	fprintf(f, "group %d session %d parent %d\n", getpgrp() == getpid(), getsid(0) == getpid(), getppid() == number("STARTER"));
	fprintf(f, "children %d\n", waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
	fclose(f);
	FILE *p = fopen("pid", "w");
	fprintf(p, "%d\n", (int)getpid());
	fclose(p);
	fprintf(stderr, "%d\n", labs(time(NULL) - number("NOW")) < 1000);
	if (argc > 1 && strcmp(argv[1], "wait") == 0)
		for (;;)
			pause();
	int c = getchar();
	char *block = malloc(8);
	memset(block, 'x', c == 'o' ? 9 : 8); /* BUG */
	puts("end");
	if (c == 's')
		raise(SIGTERM);
	return block[0] == 'x' ? 3 : 4;
}
C
builds "$cc" -g around.c -o around
builds clang-19 around.c -o alone
traced=("$tandem" trace --transparent --log "$dir/log" --argv0 ./alone ./around)

# logged: the log, once all runs are in it.
logged() { flock -x -w 10 log cat log > told || fail "the log is never free"; }

# same HOW: `HOW` runs "$@" somehow; what the program sees and what is seen of it must not depend on whether it is traced.
same() {
    local how=$1
    case=$how
    rm -f seen pid log
    ($how ./alone a 'b c' > plain.out 2> plain.err; echo $? > plain.status)
    mv seen plain.seen
    ($how "${traced[@]}" a 'b c' > traced.out 2> traced.err; echo $? > traced.status)
    for what in out err status seen; do
        [ "$what" = seen ] && mv seen traced.seen
        cmp -s "plain.$what" "traced.$what" || fail "other $what: $(diff "plain.$what" "traced.$what" | head -n 5)"
    done
    logged
    [ "$(grep -c '^--- run in .*: ./alone a .b c.$' told)" = "${runs:-1}" ] || fail "the log: $(cat told)"
}

started() { STARTER=$BASHPID "$@"; }
NOW=$(date +%s)
export NOW
plainly() { printf x | started "$@"; }
no_input() { started "$@" <&-; }
no_output() { printf x | started "$@" >&-; }
nothing_open() { started "$@" <&- >&- 2>&-; }
more_open() { printf x | started "$@" 3< /dev/null 7> /dev/null; }
signals_ignored() { trap '' PIPE CHLD TERM; printf x | started "$@"; }
by_signal() { printf s | started "$@"; }
no_variables() { printf x | env -i STARTER=1 NOW=1 "$@"; }
own_session() { printf x | STARTER=1 setsid -w "$@"; }
for how in plainly no_input no_output nothing_open more_open signals_ignored by_signal no_variables own_session; do same "$how"; done

case="limits"
few_files() { ulimit -f 8; printf x | started "$@"; }
runs=0 same few_files
has '^--- not traced \(a trace of .* limit on the size of files\) in .*: ./alone a' told

case="reports are in the log"
rm -f log
{ printf o | "${traced[@]}" --an-option-of-its-own > out 2> err; } 2> /dev/null
[ $? = 134 ] || fail "a violation does not end it"
logged
[ "$(cat err)" = 1 ] || fail "standard error: $(cat err)"
has '^--- run in .*: ./alone --an-option-of-its-own$' told
has '^==TANDEM: heap-overflow: write of 9 bytes' told
has "#0 main at around.c:$(grep -n BUG around.c | cut -d: -f1):" told
printf o | "$tandem" trace --go-on --transparent --nothing-symbolic --log log ./around > out 2> err
[ $? = 3 ] || fail "it does not go on"
logged
[ "$(grep -c '^==TANDEM: heap-overflow' told)" = 2 ] || fail "the second is not there: $(cat told)"

case="the same without becoming the program"
rm -f log
for how in "" --no-sandbox; do
    # shellcheck disable=SC2086
    printf o | "$tandem" trace --quiet $how --log log --argv0 other "$dir/around" > out 2> err
    [ $? = 134 ] || fail "status"
    [ "$(cat err)" = 0 ] || fail "standard error, or time is not fixed: $(cat err)"
done
[ "$(grep -c '^--- run in .*: other$' log)" = 2 ] && [ "$(grep -c '^==TANDEM: heap' log)" = 2 ] || fail "the log: $(cat log)"

case="signals reach it, and time"
rm -f log pid
"${traced[@]}" wait 2> err &
child=$!
for _ in $(seq 100); do [ -s pid ] && break; sleep 0.1; done
[ "$(cat pid)" = "$child" ] || fail "another process: $(cat pid), not $child"
kill -TERM "$child"
wait "$child" 2> /dev/null
[ $? = 143 ] || fail "killed, but status $?"
{ "$tandem" trace --transparent --log log --time 0.5 ./around wait 2> err; } 2> /dev/null
[ $? = 137 ] || fail "not stopped"
logged
[ "$(grep -c '^--- run in' told)" = 2 ] || fail "the log: $(cat told)"
has '^--- stopped after 0.5 seconds$' told

case="what cannot be traced runs"
rm -f log
builds clang-19 around.c -o plain
printf x | "$tandem" trace --transparent --log log ./plain > out 2> err
[ $? = 3 ] && [ "$(cat out)" = end ] || fail "a program without the runtime: $(cat err)"
logged
has '^--- not traced \(it wrote no trace\) in .*: ./plain$' told

case="usage"
for wrong in "--transparent ./around" "--transparent --log log --json ./around" "--transparent --log log --save x ./around" "--log /nowhere/log ./around"; do
    # shellcheck disable=SC2086
    "$tandem" trace $wrong > out 2> err < /dev/null
    [ $? = 1 ] && [ -s err ] || fail "$wrong: $(cat err)"
done

[ "$failures" = 0 ] && echo "transparent: ok"
[ "$failures" = 0 ]
