# shellcheck shell=bash
# Programs that misbehave. Whatever they do, the trace is readable, the status tells, and none of them survives its run.

# No process of this test is left. The programs carry our process number in their names: other test runs may be under way.
none_left() {
    local self
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        self=$(pgrep -f "^\./$1( |\$)" | wc -l)
        [ "$self" = 0 ] && return
        sleep 0.1
    done
    die "$self processes of $1 are left"
}

test_target_hangs() {
    build hang_target_$$ <<'C'
#include <stdio.h>
int main(void) { if (getchar() == 'h') for (volatile int i = 0;; i++); return 4; }
C
    printf h > stdin
    run "$TANDEM" trace --time 1 --stdin stdin ./hang_target_$$
    wants 137
    one_line 'hang_target_[0-9]+ was stopped after 1 second'
    grep -q "taken .*stdin\[0\] == 'h'" out || die "the branch before is not in the trace: $(cat out)"
    none_left hang_target_$$
}

test_target_hangs_while_exploring() {
    build hang_explored_$$ <<'C'
#include <stdio.h>
int main(void) { if (getchar() == 'h') for (volatile int i = 0;; i++); return 4; }
C
    run "$TANDEM" explore --stdin 1 --time 12 --execs 3 --run-time 1 --out found ./hang_explored_$$
    wants 10
    grep -q '[1-9][0-9]* timeouts' out || die "no time-out is told: $(cat out err)"
    grep -q '^bug: hang after [0-9]* runs: stdin = "h"$' out || die "no hang is told: $(cat out err)"
    run "$TANDEM" replay --expect --time 1 found/hangs
    wants 0
    none_left hang_explored_$$
}

# It ignores what it is sent, and has a child that does; both are a hang, and both are gone afterwards.
test_target_hangs_and_will_not_go() {
    build stays_$$ <<'C'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static void ignore(int s) { (void)s; }
int main(void)
{
	char b[2] = "";
	fread(b, 1, 2, stdin);
	for (int s = 1; s < 65; s++)
		signal(s, ignore);
	if (b[0] == 'f')
		fork();
	if (b[0] == 'f' || b[1] == 'h')
		for (volatile int i = 0;; i++)
			;
	return 4;
}
C
    LIMIT=60 run "$TANDEM" explore --stdin 2 --go-on --time 30 --execs 6 --run-time 1 --out found ./stays_$$
    wants 10
    [ "$(grep -c '^bug: hang ' out)" = 2 ] || die "not two hangs: $(cat out err)"
    none_left stays_$$
}

# A program that does not end whatever it is given is not said to hang; nor is one that sleeps and ends, or that has a child which does not.
test_target_waits_by_nature() {
    waiting_program
    run "$TANDEM" explore --stdin 1 --time 6 --execs 3 --run-time 0.5 --out found ./waits_$$
    case $status in 0 | 5) ;; *) die "status $status: $(cat out err)" ;; esac
    grep -q 'timeouts' out && ! grep -q '^bug' out || die "$(cat out err)"
    build sleeps_$$ <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	char b[2] = "";
	fread(b, 1, 2, stdin);
	if (b[0] == 's')
		sleep(1);
	if (b[1] == 'c' && fork() == 0)
		for (;;)
			pause();
	return 4;
}
C
    run "$TANDEM" explore --stdin 2 --go-on --time 15 --execs 8 --run-time 0.6 --out slept ./sleeps_$$
    case $status in 0 | 5) ;; *) die "status $status: $(cat out err)" ;; esac
    grep -q 'timeouts' out && ! grep -q '^bug' out || die "$(cat out err)"
    none_left sleeps_$$
}

