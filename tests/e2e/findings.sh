#!/bin/bash
# What explore says of a bug and keeps of it: the smallest input that does it, how that differs from the one it was made from, the same bug once, in this session and the next; files that
# replay as they say, here and on other builds; hangs and eaten memory.
set -uo pipefail
# shellcheck source=tests/workshop.sh disable=SC2154
. "$(dirname "$0")/../workshop.sh"

fail() { echo "findings: $case: $*"; failures=$((failures + 1)); }
build() { "$cc" -g -O1 -w "$1.c" -o "$1" || { fail "$1 does not build"; exit 1; }; }
# explored STATUS OPTIONS...: what is told is in out.
explored() {
    local wanted=$1 got
    shift
    rm -rf found
    timeout -k 2 60 "$tandem" explore --no-progress --out found "$@" > out 2> err
    got=$?
    [ "$got" = "$wanted" ] || fail "status $got instead of $wanted: $(cat out err)"
}
has() { grep -qE -- "$1" out || fail "not told: $1 in $(cat out)"; }
bugs() { [ "$(grep -c '^bug: ' out)" = "$1" ] || fail "not $1 bugs: $(cat out)"; }

# --- smaller -------------------------------------------------------------------
case="made smaller"
cat > small.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int get(const char *p, int i) { return p[i]; }
int main(int argc, char **argv)
{
	char b[40] = "", f[8] = "", *four = calloc(4, 1), *level = getenv("LEVEL");
	FILE *in = fopen("in", "r");
	if (in)
		fread(f, 1, 8, in);
	fread(b, 1, 32, stdin);
	if (argc > 2 && strcmp(argv[2], "boom") == 0 && b[3] == 'y' && b[9] == '!')
		return get(four, b[4] & 63);
	if (f[1] == 'm' && level && level[0] == 'l')
		abort();
	return 0;
}
C
build small
printf kkkkkkkkkkkkkkkkkkkkkkkkkkkkkk > seed
explored 10 --go-on --time 20 --execs 120 --stdin-file seed ./small one AAAA three four
bugs 1
has '^bug: heap-overflow in get at small.c:4:[0-9]+ after [0-9]+ runs: stdin = "kkkykkkkk!", argv\[1\] = "", argv\[2\] = "boom"$'
has '^  differs from run [0-9]+ in: stdin byte (3|9) .k. -> .[y!].; argv\[1\] is 3 bytes shorter; argv\[3\] to argv\[4\] are gone; stdin is 20 bytes shorter$'
has '^  replay: [^ ]*tandem replay found/crashes/heap-overflow-[0-9a-f]*.tcase$'
has '^  elsewhere: [^ ]*tandem replay found/crashes/heap-overflow-[0-9a-f]*.tcase -- \./plain-or-asan-build$'
has '[0-9]+ runs to make inputs of bugs smaller'
# shellcheck disable=SC2012
[ "$(ls found/crashes)" = "$(ls found/originals)" ] || fail "the original is not beside it: $(ls found/*)"
grep -q '^arg "four"$' found/originals/*.tcase && ! grep -q '^arg "four"$' found/crashes/*.tcase || fail "which is which? $(cat found/originals/* found/crashes/*)"
echo x > x
explored 10 --go-on --time 20 --execs 300 --file in=x --file other=x --env LEVEL=none --env OTHER=x ./small
bugs 1
has '^bug: SIGABRT after [0-9]+ runs: stdin = "", \$LEVEL = "l", in \(mode 0[0-9]*, 2 bytes\) = "[xA]m"$'
grep -q '^file "other"' found/originals/*.tcase && ! grep -q 'OTHER\|"other"' found/crashes/*.tcase || fail "what is not needed is kept"

case="small already"
printf '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { if (getchar() == 7) abort(); return 0; }\n' > one.c
build one
explored 10 --stdin 1 --time 20 ./one
has '^bug: SIGABRT after [0-9]+ runs: stdin = "\\x07"$'
has "^  differs from run 1 in: stdin byte 0 'A' -> '.x07'\$"
has '^  last branch: main at one.c:3:'
[ ! -e found/originals ] || fail "an original that is no other"

case="runs are the exploration's alone" # with what is made smaller or without: the same inputs in the same order
for k in 1 2; do explored 10 --go-on --time 0 --execs 150 --stdin-file seed --log-inputs "log.$k" ./small one AAAA three; done
cmp -s log.1 log.2 || fail "two explorations with one seed"
[ "$(wc -l < log.1)" = 150 ] || fail "$(wc -l < log.1) runs"

# --- on other builds -------------------------------------------------------------
case="other builds"
clang-19 -g -w small.c -o small.plain && clang-19 -g -w -fsanitize=address small.c -o small.asan || exit 2
explored 10 --time 20 --execs 120 --stdin-file seed ./small one AAAA three four
"$tandem" replay found/crashes/*.tcase -- ./small.asan > replayed 2>&1
[ $? = 10 ] && grep -q 'AddressSanitizer: heap-buffer-overflow' replayed || fail "ASan: $(cat replayed)"
"$tandem" replay --quiet --expect found/crashes/*.tcase > replayed 2>&1 || fail "instrumented: $(cat replayed)"
"$tandem" replay --quiet --expect found/originals/*.tcase > replayed 2>&1 || fail "original: $(cat replayed)"

# --- the same bug ------------------------------------------------------------------
case="one bug, many ways"
cat > same.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static char *block;
static void put(int i) { block[i] = 1; }
static void careless(int i) { put(i); }
static void reckless(int i) { put(i); }
static void deep(int n, int i) { if (n) deep(n - 1, i); else careless(i); }
static void first(int i) { careless(i); }
static void second(int i) { first(i); }
static void third(int i) { first(i); }
int main(void)
{
	unsigned char b[3] = "";
	block = malloc(4);
	fread(b, 1, 3, stdin);
	if (b[0] == 'd')
		deep(1 + b[1] % 4, b[2]);
	if (b[0] == 's')
		second(b[2]);
	if (b[0] == 't')
		third(b[2]);
	if (b[0] == 'r')
		reckless(b[2]);
	return 0;
}
C
"$cc" -g -O0 -w same.c -o same || exit 1
explored 10 --go-on --time 20 --execs 400 --stdin 3 ./same
bugs 3 # careless by deep, careless by first, reckless: by three lines, of which equal ones count once
case="not again in the next session"
timeout 60 "$tandem" explore --no-progress --resume --go-on --out found --time 20 --execs 300 > out 2>&1
bugs 0
has 'runs into a known bug'
case="aborts at two places"
printf '#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int c = getchar(), d = getchar(); if (c == 1) abort(); if (d == 2) abort(); return 0; }\n' > two.c
build two
explored 10 --go-on --stdin 2 --time 20 --execs 100 ./two
bugs 2

# --- what saved tests say ---------------------------------------------------------
case="tests replay as they say"
cat > ends.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	int c = getchar();
	volatile int *p = malloc(8);
	if (c == 'a') return 3;
	if (c == 'b') abort();
	if (c == 'c') p[2] = 1;
	if (c == 'p') return getenv("PATH") == NULL;
	return 0;
}
C
build ends
explored 10 --go-on --stdin 1 --time 20 --execs 100 ./ends
"$tandem" replay --quiet --expect found/tests found/crashes > replayed 2>&1 || fail "$(cat replayed)"
for end in 'expect exit 0' 'expect exit 3' 'expect signal SIGABRT' 'bug "heap-overflow"'; do
    grep -qx "$end" found/tests/*.tcase || fail "no test has: $end"
done
sed -i 's/return 3/return 4/' ends.c
build ends
"$tandem" replay --quiet --expect found/tests > replayed 2>&1
[ $? = 70 ] && grep -q 'exit 4.*different: exit 3 was expected' replayed || fail "another program: $(cat replayed)"
case="a test that ends otherwise without us" # in traced runs it is always the same day
printf '#include <stdio.h>\n#include <time.h>\nint main(void) { if (getchar() == 1) return 2; return time(0) < 1700001000; }\n' > chance.c
build chance
explored 0 --stdin 1 --time 20 ./chance
"$tandem" trace --quiet ./chance > /dev/null 2>&1 < /dev/null
[ $? = 1 ] || fail "no difference any more: the test needs another one"
grep -q '^expect' found/tests/000001-*.tcase && fail "it does not end so: $(cat found/tests/000001-*.tcase)"
[ "$(cat found/tests/*.tcase | grep '^expect')" = 'expect exit 2' ] || fail "the other: $(cat found/tests/*.tcase)"

# --- how tests end: arguments, variables, files and marks reach an untraced run too --------
case=ends
cat > ends.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tandem.h>
static int before = 7;
int main(int argc, char **argv)
{
	char b[4] = "", f[4] = "";
	int mark = 1;
	const char *level = getenv("LEVEL");
	FILE *in = fopen("in", "r");
	tandem_symbolic(&mark, sizeof mark, "mark");
	if (before++ != 7) /* what another run has left */
		return 99;
	if (in)
		fread(f, 1, 3, in);
	fread(b, 1, 3, stdin);
	if (argc > 2 && argv[2][0] == 'a') return 11;
	if (level && level[0] == 'l') return 12;
	if (f[0] == 'f') return 13;
	if (mark == 77) return 14;
	if (b[0] == 's') return argc == 1 ? 15 : 16;
	return 0;
}
C
build ends
printf xyz > x
explored 5 --go-on --time 20 --execs 200 --stdin-file x --file in=x --env LEVEL=none ./ends one two
for end in 0 11 12 13 14 16; do grep -qx "expect exit $end" found/tests/*.tcase || fail "no test ends with $end: $(grep -h expect found/tests/*)"; done
grep -qx "expect exit 99" found/tests/*.tcase && fail "runs meet"
"$tandem" replay --quiet --expect found/tests > replayed 2>&1 || fail "fresh processes end otherwise: $(cat replayed)"

# --- hangs -------------------------------------------------------------------------
case=hangs
cat > hangs.c <<'C'
#include <stdio.h>
#include <unistd.h>
static void spin(int c) { while (c == 'h') for (volatile int i = 0; i < 1000; i++); }
int main(void)
{
	char b[4] = "";
	fread(b, 1, 4, stdin);
	spin(b[0]);
	if (b[1] == 'l')
		for (unsigned i = 0; ((volatile char *)b)[i & 3] != 'Q'; i++)
			;
	if (b[2] == 'w')
		for (;;)
			pause();
	return 0;
}
C
build hangs
explored 10 --go-on --stdin 4 --time 40 --execs 14 --run-time 0.7 ./hangs
has '^  last branch: spin at hangs.c:3:'
has '^  last branch: main at hangs.c:10:'
has '^  last branch: main at hangs.c:12:'
bugs 3
has '^  replay: [^ ]*tandem replay --time 0.7 found/hangs/hang-[0-9a-f]*.tcase$'
grep -qx 'expect timeout' found/hangs/*.tcase || fail "$(cat found/hangs/*)"
"$tandem" replay --quiet --expect --time 0.7 found/hangs > replayed 2>&1 || fail "$(cat replayed)"
clang-19 -w hangs.c -o hangs.plain || exit 2
"$tandem" replay --quiet --time 0.7 "$(find found/hangs -name '*.tcase' | head -n 1)" -- ./hangs.plain > replayed 2>&1
[ $? = 10 ] && grep -q 'bug: stopped after .* s, hang (plain build)' replayed || fail "plain: $(cat replayed)"
printf '#include <stdio.h>\nint main(void) { return 0; }\n' > hangs.c
build hangs
"$tandem" replay --quiet --expect --time 0.7 found/hangs > replayed 2>&1
[ $? = 70 ] || fail "mended: $(cat replayed)"
"$tandem" explore --run-time 0 ./hangs > out 2>&1
[ $? = 1 ] && grep -q 'run-time' out || fail "no time at all: $(cat out)"

# --- runs that take very long and end ------------------------------------------------
# They are stopped, and others run in their time; whether they hang is found out when that takes no more than its share, or towards the end.
case=slow
cat > slow.c <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	char b[4] = "";
	fread(b, 1, 4, stdin);
	if (b[0] == 's')
		sleep(2);
	for (int i = 1; i < 4; i++)
		if (b[i] > 'm' + i)
			putchar(b[i]);
	while (b[1] == 'h')
		;
	return 0;
}
C
build slow
printf abcd > seed
explored 5 --go-on --time 4 --stdin-file seed ./slow
has '([2-9]|[1-9][0-9]) timeouts, [1-9] that may hang were not looked into for lack of time' # with 5 s for each there would be one at most
bugs 0
explored 10 --go-on --execs 40 --time 60 --stdin-file seed ./slow
bugs 1
has '^bug: hang after [0-9]+ runs: stdin = ".h'
has ', 1 findings that a second run did not repeat'

[ "$failures" = 0 ] && echo "findings: ok"
[ "$failures" = 0 ]
