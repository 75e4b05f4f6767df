#!/bin/bash
# tandem unit: the paper's worked example with all its figures; functions that do what one would rather not have done to oneself; all shapes of data; what it cannot do; going on; what is left out on request.
set -uo pipefail
# shellcheck source=tests/workshop.sh disable=SC2154
. "$(dirname "$0")/../workshop.sh"

fail() { echo "unit: $*"; failures=$((failures + 1)); }
# build NAME SOURCE [FLAG...]
build() {
    local name=$1 source=$2
    shift 2
    "$cc" -O0 -g -w "$@" "$source" -o "$name" > build.log 2>&1 || { fail "$name does not build: $(tail -n 3 build.log)"; exit 1; }
}
# unit WANTED NAME ARGUMENTS...: status, what it says in NAME.json and NAME.err, what it keeps in NAME.d.
unit() {
    local wanted=$1 name=$2 got
    shift 2
    timeout -k 2 50 "$tandem" unit --json --all --no-progress --execs 120 -o "$name.d" "$@" > "$name.json" 2> "$name.err"
    got=$?
    [ "$got" = "$wanted" ] || fail "$name: status $got instead of $wanted: $(tail -n 3 "$name.err")"
    grep -q 'was ended by signal' "$name.json" "$name.err" && fail "$name: $(grep -h 'ended by signal' "$name.json" "$name.err")"
}
# rows NAME FILTER: of its alarms, `FUNCTION:CLASS` each.
rows() { jq -r ".alarms[] | select($2) | .function + \":\" + .class" "$1.json" | sort | tr '\n' ' '; }
# expect NAME FILTER ROWS
expect() { [ "$(rows "$1" "$2")" = "$3" ] || fail "$1: alarms with $2: $(rows "$1" "$2")instead of $3"; }
# all NAME: all of its alarms, but for how long it took.
all() { jq -c '.alarms[] | del(.case)' "$1.json"; }
# kept_are_marked NAME SOURCE: faults that are kept are those that are marked DEFECT there, no more and no less.
kept_are_marked() {
    sed -n '=; p' "$2" | paste - - | sed -n 's|^\([0-9]*\)\t.*/\* DEFECT \([A-Za-z-]*\) \*/.*|\1 \2|p' | sort > marks
    jq -r '.alarms[] | select(.kept) | (.place | capture(":(?<line>[0-9]+):[0-9]+$").line) + " " + .class' "$1.json" | sort -u > found
    cmp -s marks found || fail "$1: marked (<) and found (>):
$(diff marks found | grep '^[<>]')"
}

# --- the worked example -------------------------------------------------------

build paper "$root/tests/e2e/unit/paper.c"
mkdir suite
n=0
for input in "-1 1" "1 1" "5 1"; do
    n=$((n + 1))
    # shellcheck disable=SC2086
    "$tandem" record -o suite/$n.tcase ./paper $input < /dev/null > /dev/null 2>&1 || fail "a test of it cannot be recorded"