# Memory: what it eats is limited, and told if it is really used; that an allocation was refused is no bug, whatever the program makes of it.
test_target_eats_memory() {
    build eats_much_$$ <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int main(void)
{
	char b[4] = "", *volatile p = b;
	fread(b, 1, 4, stdin);
	while (b[0] == 'e' && (p = malloc(1 << 20)))
		memset(p, 1, 1 << 20);
	if (b[1] == 'm')
		*(volatile char *)malloc(1l << 31) = 1;
	if (b[2] == 'n')
		*(volatile char *)mmap(0, 1l << 31, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
	return p ? 4 : 5;
}
C
    run "$TANDEM" explore --stdin 4 --go-on --time 15 --execs 12 --run-memory 100 --out found ./eats_much_$$
    wants 10
    [ "$(grep '^bug' out | sed 's/ after.*//')" = 'bug: memory-blow-up in main at eats_much_'$$'.c:9:29' ] || die "$(cat out err)"
    run "$TANDEM" replay --expect --memory 100 found/crashes
    wants 0
    run "$TANDEM" replay --expect --memory 600 found/crashes # it eats as much as there is
    wants 0
    none_left eats_much_$$
}

test_target_dies_by_signal() {
    build dies <<'C'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	int c = getchar();
	if (c == 'a') raise(SIGABRT);
	if (c == 's') *(volatile int *)8 = 1;
	if (c == 'w') *(volatile int *)0x512345678900 = 1;
	if (c == 'k') kill(getpid(), SIGKILL);
	if (c == 'i') __builtin_trap();
	if (c == 'f') { volatile int z = 0; c /= z; }
	return c;
}
C
    for pair in a:134 s:134 w:139 k:137 i:132 f:134; do
        printf %s "${pair%:*}" > stdin
        run "$TANDEM" trace --stdin stdin ./dies
        wants "${pair#*:}"
        grep -q "taken .*stdin\[0\] == '${pair%:*}'" out || die "the last branch is not in the trace: $(cat out err)"
    done
}

test_target_closes_everything() {
    build closes <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	int c = getchar();
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	if (c == 'x')
		return 5;
	return 6;
}
C
    printf x > stdin
    run "$TANDEM" trace --stdin stdin ./closes
    wants 5
    grep -q "taken .*stdin\[0\] == 'x'" out || die "no trace: $(cat out err)"
    run "$TANDEM" predict --pairs 10 --stdin-file stdin ./closes
    wants 0
    run "$TANDEM" explore --stdin 1 --time 5 --execs 20 ./closes
    case $status in 0 | 5) ;; *) die "explore: status $status: $(cat err)" ;; esac
}

test_target_catches_every_signal() {
    build catches_$$ <<'C'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static void ignore(int s) { (void)s; }
int main(void)
{
	for (int s = 1; s < 65; s++)
		signal(s, ignore);
	if (getchar() == 'h')
		for (;;)
			pause();
	return 4;
}
C
    printf h > stdin
    run "$TANDEM" trace --time 1 --stdin stdin ./catches_$$
    wants 137
    one_line 'stopped after 1 second'
    none_left catches_$$
}

test_target_forks_a_lot() {
    build forks_much_$$ <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	int c = getchar(), made = 0;
	for (int i = 0; i < 300; i++) {
		pid_t p = fork();
		if (p == 0) { sleep(100); _exit(0); }
		made += p > 0;
	}
	if (c == 'x')
		return made > 250 ? 1 : 7;
	return 8;
}
C
    printf x > stdin
    run "$TANDEM" trace --time 10 --stdin stdin ./forks_much_$$
    wants 7
    none_left forks_much_$$
    run "$TANDEM" explore --stdin 1 --time 8 --execs 5 ./forks_much_$$
    case $status in 0 | 5) ;; *) die "explore: status $status: $(cat err)" ;; esac
    none_left forks_much_$$
}

test_target_leaves_children() {
    build leaves_$$ <<'C'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	if (fork() == 0) {
		setsid();
		signal(SIGTERM, SIG_IGN);
		for (;;)
			sleep(10);
	}
	return getchar() == 'x' ? 5 : 6;
}
C
    run "$TANDEM" trace --time 10 ./leaves_$$
    wants 6
    none_left leaves_$$
}

test_target_becomes_another() {
    build becomes <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void) { if (getchar() == 'x') execl("/bin/sh", "sh", "-c", "echo other; exit 9", (char *)0); return 6; }
C
    printf x > stdin
    run "$TANDEM" trace --stdin stdin ./becomes
    wants 9
    grep -q '^other$' out && grep -q "taken .*stdin\[0\] == 'x'" out || die "no trace or no output: $(cat out err)"
}

test_target_writes_without_end() {
    build floods_$$ <<'C'
#include <stdio.h>
int main(void) { for (;;) puts("flood flood flood flood flood flood flood flood flood"); }
C
    bounded "$TANDEM" trace --time 2 ./floods_$$ < /dev/null 2> err | tail -c 1000 > out
    status=${PIPESTATUS[0]}
    [ "$status" -gt 128 ] || die "status $status: $(cat err)"
    none_left floods_$$
}

