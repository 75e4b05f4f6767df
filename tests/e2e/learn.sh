#!/bin/bash
# tandem learn: the same weights for the same seed, however many processes there are and however often it is killed; what it keeps, compares and refuses.
set -uo pipefail
# shellcheck source=tests/workshop.sh disable=SC2154
. "$(dirname "$0")/../workshop.sh"

fail() { echo "learn: $*"; failures=$((failures + 1)); }
"$cc" -O1 -g "$root/examples/nest.c" -o small || { fail "it does not build"; exit 1; }
# learn NAME ARGUMENTS...: status 0; what it says in NAME.out.
learn() {
    local name=$1
    shift
    timeout -k 2 100 "$tandem" learn -o "$name.theta" -n 8 -N 60 -K 3 --trials 3 --rounds 3 --stdin 8 --no-progress "$@" ./small > "$name.out" 2> "$name.err"
}

learn one --no-compare || fail "status $?: $(cat one.err)"
learn two --no-compare -j 2 || fail "two processes: $(cat two.err)"
cmp -s one.theta two.theta || fail "two processes learn something else"
grep -q '^round 1: samples cover [0-9.]* on average in 15 runs' one.out && grep -q '^most in favour: [a-z]' one.out || fail "what it says: $(cat one.out)"
grep -q '^training: [1-9][0-9]* trials, 0 known before' one.out || fail "what was known before: $(grep '^training' one.out)"
[ -n "$(ls one.theta.d/tests)" ] || fail "no tests are kept"
"$tandem" replay one.theta.d/tests > /dev/null 2>&1 || fail "its tests cannot be replayed"
"$tandem" explore --search one.theta --execs 60 --stdin 8 --out used --no-progress ./small > used.out 2>&1
grep -q 'search theta' used.out || fail "the weights cannot be used: $(cat used.out)"

# Killed at ten random moments, the same command goes on, does nothing twice and comes to the same.
moments=$(awk -v seed="$RANDOM" 'BEGIN { srand(seed); for (i = 0; i < 10; i++) printf "%.2f ", 0.05 + rand() * 0.75 }')
for after in $moments; do
    "$tandem" learn -o killed.theta -n 8 -N 60 -K 3 --trials 3 --rounds 3 --stdin 8 --no-progress --no-compare -j 2 ./small > /dev/null 2>&1 &
    learner=$!
    sleep "$after"
    kill -9 "$learner" 2> /dev/null
    wait "$learner" 2> /dev/null
    sleep 0.05 # those that it has started end with it
done
learn killed --no-compare || fail "going on, killed after $moments: $(cat killed.err)"
cmp -s one.theta killed.theta || fail "after it was killed ($moments) it learns something else"
[ "$(cut -d ' ' -f 2 killed.theta.d/trials | sort | uniq -d | wc -l)" = 0 ] || fail "a trial was made twice: $(cut -d ' ' -f 2 killed.theta.d/trials | sort | uniq -d)"
learn killed --no-compare
grep -q '^training: 0 trials, [0-9]* known before; 0 runs' killed.out || fail "something was done again: $(tail -n 1 killed.out)"
printf 'ffff 12 13' >> killed.theta.d/trials # whoever wrote it was killed
learn killed --no-compare && cmp -s one.theta killed.theta || fail "half a line: $(cat killed.err)"
sed -i '4s/:[0-9]*$/:7/; 6s/ [0-9]* /\x00/2' killed.theta.d/trials # damaged: those two are made again
learn killed --no-compare && cmp -s one.theta killed.theta || fail "damaged lines: $(cat killed.err)"
grep -q '^training: 2 trials' killed.out || fail "damaged lines: $(grep '^training' killed.out)"

