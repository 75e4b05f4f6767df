#!/bin/bash
# tandem check finds what a suite takes for granted: the worked examples of ZESTI's idea at the distances they are at, the smallest difference to the test, the exit status, what is told, samples, going on.
set -uo pipefail
# shellcheck source=tests/workshop.sh disable=SC2154
. "$(dirname "$0")/../workshop.sh"

fail() { echo "check: $*"; failures=$((failures + 1)); }
build() { "$cc" -O1 -g "$1.c" -o "$1" || { fail "$1 does not build"; exit 1; }; }
# checked WANTED NAME ARGUMENTS...: status, what it says in NAME.err.
checked() {
    local wanted=$1 name=$2 got
    shift 2
    timeout -k 2 100 "$tandem" check --no-progress --json -o "$name.d" "$@" > "$name.out" 2> "$name.err"
    got=$?
    [ "$got" = "$wanted" ] || fail "$name: status $got instead of $wanted: $(tail -n 3 "$name.err")"
}
# bug NAME CLASS DISTANCE: one of this class, at this distance.
bug() { grep -A 9 "^bug: $2 " "$1.err" | grep -q "distance $3," || fail "$1: no $2 at distance $3: $(grep -A 6 '^bug' "$1.err" | head -n 14)"; }
count() { jq -r ".programs[0].stats.$2" "$1.d/report.json"; }

# --- the worked examples ------------------------------------------------------

cat > one.c <<'C'
#include <unistd.h>
int v[100];
static void f(int x) { if (x > 99) x = 99; v[x] = 0; }
int main(void) { int x; if (read(0, &x, 4) != 4) return 1; f(x); return 0; }
C
sed 's/if (x > 99) x = 99;/if (x > 99) { if (x > 199) return; x = 99; }/' one.c > two.c
cat > text.c <<'C'
#include <stdlib.h>
int v[100];
static void f(int x) { if (x > 99) x = 99; v[x] = 0; }
int main(int argc, char **argv) { if (argc != 2) return 1; f((int)strtol(argv[1], NULL, 10)); return 0; }
C
for p in one two text; do build $p; done
checked 0 both sh -c 'printf "\062\0\0\0" | ./one && printf "\144\0\0\0" | ./one'
bug both global-underflow 0
[ "$(count both bugs)" = 1 ] || fail "both: $(count both bugs) bugs"
grep -q 'differs from that test in: stdin byte 3 ' both.err || fail "both: the input is another one: $(grep differs both.err)"
checked 0 above sh -c 'printf "\226\0\0\0" | ./one'
bug above global-underflow 1
checked 0 inner sh -c 'printf "\226\0\0\0" | ./two'
bug inner global-underflow 2
checked 0 inner1 --max-distance 1 sh -c 'printf "\226\0\0\0" | ./two'
[ "$(count inner1 bugs)" = 0 ] || fail "at distance 1: $(count inner1 bugs) bugs"
checked 0 digits ./text 50
[ "$(count digits bugs)" = 1 ] && ! grep -q 'distance 0,' digits.err || fail "digits: $(cat digits.err)"
grep -q 'differs from that test in: argv\[1\] ' digits.err || fail "digits: $(grep differs digits.err)"

# --- what is kept, and what is told --------------------------------------------