done
"$tandem" unit --list --tests suite ./paper > list 2> err || fail "list: $(cat err)"
about() { sed -n "/: $1: [0-9]* objects/,/^[^ ]/p" "${2:-list}"; }
grep -q '^profile: 3 runs' list || fail "list: $(cat list)"
about f | grep -q '^  unit: f g; stubs: h$' || fail "the unit of f: $(about f)"
[ "$(about f | grep 'context:')" = "  context: b -> f" ] || fail "contexts of f: $(about f)"
[ "$(about f | sed -n 's/^  called: //p' | sort | uniq | tr '\n' ' ')" = "f(x = 1) f(x = 5) " ] || fail "what f is called with in tests: $(about f)"
about a2 | grep -q '^  called: a2(x = 1)$' || fail "what a2 is called with in tests: $(about a2)"
about f | grep -q '^  values: x 1\.\.2147483647$' || fail "values of f: $(about f)"
about b | grep -q '^  unit: b f g; stubs: h$' || fail "the unit of b: $(about b)" # p(h|b) is 1/3 as well
about b | grep -q 'context:' && fail "contexts of b: a1 and a2 are at 2/3 and 1/3: $(about b)"
[ "$(about h | grep 'context:')" = "  context: main -> prog -> a1 -> b -> f -> h" ] || fail "contexts of h: $(about h)"
"$tandem" unit --list --tests suite --tau 0.6 ./paper > list.6
[ "$(about f list.6 | grep 'context:')" = "  context: main -> prog -> a1 -> b -> f" ] || fail "contexts of f at 0.6: $(about f list.6)"
"$tandem" unit --list --tests suite --tau 0.3 ./paper > list.3
about f list.3 | grep -q '^  unit: f g h$' || fail "the unit of f at 0.3: $(about f list.3)"
[ "$(about f list.3 | grep -c 'context: main -> prog -> a[12] -> b -> f$')" = 2 ] || fail "contexts of f at 0.3: $(about f list.3)"

printf './paper -1 1\n./paper 1 1\n./paper 5 1\nexit 3\n' > suite.sh # what it ends with is told and does not count
unit 0 recorded --function f ./paper -- sh suite.sh
[ "$(jq .tests recorded.json)" = 3 ] && grep -q 'note: sh ended with status 3' recorded.err || fail "tests that a command runs: $(jq .tests recorded.json) $(cat recorded.err)"
"$tandem" unit --list --tests recorded.d/suite ./paper > list.recorded
cmp -s <(sort list.recorded) <(sort list) || fail "tests that a command runs: $(diff list.recorded list)" # which of them is the first is of no interest

unit 0 paper --tests suite ./paper
expect paper true ""
[ "$(jq -c '[.tested, .untested, .unreached, .tests, .sides, .covered_by_tests]' paper.json)" = "[7,0,0,3,12,8]" ] || fail "sums of the paper's example: $(jq -c 'del(.alarms, .functions)' paper.json)"
unit 0 free --tests suite --no-ranges ./paper
expect free true "f:stack-underflow "
[ "$(jq -r '.alarms[0].reasons[0]' free.json | cut -d '(' -f 1)" = "b -> f: b does not call it so " ] || fail "why it is dropped: $(jq -c '.alarms[0].reasons' free.json)"
jq -r '.alarms[0].input' free.json | grep -q '^f(x = -[0-9]*)$' || fail "its input: $(jq '.alarms[0].input' free.json)"
unit 10 alone --tests suite --unit=alone --function f ./paper
expect alone .kept "f:stack-overflow f:stack-underflow "
[ "$(jq -r '.alarms[].verdict' alone.json | sort -u)" = unfiltered ] || fail "alone: it is filtered"
unit 0 guarded --tests suite --function f --no-ranges ./paper # g is there
rows guarded true | grep -q overflow && fail "above the end although g is in the unit"

# --- what is left out on request ----------------------------------------------

unit 10 unfiltered --tests suite --no-ranges --no-filter ./paper
expect unfiltered .kept "f:stack-underflow "
[ "$(jq -r '.functions | length' unfiltered.json)" = 7 ] || fail "no-filter: other functions"
"$tandem" unit --list --unit=distance:1 ./paper > list
about b | grep -q '^  unit: b f; stubs: g h$' || fail "the unit of b at distance 1: $(about b)"
[ "$(about f | grep 'context:')" = "  context: b -> f" ] || fail "contexts of f at distance 1: $(about f)"
"$tandem" unit --list --unit=distance:2 ./paper > list
about b | grep -q '^  unit: b f g h$' || fail "the unit of b at distance 2: $(about b)"
[ "$(about f | grep -c 'context: a[12] -> b -> f$')" = 2 ] || fail "contexts of f at distance 2: $(about f)"
"$tandem" unit --list --unit=alone --tests suite ./paper > list
about f | grep -q '^  unit: f; stubs: g h$' || fail "the unit of f alone: $(about f)"
about f | grep -q 'context:\|values:' && fail "alone: $(about f)"
"$tandem" unit --list --unit=relevance --tests suite ./paper > list
about a1 | grep -q '^  unit: a1; stubs: b$' || fail "the unit of a1 by relevance: $(about a1)"
[ "$(about g | grep 'context:')" = "  context: b -> f -> g" ] || fail "contexts of g by relevance: $(about g)"
for seed in 1 2 3 4; do
    "$tandem" unit --list --unit=random --seed $seed ./paper > list.random$seed
    "$tandem" unit --list --unit=random --seed $seed ./paper | cmp -s - list.random$seed || fail "one seed, several random units"
