#!/bin/bash
# A campaign outlives its process: what was told is on disk, whatever the moment at which it was killed, and --resume goes on from there.
#   campaign.sh [--kills 6]
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "campaign: $*"; failures=$((failures + 1)); }
kills=6
[ "${1-}" != --kills ] || kills=$2

cat > maze.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char s[24];
	size_t n = fread(s, 1, sizeof s, stdin);
	int depth = 0;
	for (size_t i = 0; i < n; i++) {
		switch (s[i]) {
		case 'u': depth++; break;
		case 'd': depth--; break;
		case 'l': depth += 2; break;
		case 'r': depth ^= 3; break;
		case '+': depth *= 2; break;
		default: break;
		}
		if (depth > 20 && s[n - 1 - i] == 'x')
			puts("deep");
		if (depth == 7 && i > 9)
			puts("seven");
	}
	if (n > 5 && memcmp(s, "bug", 3) == 0 && s[4] == '1')
		abort();
	if (n > 9 && memcmp(s + 5, "bug", 3) == 0 && s[9] == '2')
		*(volatile int *)0 = 1;
	return 0;
}
C
cat > word.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char b[6] = "";
	if (fread(b, 1, 5, stdin) == 5 && strcmp(b, "magic") == 0)
		abort();
	return 0;
}
C
"$cc" -g -O1 maze.c -o maze && "$cc" -g -O1 word.c -o word || exit 1

number() { sed -n "s/.*$1.*/\\1/p" "$2" | tail -n 1; }

# --- killed at random moments -------------------------------------------------
# Told are: bugs, each in two lines with its file; and in the lines of progress how much is covered.
"$tandem" explore --stdin 24 --go-on --seed 3 --time 0 --execs 40 --out camp ./maze > told.0 2>&1
before=$(number ', \([0-9]*\) of [0-9]* sides' told.0)
covered=$before
for ((k = 1; k <= kills; k++)); do
    "$tandem" explore --resume --go-on --out camp --time 60 --seed 3 > "told.$k" 2>&1 &
    pid=$!
    sleep "0.$((RANDOM % 9))$((RANDOM % 10))"
    kill -9 "$pid" 2> /dev/null
    wait "$pid" 2> /dev/null
    sed -n 's/^  replay: [^ ]* replay //p' "told.$k" >> files
    tests=$(find camp/tests -name '*.tcase' | sort)
    [ -z "${old_tests-}" ] || [ -z "$(comm -23 <(echo "$old_tests") <(echo "$tests"))" ] || fail "a test is gone"
    old_tests=$tests
done
"$tandem" explore --resume --go-on --out camp --time 30 --execs 10 > last 2>&1
[ $? = 5 ] || [ $? = 10 ] || fail "the last session: $(cat last)"
after=$(number ', \([0-9]*\) of [0-9]* sides' last)
sed -n 's/^going on with .*, \([0-9]*\) tests, \([0-9]*\) bugs, \([0-9]*\) sides .*/\1 \2 \3/p' $(printf 'told.%s ' $(seq 0 "$kills")) last > sums
awk '$1 < t || $2 < b || $3 < s { exit 1 } { t = $1; b = $2; s = $3 }' sums || fail "a session knows less than the one before: $(cat sums)"
[ "$(wc -l < sums)" -gt 2 ] || fail "no session came to say what it knows: $(cat told.*)"
[ "$after" -ge "$covered" ] || fail "$covered sides were taken, and now $after"
while read -r f; do
    [ -e "$f" ] || fail "$f was told and is gone"
    "$tandem" replay "$f" > replay.txt 2>&1 || [ $? = 10 ] || fail "$f: $(cat replay.txt)"
done < <(sort -u files 2> /dev/null)
[ "$(cat told.* last | grep -c '^bug: ')" = "$(find camp/crashes -name '*.tcase' 2> /dev/null | wc -l)" ] || fail "told: $(cat told.* last | grep '^bug: '), kept: $(ls camp/crashes)"

