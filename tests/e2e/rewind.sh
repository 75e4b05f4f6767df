#!/bin/bash
# Runs in a process that was used before are like runs in processes of their own: the same inputs in the same order, the same coverage, the same
# tests with the same ends. The program leaves behind whatever it can, and looks for it (programs/parts/rewind.c): if there is any of it, another side of a branch is taken. Then, what a program can do before its main.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "rewind: $*"; failures=$((failures + 1)); }
failures=0

# explored NAME [OPTIONS]: inputs in NAME.inputs, tests in NAME.tests, counts in NAME.json
explored() {
    rm -rf "$1"
    timeout 100 "$tandem" explore --go-on --no-progress --execs 300 --stdin 1 -o "$1" --log-inputs "$1.inputs" --json "${@:2}" > "$1.json" 2> "$1.err"
    [ $? = 5 ] || fail "$1: $(tail -n 3 "$1.err")"
    for t in "$1"/tests/*.tcase; do sed '/^purpose/d; /^end/d' "$t"; done > "$1.tests"
}
count() { sed -n "s/.*\"$2\": \([0-9]*\).*/\1/p" "$1.json"; }

# compare NAME REUSED [OPTIONS] PROGRAM: with and without --fresh; at least so many runs were in a process that had run before
compare() {
    explored used-$1 "${@:3}"
    explored fresh-$1 --fresh "${@:3}"
    cmp -s used-$1.inputs fresh-$1.inputs || fail "$1: other inputs: $(diff used-$1.inputs fresh-$1.inputs | head -n 3)"
    cmp -s used-$1.tests fresh-$1.tests || fail "$1: other tests: $(diff used-$1.tests fresh-$1.tests | head -n 5)"
    for what in runs edges_seen divergences garbled unconfirmed bugs timeouts; do
        [ "$(count used-$1 $what)" = "$(count fresh-$1 $what)" ] || fail "$1: $what: $(count used-$1 $what), $(count fresh-$1 $what) with --fresh"
    done
    [ "$(count used-$1 reused)" -ge $2 ] || fail "$1: only $(count used-$1 reused) runs in a process that had run before"
    [ "$(count fresh-$1 reused)" = 0 ] || fail "$1: --fresh, but $(count fresh-$1 reused) were not"
}

"$cc" -O2 -w "$programs/parts/rewind.c" -o rewind -lm || fail "does not compile"
for search in auto dfs random; do compare $search 20 --search $search ./rewind; done
[ "$(ls used-auto/tests | wc -l)" -ge 40 ] || fail "it has not done all it can: $(ls used-auto/tests | wc -l) tests"

# before main: a descriptor, a thread, a process, a mapping that is longer than its file
before() { # NAME REUSED CODE
    { printf '#include <fcntl.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <sys/mman.h>\n#include <unistd.h>\nstatic int fd;\nstatic void *wait(void *p) { pause(); return p; }\n'
      printf '__attribute__((constructor)) static void before(void) { %s }\n' "$3"
      printf 'int main(void) { int c = getchar(); if (fd > 0 && fcntl(fd, F_GETFD) < 0) return 9; return c == 65 ? 1 : c == 66 ? 2 : 0; }\n'; } > $1.c
    "$cc" -w $1.c -o $1.bin -lpthread || fail "$1 does not compile"
    compare $1 $2 ./$1.bin
}
before descriptor 0 'fd = open("/dev/null", O_RDONLY);'
before thread 20 'pthread_t t; pthread_create(&t, 0, wait, 0);'
before process 20 'if (fork() == 0) { sleep(60); _exit(0); }'
before mapping 0 'int f = open("/proc/self/exe", O_RDONLY); mmap(0, 1 << 28, PROT_READ | PROT_WRITE, MAP_PRIVATE, f, 0); close(f);'
before nothing 200 ''
(ulimit -s 200; compare stack 0 ./nothing.bin; exit $failures) || failures=$((failures + 1))

[ $failures = 0 ] && echo "rewind: ok"
exit $((failures > 0))