# The bug is in a file that fails when it is replayed; the suite's status is its own, unless it is asked for otherwise.
[ "$(ls both.d/one/crashes | wc -l)" = 1 ] || fail "$(ls both.d/one/crashes) in crashes"
"$tandem" replay both.d/one/crashes/*.tcase > /dev/null 2>&1
[ $? = 10 ] || fail "a replay of the bug does not fail"
grep -q "test: both.d/recordings/one-[0-9a-f]*.tcase" both.err || fail "of which test? $(cat both.err)"
checked 7 status sh -c './text 50; exit 7'
checked 10 asked --fail-on-bug sh -c './text 50; exit 7'
checked 10 quiet --quiet --fail-on-bug sh -c './text 50; exit 7'
grep -q '^bug: ' quiet.err && ! grep -v '^bug: \|^  [a-z ]*: ' quiet.err || fail "quiet: $(cat quiet.err)"

# Nothing that is not there: a program whose accesses are checked has none, and it is told how much was proved.
cat > safe.c <<'C'
#include <stdio.h>
#include <string.h>
static const char *const names[4] = { "zero", "one", "two", "three" };
int main(int argc, char **argv)
{
	char copy[8];
	unsigned n = argc > 1 ? (unsigned)argv[1][0] - '0' : 0;
	if (argc > 1 && strlen(argv[1]) < sizeof copy)
		strcpy(copy, argv[1]);
	puts(n < 4 ? names[n] : "many");
	return n % 7 ? 8 / (int)(n % 7) > 99 : 0;
}
C
build safe
checked 0 safe sh -c './safe 1 && ./safe 2x && ./safe 9'
checked 7 clean --fail-on-bug sh -c './safe 1; exit 7'
[ "$(count safe bugs)" = 0 ] || fail "safe: $(cat safe.err)"
[ "$(count safe checks_proved)" -ge 1 ] && [ "$(count safe checks_broken)" = 0 ] || fail "safe: $(tail -n 2 safe.err)"
grep -q 'nothing left' safe.err || fail "safe: not all was asked: $(tail -n 1 safe.err)"

# Of a loop that goes round very often not every decision is kept. Then there is something left, whatever the distance.
cat > often.c <<'C'
#include <stdio.h>
int v[4];
int main(int argc, char **argv)
{
	int n = 0, c;
	while ((c = getchar()) != EOF)
		n += c == 'x' ? 2 : 1;
	(void)argv;
	return v[argc & 3] + (n & 1);
}
C
build often
checked 0 often --max-distance 1 sh -c 'head -c 9000 /dev/zero | ./often'
[ "$(count often choices_dropped)" -gt 0 ] || fail "often: all decisions were kept"
grep -q 'there was no room for [0-9]* other sides of branches' often.err || fail "often: nothing is said of them: $(tail -n 3 often.err)"
! grep -q 'nothing left' often.err || fail "often: $(count often choices_dropped) decisions were not kept, and nothing is left"

# A value is changed where the test has one: nothing becomes longer, no variable of the environment and no mode of a file is what a bug is about.
cat > sizes.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
int main(int argc, char **argv)
{
	char buffer[8], *mode = getenv("LC_ALL");
	struct stat s;
	FILE *f = fopen("data", "r");
	size_t n = f ? fread(buffer, 1, 8, f) : 0;
	volatile int zero = 0;
	if (n == 8 && (argc < 2 || strlen(argv[1]) > 3))
		return 1 / zero;
	if (mode && strcmp(mode, "D") == 0)
		return 1 / zero;
	if (stat("data", &s) == 0 && (s.st_mode & 077) == 077)
		return 1 / zero;
	return n && buffer[0] == 'k' ? 1 / zero : 0;
}
C
build sizes
echo "abc" > data
checked 0 sizes env LC_ALL=C ./sizes abc
[ "$(count sizes bugs)" = 1 ] && grep -q 'differs from that test in: data byte 0 .a. -> .k.$' sizes.err || fail "sizes: $(grep -A 6 ^bug sizes.err)"
[ "$(cat data)" = abc ] || fail "the suite's own file was changed"

# A file outside of the test's directory, by its absolute name, is an input like any other, and stays what it is; those of the system are none.
cat > outside.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
	char b[9] = "";
	FILE *f = fopen(argv[argc - 1], "r"), *g = fopen("/etc/passwd", "r");
	volatile int zero = 0;
	if (!f || !g || !fread(b, 1, 8, g) || (b[0] != 'r' && 1 / zero))
		return 1;
	return fread(b, 1, 8, f) == 4 && b[2] == 'Z' ? 1 / zero : 0;
}
C
build outside
mkdir -p elsewhere/data here
echo abc > elsewhere/data/text
# outside NAME FILE: called so, from a directory beside.
outside() {
    (cd here && checked 0 "$1" ../outside "$2" && cp -r "$1.err" "$1.d" ..)
    [ "$(count "$1" bugs)" = 1 ] && grep -q 'differs from that test in: .*/elsewhere/data/text byte 2 .c. -> .Z.$' "$1.err" || fail "$1: $(cat "$1.err")"
    [ "$(cat elsewhere/data/text)" = abc ] || fail "a file outside was changed"
    "$tandem" replay "$1.d"/outside/crashes/*.tcase > /dev/null 2>&1
    [ $? = 10 ] || fail "$1: a replay of the bug does not fail"
}
outside absolute "$PWD/elsewhere/data/text"
outside relative ../elsewhere/data/text
mkdir here/elsewhere && mv elsewhere/data here/elsewhere && ln -s ../here/elsewhere/data elsewhere/data
outside inside "$PWD/here/elsewhere/data/text"
# As somebody who is not root, and cannot write to a file that is read-only; what stands in for it is ours.
user="setpriv --reuid=65534 --regid=65534 --clear-groups"
if $user test -x "$tandem" 2> /dev/null; then
    mkdir user && chmod 755 . && chmod 777 user && chmod 444 here/elsewhere/data/text
    (cd user && $user "$tandem" check --no-progress -o o --time 20 -- ../outside "$dir/here/elsewhere/data/text" 2> err) || fail "another user: $(cat user/err)"
    grep -q '/outside: 1 test, 1 bug$' user/err && ! grep -q 'could not' user/err || fail "another user: $(cat user/err)"
fi
# A rule that a test breaks itself, in silence: it is that test's bug, and its input is the test's.
cat > silent.c <<'C'
#include <stdio.h>
int v[4], w[4];
int main(void) { v[getchar() & 7]++; return getchar() == 'x' ? w[0] : 0; }
C
build silent
checked 0 silent sh -c 'echo eab | ./silent; echo fab | ./silent'
grep -q '; 2 tests lead to it, the nearest is silent.d/recordings/silent-' silent.err && grep -q 'stdin = "[ef]ab\\n"$' silent.err && grep -q 'it is the test itself$' silent.err || fail "silent: $(cat silent.err)"
# The program's own file is none of its inputs, however it is called: what stood in for it would be run.
cat > itself.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
	FILE *f = fopen(argv[0], "r");
	volatile int zero = 0;
	return (f && getc(f) != 0x7f) || (getchar() == 'Z' && 1 / zero);
}
C
build itself
checked 0 itself sh -c "echo a | $PWD/itself; cd here; echo b | ../itself"
[ "$(count itself bugs)" = 1 ] && ! grep -q 'could not\|differs.*/itself' itself.err || fail "itself: $(cat itself.err)"
# A test that passes, but not in the sandbox, where it cannot make its file: neither it nor inputs like it are bugs. What it does before is checked.
cat > maker.c <<'C'
#include <assert.h>
#include <stdio.h>
int v[8];
int main(int argc, char **argv)
{
	int c = getchar();
	if (c == 'q')
		return 3;
	v[c & 15]++;
	FILE *f = fopen(argv[1], "w");
	if (argc > 2)
		assert(f);
	return fputs("made", f) < 0;
}
C
build maker
checked 10 maker --fail-on-bug -- sh -c 'echo a | ./maker /var/tmp/tandem-made && echo a | ./maker /var/tmp/tandem-made assert; echo quit | ./maker /var/tmp/tandem-made'
rm -f /var/tmp/tandem-made
[ "$(grep -c '^bug' maker.err) $(grep -c '^bug: global-overflow' maker.err)" = "1 1" ] || fail "maker: $(grep '^bug' maker.err)"