done
cmp -s list.random1 list.random2 && cmp -s list.random1 list.random3 && cmp -s list.random1 list.random4 && fail "random units are all the same: $(cat list.random1)"
"$tandem" unit --list --no-carving --tests suite ./paper > list
grep -q 'called:' list && fail "no-carving: $(about f)"
"$tandem" unit --list ./paper > list
about f | grep -q '^  unit: f g h (by distance: no test runs it)$' || fail "without tests: $(about f)"
"$tandem" unit --no-progress --execs 20 --function f --tests suite/1.tcase --tests suite/2.tcase --out never.d ./paper > never.out 2> /dev/null
grep -q '^functions: 1 tested, 0 not; 0 that no test reaches' never.out || fail "two tests: $(cat never.out)"
"$tandem" unit --no-progress --execs 20 --function h --tests suite/1.tcase --out never.d ./paper > never.out 2> /dev/null
grep -q '; 1 that no test reaches: their units go by distance$' never.out || fail "a function that no test reaches: $(cat never.out)"

cat > sizes.c <<'C'
struct text { char *at; int at_len; };
int sum(const int *v, int n) { int s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
int last(const struct text *t) { return t->at && t->at_len > 0 ? t->at[t->at_len - 1] : 0; }
int overlap(const int *p, const int *q) { return p == q ? 10 / (*p - 3) : 0; }
int fifth(const int *p) { return p[5]; }
struct deep { struct deep *next; int value; };
int third(const struct deep *d) { return d->next && d->next->next && d->next->next != d && d->next->next != d->next ? 1 / (d->next->next->value - 3) : 0; }
int two_apart(int *p, long *q) { return p && q ? 100 / (*p - 7) : 0; }
int main(int argc, char **argv) { return argc > 99; }
C
build sizes sizes.c
unit 10 sizes ./sizes
expect sizes .kept "overlap:division-by-zero third:division-by-zero two_apart:division-by-zero "
unit 10 free_sizes --no-pointer-sizes --function sum --function last ./sizes
expect free_sizes .kept "last:heap-overflow sum:heap-overflow "
unit 0 apart --no-alias --function overlap ./sizes
expect apart .kept ""
unit 10 few --elements 4 --function fifth ./sizes
expect few .kept "fifth:heap-overflow "
unit 0 flat --depth 2 --function third ./sizes
expect flat .kept ""
unit 10 nulls --null-arguments --function fifth ./sizes
expect nulls .kept "fifth:null-dereference "
expect sizes '.function == "fifth"' "fifth:null-dereference "

# A caller whose exploration never reaches the call says nothing, unless that is asked for.
cat > far.c <<'C'
#include <unistd.h>
int called(int x) { return 100 / (x - 5); }
int caller(int x) { return getpid() == -1 ? called(x) : 0; }
int main(int argc, char **argv) { return caller(argc) == 77; }
C
build far far.c
unit 10 far --no-ranges --function called ./far
[ "$(jq -r '.alarms[].verdict' far.json)" = no-call ] || fail "a caller that makes no call: $(jq -c '.alarms[] | [.verdict, .reasons]' far.json)"
unit 0 strict --no-ranges --strict-filter --function called ./far
expect strict '.kept | not' "called:division-by-zero "

# What fails in another function of the unit is that one's business; that its caller's own runs fail so says where it can come from.
cat > nested.c <<'C'
int inner(int x) { return 100 / (x - 5); }
int outer(int x) { return x > 3 ? inner(x + 1) : 0; }
int main(int argc, char **argv) { return outer(argc) == 77; }
C
build nested nested.c
unit 0 nested --no-ranges --unit=distance:1 --function outer ./nested
expect nested true ""
[ "$(jq '.functions[0].calls.inner' nested.json)" -ge 1 ] || fail "nested: no calls: $(jq -c .functions nested.json)"
unit 10 seen --no-ranges --unit=distance:1 --function inner ./nested
[ "$(jq -c '.alarms[] | [.verdict, .context]' seen.json)" = '["seen","outer -> inner: outer(x = 4)"]' ] || fail "nested: $(jq -c '.alarms[] | [.verdict, .context]' seen.json)"

# --- what functions do, and what they take ------------------------------------

touch outside
wild=wild$$ # the name of its processes
build $wild "$root/tests/e2e/unit/wild.c" -DOUTSIDE="\"$PWD/outside\""
here=$(ls)
unit 10 wild --no-ranges --run-time 1 ./$wild
[ "$(ls | grep -v '^wild\.')" = "$here" ] || fail "something else is here, or is not: $(diff <(echo "$here") <(ls))"
kept_are_marked wild "$root/tests/e2e/unit/wild.c"
[ "$(jq -r '.untested' wild.json)" = 0 ] || fail "wild: not tested: $(jq -c '.functions[] | select(.trouble)' wild.json)"
[ "$(jq -r '.functions[] | select(.function == "loops_always") | .runs' wild.json)" -ge 2 ] || fail "a loop without an end: $(jq -c '.functions[] | select(.function == "loops_always")' wild.json)"
[ -e outside ] && [ ! -s outside ] || fail "a file outside of the sandbox is another one"
pgrep -x "$wild" > /dev/null && fail "processes that a function has started go on: $(pgrep -x -a "$wild")"

build shapes "$root/tests/e2e/unit/shapes.c"
unit 10 shapes --no-ranges ./shapes
kept_are_marked shapes "$root/tests/e2e/unit/shapes.c"
[ "$(jq -r '.untested' shapes.json)" = 0 ] || fail "shapes: not tested: $(jq -c '.functions[] | select(.trouble)' shapes.json)"
# input FUNCTION CLASS REGEX
input() { jq -r ".alarms[] | select(.kept and .function == \"$1\") | .input" shapes.json | grep -Eqx "$2" || fail "the input of $1: $(jq -r ".alarms[] | select(.function == \"$1\") | .input" shapes.json)"; }
input small 'small\(a = 1, b = -100, c = 60000\).*'
input enumerated 'enumerated\(c = BLUE\)'
input bit_fields 'bit_fields\(.*v\.d = -2, p->a = 5, p->b = -7, p->c = 4886718345.*'
input round_list 'round_list\(.*n->next->other = n, .*'
input globals 'globals\(\), .*state\.depth = 3, state\.name = "ab"'
input statics 'statics\(x = 7\), .*calls = 9, .*inner = 40'
input constants 'constants\(x = 10\), .*level = 5'

# --- replays --------------------------------------------------------------------

for f in wild.d/alarms/*.tcase shapes.d/alarms/*.tcase free.d/dropped/*.tcase; do
    class=$(sed -n 's/^bug "\(.*\)"$/\1/p' "$f")
    timeout 20 "$tandem" replay --quiet "$f" > replayed 2>&1
    grep -q ": bug: [A-Z, ]*$class (" replayed || fail "replay of $f: $(cat replayed)"
done

# --- going on -------------------------------------------------------------------

unit 10 whole --no-ranges ./shapes
unit 10 two --no-ranges -j 2 ./shapes
all whole > alarms.whole
all two | cmp -s - alarms.whole || fail "two at a time find something else: $(all two | diff - alarms.whole | cut -c 1-200 | head -n 4)"
for after in 0.05 0.15 0.3 0.5 0.7; do
    "$tandem" unit --no-ranges --execs 120 --no-progress --resume -o killed.d ./shapes > /dev/null 2>&1 &
    tester=$!
    sleep "$after"
    kill -9 "$tester" 2> /dev/null
    wait "$tester" 2> /dev/null
done
unit 10 killed --no-ranges --resume ./shapes
all killed | cmp -s - alarms.whole || fail "killed in the middle, it finds something else: $(all killed | diff - alarms.whole | cut -c 1-200 | head -n 4)"
ls -l --time-style=full-iso killed.d/functions > before
unit 10 killed --no-ranges --resume ./shapes
ls -l --time-style=full-iso killed.d/functions | cmp -s - before || fail "something was done again"
jq -S 'del(.seconds, .exploring, .start)' killed.json > again
unit 10 killed --no-ranges --resume -j 2 ./shapes
jq -S 'del(.seconds, .exploring, .start)' killed.json | cmp -s - again || fail "the same, known already, is told differently"
# What is damaged is made again.
set -- killed.d/functions/*.summary
for f; do
    case $f in
    */texts-*) : > "$f" ;;
    */small-*) truncate -s -7 "$f" ;;
    */globals-*) printf 'rubbish' | dd of="$f" bs=1 seek=200 conv=notrunc status=none ;;
    */wide-*) rm "$f" ;;
    esac