# It writes over what the trace says about modules: that is told, and runs after it are not confused by it.
test_target_garbles_its_modules() {
    build garbles -I"$ROOT" <<'C'
#include "contract/trace.h"
#include <stdio.h>
#include <string.h>
static struct td_header *trace(void)
{
	char line[4096];
	unsigned long start = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof line, maps))
		if (strstr(line, "tandem-trace") && sscanf(line, "%lx", &start) == 1)
			break;
	return (struct td_header *)start;
}
int main(int argc, char **argv)
{
	struct td_header *h = trace();
	struct td_loaded *m = (void *)((char *)h + (h ? h->modules_off : 0));
	int c = getchar();
	if (c == 'n') memset(m->path, 'x', sizeof m->path);
	if (c == 'e') m->edges = 0x7fffffff;
	if (c == 'f') m->first_edge = 1;
	if (c == 'c') h->modules = 100000;
	if (c == 'o') h->modules_off = 0x7ffffffffffffff8;
	return h ? 3 : 4;
}
C
    for kind in n e f; do
        printf %s $kind > stdin
        run "$TANDEM" trace --stdin stdin ./garbles
        wants 6
        one_line '^tandem: trace is garbled: module 0$'
    done
    for kind in c o; do
        printf %s $kind > stdin
        run "$TANDEM" trace --stdin stdin ./garbles
        wants 6
        one_line '^tandem: trace is garbled: modules lie outside the file$'
    done
    run "$TANDEM" explore --search dfs --stdin 1 --time 15 --execs 200 ./garbles # auto makes longer inputs, of which several begin so
    case $status in 0 | 5) ;; *) die "explore: status $status: $(cat err)" ;; esac
    grep -q ' 0 divergences, 1 unreadable traces$' out || die "explore: $(cat out err)" # what is known is put back; only the count is news
    [ ! -s err ] || die "explore says: $(cat err)"
}

# What it tries outside its scratch directory fails; what it writes inside is gone afterwards.
test_target_is_contained() {
    build escapes <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	FILE *inside = fopen("inside", "w"), *outside = fopen(argv[1], "w");
	int removed = unlink(argv[2]);
	return (inside != NULL) | (outside != NULL) << 1 | (removed == 0) << 2;
}
C
    : > victim
    run "$TANDEM" trace ./escapes "$PWD/escaped" "$PWD/victim"
    wants 1
    [ ! -e escaped ] && [ -e victim ] && [ ! -e inside ] || die "files were touched: $(ls)"
}

test_address_space_is_limited() {
    echo_program
    printf x > stdin
    (ulimit -v 2000000 && bounded ./target < stdin > out 2> err)
    status=$?
    wants 3
    (ulimit -v 2000000 && bounded "$TANDEM" trace --stdin stdin ./target > out 2> err)
    status=$?
    wants 3
    grep -q "taken .*stdin\[0\] == 'x'" out || die "no trace: $(cat out err)"
    (ulimit -v 2000000 && bounded "$TANDEM" predict --pairs 10 --stdin-file stdin ./target > out 2> err)
    status=$?
    wants 0
}

test_memory_runs_out() {
    build eats <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	int c = getchar();
	for (int i = 0; i < 64; i++) {
		char *p = malloc(1ul << 30);
		if (!p)
			return c == 'x' ? 5 : 6;
		memset(p, 1, 4096);
	}
	if (c == 'x')
		return 7;
	return 8;
}
C
    printf x > stdin
    (ulimit -v 2500000 && bounded "$TANDEM" trace --stdin stdin ./eats > out 2> err)
    status=$?
    wants 5
}

# Tandem itself is told to go: its target goes with it, and so does its scratch directory. That is the work of a process that outlives
# it for as long as it takes (src/run/scratch.c), so it may still be there when Tandem is gone.
interrupt() { # SIGNAL
    env --default-signal=INT "$TANDEM" trace --time 30 ./waits_$$ < /dev/null > out 2> err &
    local pid=$! target='' scratch
    for _ in $(seq 100); do target=$(pgrep -f "^\./waits_$$\$") && break; sleep 0.05; done
    [ -n "$target" ] || die "the target did not start: $(cat err)"
    scratch=$(readlink "/proc/$target/cwd")
    kill "-$1" $pid
    wait $pid 2> /dev/null
    none_left waits_$$
    for _ in $(seq 100); do [ -d "$scratch" ] || return 0; sleep 0.05; done
    die "SIG$1 leaves $scratch behind"
}

waiting_program() {
    build waits_$$ <<'C'
#include <unistd.h>
int main(void) { for (;;) pause(); }
C
}
test_tandem_is_killed() { waiting_program; interrupt KILL; }
test_tandem_is_interrupted() { waiting_program; interrupt INT; interrupt TERM; }