# A program that reads itself, or another one, is run as it is.
cat > reads.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
	char b[5] = "";
	FILE *f = fopen(argv[1], "r");
	volatile int zero = argc - 3;
	if (!f || fread(b, 1, 4, f) != 4 || b[1] != 'E')
		return 3;
	return argv[2][0] == 'q' ? 1 / zero : 0;
}
C
build reads
(cd here && checked 0 itself sh -c "../reads ${PWD%/*}/reads a && ../reads ../reads b && ../reads ${PWD%/*}/safe c" && cp -r itself.err itself.d ..)
[ "$(count itself bugs)" = 1 ] && grep -q 'differs from that test in: argv' itself.err && ! grep -q 'could not be checked' itself.err || fail "itself: $(cat itself.err)"

# --- several programs --------------------------------------------------------

# They go deeper together: one that has endless ways to go does not keep another from what is a little further, and who is told to stop tells what he found.
cat > endless.c <<'C'
#include <unistd.h>
int main(void)
{
	unsigned char b[48];
	unsigned long n = 0;
	if (read(0, b, sizeof b) != sizeof b)
		return 1;
	for (unsigned i = 0; i < sizeof b; i++)
		if (b[i] % 7 == 3)
			n += b[i];
	return (int)(n % 7);
}
C
build endless
"$tandem" check --no-progress --json --time 0 --jobs 2 -o turns -- sh -c 'head -c 48 /dev/zero | ./endless; for i in 6 7; do printf "\22$i\0\0\0" | ./two; done' > /dev/null 2> turns.err &
checker=$!
for ((i = 0; i < 300; i++)); do grep -qs "^bug" turns.err && break; sleep 0.1; done
kill "$checker"
wait "$checker"
bug turns global-underflow 2
grep -q '/two: 2 tests, 1 bug$' turns.err && grep -q '/endless: 1 test, 0 bugs$' turns.err || fail "turns: $(cat turns.err)"
jq -e 'all(.programs[].stats; .runs > 0) and any(.programs[]; .program | endswith("/endless")) and (.programs[] | select(.program | endswith("/endless")) | .stats.distance >= 1)' turns/report.json > /dev/null || fail "turns: $(jq -c '.programs[].stats | [.distance, .runs]' turns/report.json)"