# A trial is the same whether it uses what others have run and solved or not: the same inputs in the same order, for a hundred vectors and two programs. The third time all of it is known, but for what went wrong.
"$cc" -O1 -g "$root/examples/shelf.c" -o shelf || fail "shelf does not build"
trials() { cut -d ' ' -f 2-6,9 "$1/trials" | sort; }
# hundred DIRECTORY ARGUMENTS...: of as many random vectors the beginning of a trial each.
hundred() {
    local dir=$1
    shift
    timeout -k 2 100 "$tandem" learn -n 100 -N 40 -K 1 --trials 1 --rounds 1 --no-race --no-compare --no-progress -j 2 -o any.theta --dir "$dir" "$@" > any.out 2> any.err || fail "$dir: $(cat any.err)"
}
same_trials() {
    local name=$1 known=$2
    shift 2
    hundred "$name.shared" "$@"
    grep -q ' runs, [1-9][0-9.]* % of them known' any.out || fail "$name: nothing is shared: $(tail -n 1 any.out)"
    hundred "$name.apart" --no-tree "$@"
    grep -q ' runs, 0.0 % of them known' any.out && [ ! -e "$name.apart/known.data" ] || fail "$name: something is shared: $(tail -n 1 any.out)"
    mv "$name.shared/trials" "$name.first"
    hundred "$name.shared" "$@"
    grep -Eq " runs, $known % of them known" any.out || fail "$name: something was run again: $(tail -n 1 any.out)"
    trials "$name.apart" > apart && [ "$(wc -l < apart)" -ge 100 ] || fail "$name: too few trials"
    trials "$name.shared" | cmp -s - apart || fail "$name: a trial is another if all is known"
    cut -d ' ' -f 2-6,9 "$name.first" | sort | cmp -s - apart || fail "$name: a trial is another if some is known"
}
same_trials small 100.0 --stdin 8 ./small
same_trials shelf '[89][0-9.]*' ./shelf 12 34 # it has bugs, and what goes wrong has to happen each time
# What is damaged is run again.
printf 'rubbish' | dd of=small.shared/known.data bs=1 seek=5000 conv=notrunc status=none
truncate -s -20000 small.shared/known.data
rm small.shared/trials
hundred small.shared --stdin 8 ./small
trials small.apart > apart
trials small.shared | cmp -s - apart || fail "a damaged tree makes a difference"
grep -q ' runs, 100.0 % of them known' any.out && fail "damage was not noticed"

# The same for programs.
learn one --no-compare --json
jq -e '.ended and (.alike | not) and (.weights | length == 41) and .cost.known > 0' one.out > /dev/null || fail "as JSON: $(cat one.out)"
[ "$(jq '.weights."opposite-uncovered"' one.out | awk '{ printf "%.6f", $1 }')" = "$(awk '$2 == "opposite-uncovered" { printf "%.6f", $3 }' one.theta)" ] || fail "weights as JSON: $(cat one.out)"
learn one --no-compare

# If it came to what it began with, it says so.
begun() {
    local name=$1
    shift
    "$tandem" learn -o "$name.theta" -N 60 -K 2 --trials 2 --rounds 1 --stdin 8 --no-progress --no-compare "$@" ./small > "$name.out" 2>&1 || fail "$name: $(cat "$name.out")"
}
begun guess -n 2
begun sampled -n 2 --no-crosses
begun given -n 2 --begin sampled.theta
grep -q '^no sample was better than our guess' guess.out && grep -q '^# no sample was better than our guess' guess.theta || fail "the guess: $(cat guess.out)"
grep -q '^no sample was better' sampled.out && fail "a sample: $(cat sampled.out)"
grep -Eq '^no sample was better than (our guess|sampled.theta): ' given.out || fail "what was given: $(cat given.out)" # these are the only two

