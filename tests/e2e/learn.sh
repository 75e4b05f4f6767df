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
grep -q '^round 1: samples cover [0-9.]* on average in 60 runs' one.out && grep -q '^most in favour: [a-z]' one.out || fail "what it says: $(cat one.out)"
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
[ "$(cut -d ' ' -f 1 killed.theta.d/trials | sort | uniq -d | wc -l)" = 0 ] || fail "a trial was made twice: $(cut -d ' ' -f 1 killed.theta.d/trials | sort | uniq -d)"
learn killed --no-compare
grep -q '^training: 0 trials, [0-9]* known before; 0 runs' killed.out || fail "something was done again: $(tail -n 1 killed.out)"
printf 'ffff 12 13' >> killed.theta.d/trials # whoever wrote it was killed
learn killed --no-compare && cmp -s one.theta killed.theta || fail "half a line: $(cat killed.err)"

# A trial is the same whether it uses what others have run and solved or not: the same inputs in the same order, for a hundred vectors and two programs. The third time all of it is known, but for what went wrong.
"$cc" -O1 -g "$root/examples/shelf.c" -o shelf || fail "shelf does not build"
trials() { cut -d ' ' -f 1-5,8 "$1/trials" | sort; }
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
    cut -d ' ' -f 1-5,8 "$name.first" | sort | cmp -s - apart || fail "$name: a trial is another if some is known"
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

# Races, and what the paper leaves out.
timeout -k 2 100 "$tandem" learn -n 20 -N 80 -K 2 --trials 2 --rounds 2 --stdin 8 --no-refine --without in-main,local --no-compare --no-progress -o raced.theta ./small > raced.out 2> raced.err || fail "races: $(cat raced.err)"
[ "$(grep -c '^round [12]: samples cover [0-9.]* on average in 20 runs, the best of them [0-9]* in 80;' raced.out)" = 2 ] || fail "what races say: $(cat raced.out)"
[ "$(grep -Ec '^ *[0-9]+ (in-main|local) +0 ' raced.theta)" = 2 ] || fail "features that are left out: $(cat raced.theta)"

# Searches are compared by the same inputs, runs and seeds.
"$tandem" learn --compare one.theta,cfds,one.theta -N 60 --trials 3 --stdin 8 --dir one.theta.d --json --no-progress --plot compared.svg ./small > compared.json 2> err || fail "comparing: $(cat err)"
[ "$(grep -c '<polyline' compared.svg)" = 3 ] && grep -q 'cfds (' compared.svg && tail -n 1 compared.svg | grep -q '</svg>' || fail "the picture: $(head -c 300 compared.svg)"
jq -e '.comparison | length == 3 and .[0].mean == .[2].mean and .[2].p == 1 and .[1].search == "cfds" and .[1].mean > 0' compared.json > /dev/null || fail "compared: $(cat compared.json)"

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
refused 'of another program, other inputs or another number of runs' -o one.theta -n 8 -N 61 --stdin 8 ./small
refused 'not built with tandem cc' -o x.theta /bin/true
refused 'no search that can be compared is called' --compare nonsense --stdin 8 --dir x.d ./small
refused 'no search that can be compared is called' --compare near --stdin 8 --dir x.d ./small
refused 'nowhere.theta' --compare nowhere.theta --stdin 8 --dir x.d ./small
refused 'which program' -n 3
refused 'at least 1' -n 0 ./small
refused 'no feature is called' --without nonsense ./small

[ "$failures" = 0 ] && echo "learn: ok"
exit "$failures"