done
printf '\377\377\377\377\377\377\377\377\377\001' > "$(ls killed.d/functions/pointers-*.verdicts)"
unit 10 killed --no-ranges --resume ./shapes
all killed | cmp -s - alarms.whole || fail "damaged files make a difference: $(all killed | diff - alarms.whole | cut -c 1-200 | head -n 4)"
ls -l --time-style=full-iso killed.d/functions | diff - before | grep -c '^<.*\.summary' > again
[ "$(cat again)" = 4 ] || fail "of what was damaged $(cat again) summaries were made again"
# Other options, other files.
unit 10 killed --no-ranges --resume --seed 2 --function texts ./shapes
[ "$(ls killed.d/functions/texts-*.summary | wc -l)" = 2 ] || fail "another seed is the same: $(ls killed.d/functions/texts-*)"
# By weights, others of which are another search; what are no weights is refused.
"$tandem" learn -o first.theta -n 1 -N 2 --rounds 1 --no-compare --no-progress ./shapes > learn.out 2>&1 || fail "no weights: $(cat learn.out)"
sed 's/^\( *1 in-main\) .*/\1 0.75/' first.theta > second.theta
for weights in first second; do
    "$tandem" unit --no-progress --execs 30 --resume -o weighed.d --search $weights.theta --function texts ./shapes > out 2> err
    case $? in 0|10) ;; *) fail "by weights: $(cat err)" ;; esac