# Nor does it matter what the solver has been asked before: terms that cost a lot count the same whether or not it remembers what came of them.
cat > heavy.c << 'END'
#include <stdio.h>
int main(void)
{
	unsigned char s[4] = { 0 };
	unsigned h = 0, g = 1, k = 7, r = 0;
	if (fread(s, 1, 4, stdin) != 4)
		return 9;
	for (unsigned i = 0; i < 700; i++)
		h = (h * 31 + s[0]) ^ i;
	r |= h % 7 == 3;
	for (unsigned i = 0; i < 700; i++)
		g = (g * 33 + s[0]) ^ (i << 3);
	if (g % 5 == 2)
		r |= 2;
	for (unsigned i = 0; i < 700; i++)
		k = (k * 37 + s[1]) ^ (i << 2);
	if (k % 6 == 2)
		r |= 4;
	if ((unsigned char)(s[0] * 3 + s[1]) > 200)
		r |= 8;
	if ((unsigned char)(s[1] * 5 + s[2]) > 220)
		r |= 16;
	if ((unsigned char)(s[0] ^ s[2]) < 9)
		r |= 32;
	if (s[3] == r)
		return 1;
	return (unsigned char)(s[3] + s[0]) == 77 ? 2 : (unsigned char)(s[2] + s[1]) == 33 ? 3 : 0;
}
END
"$cc" -O1 -g heavy.c -o heavy || fail "heavy.c does not build"
for how in "" --no-tree; do
    timeout 100 "$tandem" learn -n 4 -N 30 -K 1 --trials 1 --rounds 1 --no-race --no-compare --no-progress --stdin 4 $how -o "heavy$how.theta" ./heavy > heavy.out 2>&1 || fail "heavy terms: $(cat heavy.out)"
done
trials heavy.theta.d > heavy.shared
trials heavy--no-tree.theta.d | cmp -s - heavy.shared || fail "what the solver remembers makes a difference"

# Where there is nothing to learn it says so.
echo 'int main(void) { return 0; }' > still.c
"$cc" still.c -o still && "$tandem" learn -n 5 -N 20 -K 2 --trials 2 --no-compare --no-progress ./still > still.out 2>&1
grep -q 'all samples cover the same' still.out || fail "nothing to learn: $(cat still.out)"
grep -q 'all samples cover the same' one.out && fail "something to learn: $(cat one.out)"

# Looking closely at a few costs no more than looking at all, unless one says so.
for close in "200:3 trials of the best 3" "400 -K 5:6 trials of the best 5" "60 --trials 4:4 trials of the best 3"; do
    "$tandem" learn -n ${close%%:*} -N 2 --rounds 1 --no-compare --no-progress -o close.theta --dir close.d ./still > close.out 2>&1
    grep -q "samples, ${close#*:}, seed" close.theta || fail "-n ${close%%:*}: $(head -n 3 close.theta)"
    rm -rf close.d
done

# Races, and what the paper leaves out.
timeout -k 2 100 "$tandem" learn -n 20 -N 80 -K 2 --trials 2 --rounds 2 --stdin 8 --no-refine --without in-main,local --no-compare --no-progress -o raced.theta ./small > raced.out 2> raced.err || fail "races: $(cat raced.err)"
[ "$(grep -c '^round [12]: samples cover [0-9.]* on average in 20 runs, the best of them [0-9]* in 80;' raced.out)" = 2 ] || fail "what races say: $(cat raced.out)"
[ "$(grep -Ec '^ *[0-9]+ (in-main|local) +0 ' raced.theta)" = 2 ] || fail "features that are left out: $(cat raced.theta)"

# What it cannot go on with is an error, also if there is something to show by then: whoever makes trials is killed, the disk is full.
"$tandem" learn -o torn.theta -n 40 -N 400 -K 3 --trials 3 --stdin 8 --no-progress --no-compare ./small > torn.out 2> torn.err &
learner=$!
for _ in $(seq 1 1000); do # the machine may be busy
    grep -q '^round 1' torn.out && pkill -9 -P "$learner" -x tandem && break
    sleep 0.05