# Of all tests that lead to a bug the nearest is told, whichever was first; and how many there are.
sed 's/int x; if (read(0, &x, 4) != 4) return 1;/char mode; int x; if (read(0, \&mode, 1) + read(0, \&x, 4) != 5) return 1; if (mode == 81) x += 2;/' one.c > modes.c
build modes
checked 0 nearest sh -c 'printf "P\226\0\0\0" | ./modes; printf "Q\062\0\0\0" | ./modes; printf "R\227\0\0\0" | ./modes'
jq -e '.programs[0].bugs | length == 1 and .[0].distance == 0 and .[0].tests >= 2' nearest.d/report.json > /dev/null || fail "nearest: $(jq -c '.programs[0].bugs' nearest.d/report.json)"
grep -q 'global-underflow in f at modes.c.*: distance 0, depth [0-9]*; [23] tests lead to it, the nearest is nearest.d/recordings/modes-' nearest.err || fail "nearest: $(tail -n 4 nearest.err)"

# --- samples, and going on ------------------------------------------------------

checked 0 sample --sample 2 sh -c 'for i in 1 2 3 4 5 6 7 8 9 0; do ./safe $i; done'
grep -q '2 of 10 tests: a bug that 6 % of them expose is found with a chance of 20 %, one that 10 % of them expose is found with a chance of 20 %, one that 30 % of them expose is found with a chance of 53 %' sample.err ||
    fail "sample: $(cat sample.err)"
[ "$(jq '.programs[0].tests' sample.d/report.json)" = 2 ] || fail "sample: $(jq -c '.programs[0].tests' sample.d/report.json) tests"