done
[ "$(ls weighed.d/functions/texts-*.summary | wc -l)" = 2 ] || fail "other weights are the same search: $(ls weighed.d/functions/texts-*)"
unit 1 weighed --search nowhere.theta ./shapes
grep -q 'nowhere.theta: No such file' weighed.err || fail "weights that are not there: $(cat weighed.err)"
unit 1 weighed --search theta ./shapes
grep -q 'needs a file of weights' weighed.err || fail "a search without weights: $(cat weighed.err)"
unit 10 killed --no-ranges --resume --elements 5 --function texts ./shapes
[ "$(ls killed.d/functions/texts-*.summary | wc -l)" = 3 ] || fail "fewer elements are the same: $(ls killed.d/functions/texts-*)"

# --- which functions --------------------------------------------------------------

mkdir repository
(
    cd repository || exit 1
    git init -q . && git config user.email a@b && git config user.name a
    printf 'int helper(int x) { return x; }\nint below(int x);\nint top(int x) { return below(x); }\nint apart(int x) { return x; }\n' > one.c
    printf 'int below(int x) { return x + 1; }\nint top(int x);\nint main(int argc, char **argv) { return top(argc) - argc; }\n' > two.c
    "$cc" -g one.c two.c -o both > build.log 2>&1 || exit 1
    git add one.c two.c && git commit -q -m one
) || fail "no repository"
list() { (cd repository && "$tandem" unit --list "$@" ./both 2> err | sed -n 's/^[^ ].*: \([a-z]*\): [0-9]* objects.*/\1/p' | tr '\n' ' '); }
[ "$(list)" = "helper top apart below " ] || fail "all functions: $(list)"
[ "$(list --file two.c)" = "below " ] || fail "of a file: $(list --file two.c)"
[ "$(list --function top --function two.c:below)" = "top below " ] || fail "named ones: $(list --function top --function two.c:below)"
[ "$(list --changed-since HEAD)" = "" ] || fail "nothing has changed: $(list --changed-since HEAD)"
again() { (cd repository && "$cc" -g one.c two.c -o both && "$tandem" unit --no-progress --execs 20 -o kept --resume ./both > /dev/null 2>&1); }
again
cp repository/both before
again
cmp -s before repository/both || fail "the same source is another program when it is compiled again"
sed -i 's/x + 1; }/x + 2; }/' repository/two.c
again
[ "$(ls repository/kept/functions | cut -d - -f 1 | sort | uniq -c | tr -s ' \n' ' ')" = " 1 apart 2 below 1 helper 2 main 2 top " ] || fail "what has changed is tested again, and nothing else: $(ls repository/kept/functions)"
[ "$(list --changed-since HEAD)" = "top below " ] || fail "what has changed, and what calls it: $(list --changed-since HEAD)"
[ "$(list --changed-since HEAD --unit=alone)" = "below " ] || fail "what has changed, alone: $(list --changed-since HEAD --unit=alone)"
list --changed-since nothing > /dev/null
grep -q nothing repository/err || fail "no such revision: $(cat repository/err)"