done
wait "$learner"
[ $? = 6 ] && grep -q 'was ended by signal 9' torn.err && [ -s torn.theta ] || fail "a killed process: $(cat torn.err)"
grep -q '(then it was stopped)' torn.theta || fail "weights do not say that it was stopped"
mkdir disk && mount -t tmpfs -o size=64k tmpfs disk && {
    "$tandem" learn --compare cfds,dfs -N 20 --trials 200 -j 2 --stdin 8 --no-progress --no-tree --dir disk/d ./small > disk.out 2> disk.err
    [ $? = 6 ] && grep -q 'disk/d/trials: No space left on device$' disk.err && ! grep -q 'device.*device' disk.err && [ "$(grep -c 'cannot write' disk.err)" -le 1 ] || fail "a full disk: $(cat disk.err)"
    head -c 2000000 /dev/zero > disk/fill 2> /dev/null
    "$tandem" learn --compare cfds -N 20 --trials 2 --stdin 8 --no-progress --dir disk/e ./small > disk.out 2> disk.err
    [ $? = 1 ] && grep -q 'No space left' disk.err || fail "no disk to begin with: $(cat disk.err)"
    umount disk
}

# A bug is made smaller and kept once, however many trials meet it; sides of libraries count; trials of another build of a library, or of another window, are no trials of this one.
cat > calls.c << 'END'
#include <stdlib.h>
#include <stdio.h>
int inside(int c);
int main(void) { int a = getchar(), b = getchar(); if (a == 'x') abort(); return inside(b); }
END
echo 'int inside(int c) { return c == 1 ? 5 : c > 9 && c < 70 ? c > 30 : 2; }' > inside.c
build() { "$cc" -O1 -g -fPIC -shared inside.c -o libinside.so && "$cc" -O1 -g calls.c -L. -linside -Wl,-rpath,"$PWD" -o calls; }
build || fail "calls does not build"
compare() { "$tandem" learn --compare cfds,dfs,cgs -N 40 --trials 5 --stdin 2 --no-progress --dir calls.d "$@" > calls.out 2> calls.err; }
compare ./calls || fail "a program with a library: $(cat calls.err)"
[ "$(find calls.d/crashes -type f | wc -l)" = 1 ] || fail "one bug has $(find calls.d/crashes -type f | wc -l) files"
awk '$1 == "cfds" { mean = $2 } /all trials together cover/ { all = $(NF - 1) } END { exit !(mean > 4 && all >= mean) }' calls.out || fail "sides of a library: $(cat calls.out)"
sed -i 's/70/71/' inside.c && build
compare ./calls && fail "another build of its library"
grep -q 'of another program' calls.err || fail "another build of its library: $(cat calls.err)"
echo ab > some
"$tandem" learn --compare cfds -N 20 --trials 1 --file f=some --file-window 1 --no-progress --dir window.d ./small > out 2>&1 || fail "a window: $(cat out)"
"$tandem" learn --compare cfds -N 20 --trials 1 --file f=some --file-window 2 --no-progress --dir window.d ./small > out 2>&1 && fail "another window"

# Searches are compared by the same inputs, runs and seeds.
"$tandem" learn --compare one.theta,cfds,one.theta -N 60 --trials 3 --stdin 8 --dir one.theta.d --json --no-progress --plot compared.svg ./small > compared.json 2> err || fail "comparing: $(cat err)"
[ "$(grep -c '<polyline' compared.svg)" = 3 ] && grep -q 'cfds (' compared.svg && tail -n 1 compared.svg | grep -q '</svg>' || fail "the picture: $(head -c 300 compared.svg)"
jq -e '.comparison | length == 3 and .[0].mean == .[2].mean and .[2].p == 1 and .[1].search == "cfds" and .[1].mean > 0' compared.json > /dev/null || fail "compared: $(cat compared.json)"