[ -z "$(find camp/tests -name '*.tcase' | sed 's/.*-//' | sort | uniq -d)" ] || fail "a test is kept twice: $(ls camp/tests)"

# The moment after it was told.
mkfifo line
"$tandem" explore --stdin 5 --time 30 --go-on --out told ./word > line 2>&1 &
pid=$!
read -r bug < line
kill -9 "$pid"
wait "$pid" 2> /dev/null
[[ $bug = bug:* ]] || fail "the first line is: $bug"
"$tandem" explore --resume --execs 3 --out told > told.txt 2>&1
grep -q ', 1 bugs,' told.txt && ! grep -q '^bug: ' told.txt || fail "a bug that was told is not known: $(cat told.txt)"

# All tests together cover what the campaign says.
sides=$("$tandem" cov --json camp/tests camp/seeds -- ./maze 2> /dev/null | tr ',{' '\n\n' | sed -n 's/.*"branches_covered": *\([0-9]*\).*/\1/p' | sort -n | tail -n 1)
[ "${sides:-0}" -ge "$((after * 9 / 10))" ] || fail "the tests cover $sides sides, the campaign $after" # selects are counted apart there

# --- what is known is not done again --------------------------------------------
cat > small.c <<'C'
#include <stdio.h>
int main(void)
{
	int c = getchar(), d = getchar();
	if (c == 'a' && d == 'b')
		puts("ab");
	if ((unsigned)c * (unsigned)c == 7)
		puts("never");
	return 0;
}
C
"$cc" -g small.c -o small || exit 1
"$tandem" explore --stdin 2 --out known --execs 40 --log-inputs first ./small > first.txt 2>&1
"$tandem" explore --resume --out known --execs 40 --log-inputs second > second.txt 2>&1
grep -q '^going on with known: ' second.txt || fail "does not say that it goes on: $(cat second.txt)"
grep -q ' [1-9][0-9]* solver calls' first.txt || fail "nothing was solved: $(cat first.txt)"
grep -q ' 0 solver calls' second.txt || fail "something was solved again: $(cat second.txt)"

# What was left to be tried is tried by the next.
"$tandem" explore --stdin 24 --seed 3 --go-on --execs 30 --out left ./maze > left.1 2>&1
files=$(find left/seeds left/tests -name '*.tcase' | wc -l)
"$tandem" explore --resume --go-on --execs 400 --out left > left.2 2>&1
one=$(number ', \([0-9]*\) of [0-9]* sides' left.1) two=$(number ', \([0-9]*\) of [0-9]* sides' left.2)
inputs=$(number ' \([0-9]*\) inputs to go on from' left.2)
[ "${inputs:-0}" -gt "$files" ] || fail "nothing but tests is left to be tried: $inputs inputs, $files files"
[ "$two" -gt "$one" ] || fail "does not go on: $(cat left.1 left.2)"