"$tandem" check --record-only -o later sh -c 'printf "\226\0\0\0" | ./two' 2> later.err || fail "record-only: $(cat later.err)"
[ ! -e later/two ] || fail "record-only has checked"
"$tandem" check --resume -o later --no-progress > /dev/null 2> later.err || fail "resume: $(cat later.err)"
bug later global-underflow 2
"$tandem" check --resume -o later --no-progress > /dev/null 2> again.err || fail "resume again: $(cat again.err)"
! grep -q '^bug' again.err || fail "a bug is told again: $(cat again.err)"
grep -q '/two: 1 test, 1 bug$' again.err || fail "a bug is forgotten: $(cat again.err)"
# Killed in the middle of checking, at any moment: what was recorded is there, a bug that was told is in its file, and who goes on finds the rest.
"$tandem" check --record-only -o killed -- sh -c 'head -c 48 /dev/zero | ./endless; printf "\226\0\0\0" | ./one; printf "P\226\0\0\0" | ./modes' 2> killed.err || fail "killed: $(cat killed.err)"
for after in 0.05 0.1 0.2 0.3 0.5; do
    "$tandem" check --resume -o killed --no-progress --time 20 > /dev/null 2>> killed.told &
    checker=$!
    sleep "$after"
    kill -9 "$checker" 2> /dev/null
    wait "$checker" 2> /dev/null
    [ "$(grep -c '^bug' killed.told)" -le "$(ls killed/*/crashes 2> /dev/null | grep -c tcase)" ] || fail "killed: a bug that was told is not there: $(cat killed.told)"
done
"$tandem" check --resume -o killed --no-progress --json --time 3 > /dev/null 2>> killed.told || fail "killed: $(cat killed.told)"
[ "$(jq '[.programs[].bugs | length] | add' killed/report.json) $(grep -c '^bug' killed.told)" = "2 2" ] || fail "killed: $(cat killed.told)"

"$tandem" check --resume -o nowhere 2> err && fail "there is nothing to go on with"
"$tandem" check --resume -o later ./two 2> err && fail "a command with --resume"
cp two two.old && sed -i 's/x = 99; }/if (x == 150) x = 98; x = 99; }/' two.c && build two
"$tandem" check --resume -o later --no-progress > /dev/null 2> rebuilt.err
grep -q 'the program was built anew since' rebuilt.err || fail "another build: $(cat rebuilt.err)"
# What is recorded of the new build is checked; what was found of the old one is kept and does not count.
"$tandem" check --no-progress --json --fail-on-bug -o later -- sh -c 'printf "\226\0\0\0" | ./two' > /dev/null 2> rebuilt.err
[ $? = 10 ] && bug rebuilt global-underflow 3 # a branch more
[ "$(ls later/two/crashes | wc -l) $(ls later/two.*/crashes | wc -l)" = "1 1" ] || fail "another build: $(ls later later/*) $(cat rebuilt.err)"
# The one before is back, and then the new one: each goes on where it was.
cp two two.new
for program in old new old; do
    cp "two.$program" two
    "$tandem" check --no-progress --fail-on-bug -o later -- sh -c 'printf "\226\0\0\0" | ./two' > /dev/null 2> back.err
    [ "$? $(grep -c '^bug' back.err) $(ls -d later/two* | wc -l)" = "10 0 2" ] || fail "two $program is back: $(ls later) $(cat back.err)"
done
# A build differs from another in a number alone: another bound, which nothing but the code says.
cat > bound.c <<'C'
int v[10];
int main(int argc, char **argv) { if (argc > 1 && argv[1][0] >= '0' && argv[1][0] <= BOUND) v[argv[1][0] - '0']++; return 0; }
C
for case in "58 10" "57 0" "59 10"; do
    "$cc" -O1 -g -DBOUND="${case% *}" bound.c -o bound || fail "bound.c does not build"
    checked "${case#* }" bound --fail-on-bug -- ./bound 3
done
# Files that we have open, as we have some for each of many programs, are not among those that a program may open.
(for i in $(seq 10 300); do eval "exec $i< /dev/null"; done; checked 10 bound --fail-on-bug --resume; exit "$failures") || failures=$((failures + 1))
grep -q '/bound: 1 test, 1 bug$' bound.err || fail "many open files: $(cat bound.err)"
# A bug whose test case cannot be written is one all the same.
checked 0 unwritten --execs 1 -- ./bound 3
rm -rf unwritten.d/bound/crashes && touch unwritten.d/bound/crashes
checked 10 unwritten --fail-on-bug --resume

[ "$failures" = 0 ] && echo "check: ok"
exit "$failures"