# What training covers is no more for that; of other trials in the same place nothing is left; what is somebody else's is left alone.
sides_of() { sed -n "s/^$1: .* cover \\([0-9]*\\) sides\$/\\1/p" "$2"; }
"$tandem" learn --compare auto,random,cfds -N 60 --trials 10 --stdin 8 --dir one.theta.d --no-progress ./small > more.out 2> err || fail "comparing more: $(cat err)"
cp one.out first.out
learn one --no-compare || fail "learning again: $(cat one.err)"
[ "$(sides_of comparison more.out)" -gt "$(sides_of training first.out)" ] || fail "a comparison covers nothing more: $(tail -n 1 more.out)"
[ "$(sides_of training one.out)" = "$(sides_of training first.out)" ] || fail "a comparison was training: $(tail -n 1 one.out)"
rm killed.theta.d/trials
"$tandem" learn --compare dfs -N 60 --trials 1 --dir killed.theta.d --no-progress ./still > out 2>&1 || fail "another program: $(cat out)"
[ "$(sides_of comparison out)" = 0 ] || fail "what trials of another program covered counts: $(tail -n 1 out)"
mkdir theirs
echo 'a list of bugs' > theirs/bugs

# Stopped by time or a signal it has what it has, or says that there is nothing yet.
"$tandem" learn -o late.theta -n 500 -N 500 --stdin 8 --time 1 --no-progress ./small > /dev/null 2> err
[ $? = 5 ] && grep -q 'stopped before a round was done' err && [ ! -e late.theta ] || fail "no time: $(cat err)"

# refused TEXT ARGUMENTS...: that is wrong, and it says so.
refused() {
    local text=$1
    shift
    "$tandem" learn --no-progress "$@" > out 2> err
    [ $? = 1 ] && grep -q "$text" err || fail "$*: $(cat err)"
}
refused 'of another program, of other inputs, of another number of runs' -o one.theta -n 8 -N 61 --stdin 8 ./small
refused 'not built with tandem cc' -o x.theta /bin/true
refused "no search is called 'nonsense'" --compare nonsense --stdin 8 --dir x.d ./small
refused 'cannot be compared' --compare near --stdin 8 --dir x.d ./small
refused 'needs a file of weights' --compare cfds,theta --stdin 8 --dir x.d ./small
refused 'nowhere.theta' --compare nowhere.theta --stdin 8 --dir x.d ./small
refused 'theirs/bugs: not a file of trials' --compare cfds --stdin 8 --dir theirs ./small
[ "$(cat theirs/bugs)" = 'a list of bugs' ] || fail "somebody else's file was changed"
refused 'which program' -n 3
refused 'can be told from a search' -o weights.txt --stdin 8 ./small
refused 'nowhere/x.theta' -o nowhere/x.theta --dir x.d --stdin 8 ./small
refused 'nowhere/x.svg' --compare cfds --plot nowhere/x.svg --dir x.d --stdin 8 ./small
mkdir closed
touch closed/x.theta
chattr +i closed 2> /dev/null && { # a file that may be written in a directory in which none can take its place
    refused 'closed/x.theta' -o closed/x.theta --dir x.d --stdin 8 ./small
    chattr -i closed
}
refused 'Is a directory' -o ./closed --dir x.d --stdin 8 ./small
[ ! -e x.theta ] && [ ! -e x.svg ] || fail "what was only tried is there"
refused 'which searches' --compare , --dir x.d --stdin 8 ./small
refused 'leaves out what --compare asks for' --compare cfds --no-compare --dir x.d ./small
refused 'leaves out what --plot asks for' --plot x.svg --no-compare -o x.theta ./small
refused 'gives them less' --no-race --least 5 -o x.theta ./small
refused 'with --no-crosses all vectors' --no-crosses --begin one.theta -o x.theta ./small
refused 'with --no-refine all vectors' --no-refine --begin one.theta -o x.theta ./small
refused 'which files' --begin , -o x.theta ./small
refused 'which features' --without , -o x.theta ./small
refused 'at least 1' -n 0 ./small
refused 'no feature is called' --without nonsense ./small
refused 'nowhere.theta' --begin nowhere.theta -o x.theta --dir y.d --stdin 8 ./small
refused 'at most 7 files' --begin a,b,c,d,e,f,g,h -o x.theta --stdin 8 ./small

[ "$failures" = 0 ] && echo "learn: ok"
exit "$failures"