# --- what it cannot do --------------------------------------------------------------

# refused WORDS ARGUMENTS...: status 1, and says why.
refused() {
    local words=$1
    shift
    timeout 20 "$tandem" unit --no-progress -o refused.d "$@" > out 2>&1
    [ $? = 1 ] && grep -q -- "$words" out || fail "unit $*: $(cat out)"
}
clang-19 -w -g sizes.c -o plain
cp sizes stripped && strip -g stripped
refused 'was not built with tandem cc' ./plain
refused 'has no debug information' ./stripped
refused 'No such file' ./gone
refused 'is not a program' /tmp
refused "has no function 'nobody'" --function nobody ./sizes
refused "has no function 'other.c:sum'" --function other.c:sum ./sizes
refused 'has no functions of such a file' --file nobody.c ./sizes
refused 'No such file' --tests ./gone ./sizes
refused 'it is no test case' --tests sizes.c ./sizes
refused '--unit kind: dependency' --unit=kind ./sizes
refused 'more than 0 and at most 1' --tau 1.5 ./sizes
refused 'Not a directory' -o plain/x ./sizes
[ ! -e refused.d ] || fail "a directory is made for nothing"
unit 10 others --tests suite ./sizes # of another program
grep -q 'note: of the test cases 3 are another program' others.err || fail "tests of another program: $(cat others.err)"
mkdir disk && mount -t tmpfs -o size=16k tmpfs disk && {
    timeout 20 "$tandem" unit --no-progress --execs 20 --no-ranges -o disk/d ./shapes > out 2>&1
    status=$?
    [ $status = 6 ] && grep -q 'No space left' out || fail "a full disk, status $status: $(tail -n 3 out)"
    umount disk
}

[ "$failures" = 0 ]