# --- what is in the way ---------------------------------------------------------
"$tandem" explore --stdin 2 --out known ./small > again.txt 2>&1
[ $? = 1 ] && grep -q -- '--resume' again.txt || fail "a second one in the same place: $(cat again.txt)"
"$tandem" explore --resume --out nowhere > none.txt 2>&1
[ $? = 1 ] && grep -q 'no exploration' none.txt || fail "none to go on with: $(cat none.txt)"
"$tandem" explore --resume --out known ./small argument > args.txt 2>&1
[ $? = 1 ] || fail "other arguments: $(cat args.txt)"
"$tandem" explore --resume --out known ./maze > other.txt 2>&1
[ $? = 1 ] && grep -q 'another build' other.txt || fail "another program: $(cat other.txt)"
cp -r known broken && head -c 5000 /dev/urandom > broken/campaign.db && rm -f broken/campaign.db-*
"$tandem" explore --resume --out broken > broken.txt 2>&1
[ $? = 1 ] && [ "$(wc -l < broken.txt)" = 1 ] || fail "a damaged one: $(cat broken.txt)"
[ "$(find broken/tests -name '*.tcase' | wc -l)" = "$(find known/tests -name '*.tcase' | wc -l)" ] || fail "tests of a damaged campaign are gone"
rm known/tests/"$(ls known/tests | head -n 1)"
"$tandem" explore --resume --out known --execs 5 > gone.txt 2>&1
grep -q 'a test is gone' gone.txt || fail "a test that is gone: $(cat gone.txt)"
"$tandem" explore --stdin 24 --go-on --time 20 --out both ./maze > one.txt 2>&1 &
pid=$!
for ((i = 0; i < 100; i++)); do [ -e both/campaign.lock ] && break; sleep 0.05; done
sleep 0.3
"$tandem" explore --resume --out both > two.txt 2>&1
[ $? = 1 ] && grep -q 'another exploration' two.txt || fail "two at once: $(cat two.txt)"

# --- Ctrl-C ---------------------------------------------------------------------
kill -INT "$pid"
wait "$pid"
status=$?
[ $status = 5 ] || [ $status = 10 ] || fail "stopped: status $status"
grep -q ' runs in ' one.txt || fail "stopped, it does not say what it did: $(cat one.txt)"

# --- several processes ----------------------------------------------------------
# The same seed and number of processes, the same exploration; killed, it leaves no process behind and loses nothing.
for k in 1 2; do
    rm -rf team
    "$tandem" explore -j 3 --stdin 24 --go-on --seed 5 --execs 900 --time 0 --out team --log-inputs "team.$k" ./maze > "team.$k.txt" 2>&1
    sed -n 's/^bug: //p' "team.$k.txt" > "team.$k.bugs"
    (cd team/tests && md5sum ./*) > "team.$k.tests"
done
[ "$(wc -l < team.1)" -ge 900 ] || fail "-j 3: $(wc -l < team.1) runs"
cmp -s team.1 team.2 && cmp -s team.1.bugs team.2.bugs && cmp -s team.1.tests team.2.tests || fail "-j 3 is another exploration each time: $(cat team.1.txt team.2.txt)"
[ -z "$(sort team.1 | uniq -d | head -n 200 | sed -n '100p')" ] || fail "-j 3: many inputs ran twice"
"$tandem" explore -j 2 --stdin 5 --time 30 --out pair ./word > pair.txt 2>&1
[ $? = 10 ] && [ "$(grep -c '^bug: ' pair.txt)" = 1 ] || fail "-j 2: $(cat pair.txt)"
"$tandem" explore -j 2 --stdin 24 --go-on --time 30 --out shot ./maze > shot.txt 2>&1 &
pid=$!
sleep 0.7
members=$(pgrep -P "$pid" | wc -l)
kill -9 "$pid"
wait "$pid" 2> /dev/null
[ "$members" -ge 2 ] || fail "-j 2 has $members processes"
sleep 0.5
! pgrep -f "$dir/maze" > /dev/null && ! pgrep -f -- '--out shot' > /dev/null || fail "processes are left behind: $(pgrep -af -- 'maze')"
"$tandem" explore --resume -j 2 --go-on --execs 100 --out shot > shot.2.txt 2>&1
grep -q '^going on' shot.2.txt && ! grep -q 'is left out' shot.2.txt || fail "-j 2, killed: $(cat shot.2.txt)"

# --- names ----------------------------------------------------------------------
"$tandem" explore --stdin 2 --execs 5 ./small > /dev/null 2>&1
"$tandem" explore --stdin 2 --execs 5 ./small > /dev/null 2>&1
[ -e tandem-out/campaign.db ] && [ -e tandem-out-2/campaign.db ] || fail "the second exploration has no directory of its own"
[ "$failures" = 0 ] && echo "campaign: ok"
[ "$failures" = 0 ]
