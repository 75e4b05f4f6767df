#!/bin/bash
# `explore --search FILE.theta`: weights decide, one seed is one exploration, also with several processes; the uncovered first is enough for a small program; files that are no weights, or
# not all of them, are refused by name and line.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "theta: $*"; failures=$((failures + 1)); }

features="in-main loop-goes-on loop-ends nested external-call integer literal pointer local in-loop case-taken case-not-taken first-tenth last-tenth most-frequent least-frequent newly-covered
after-negated context-1 context-2 context-3 context-4 context-5 negated-10 negated-20 negated-30 near-negated failed opposite-failed opposite-uncovered next-uncovered negated-lately-10
negated-lately-20 negated-lately-30 uncovered-function unreached-largest-10 unreached-largest-20 unreached-largest-30 unreached-large recent-function"

# weights_of NAME=WEIGHT...: a file on standard output; the others weigh nothing.
weights_of() {
    local name n=0 set weight
    echo "tandem theta 1"
    for name in $features; do
        weight=0
        for set; do [ "${set%=*}" != "$name" ] || weight=${set#*=}; done
        echo "$((n += 1)) $name $weight"
    done
}

# Loops, a switch, a call through a pointer, and something behind each.
cat > lines.c <<'C1'
#include <stdlib.h>
#include <unistd.h>
static int number(const char *s) { int n = 0; while (*s >= '0' && *s <= '9') n = n * 10 + *s++ - '0'; if (n == 123) return -1; return n; }
static int word(const char *s) { if (s[0] == 'o' && s[1] == 'k') return 1; if (s[0] == 'q') return 2; return 3; }
static int (*volatile classes[2])(const char *) = { word, number };
int main(void)
{
	char b[9] = "";
	if (read(0, b, 8) != 8)
		return 1;
	int found = classes[b[1] >= '0' && b[1] <= '9'](b + 1);
	switch (b[0]) {
	case 'a': found += 2; break;
	case 'b': if (found == -1) return 2; break;
	case 'c': if (b[7] == 'x') return 3; break;
	}
	return found == 4;
}
C1
"$cc" -O1 -g lines.c -o lines || { fail "lines does not build"; exit 1; }

# explore OPTIONS...: its counts as JSON; with a seed, and nothing else of chance.
explore() { rm -rf found; "$tandem" explore --json --go-on --no-progress --time 0 --stdin 8 --out found "$@" ./lines 2> errors.txt; }

# All that can be taken is, by the uncovered first; the deepest first, which is what no weights mean, needs more.
weights_of opposite-uncovered=1 > uncovered.theta
weights_of > nothing.theta
weights_of opposite-uncovered=1 loop-goes-on=-0.5 first-tenth=0.25 context-2=-0.125 negated-10=-1 recent-function=0.1 > several.theta
explore --search uncovered.theta --execs 60 > uncovered.json
[ "$(jq .search uncovered.json)" = '"theta"' ] || fail "its name is $(jq .search uncovered.json)"
read -r taken all < <(jq -r '"\(.branches_covered) \(.branches_total)"' uncovered.json)
[ "${taken:-0}" = "${all:-1}" ] || fail "the uncovered first takes ${taken:-no} of ${all:-all} sides in 60 runs"
explore --search ./nothing.theta --execs 60 > nothing.json
[ "$(jq .branches_covered nothing.json)" -lt "${taken:-0}" ] || fail "without weights $(jq .branches_covered nothing.json) sides are taken in 60 runs, as many as with them"

# One seed, one exploration.
for t in uncovered nothing several; do
    for k in 1 2; do
        explore --search $t.theta --execs 150 --seed 4 --log-inputs $t.$k | jq -c 'del(.seconds, .runs_per_second) | with_entries(select(.value | type != "object"))' > $t.$k.json
    done
    [ "$(sort -u $t.1 | wc -l)" = "$(wc -l < $t.1)" ] || fail "$t: an input ran twice"
    cmp -s $t.1 $t.2 || fail "$t: one seed, two explorations"
    cmp -s $t.1.json $t.2.json || fail "$t: one seed, two reports: $(diff $t.1.json $t.2.json)"
done
! cmp -s uncovered.1 nothing.1 || fail "weights make no difference"
explore --search several.theta --execs 200 -j 2 > team.json
[ "$(jq .runs team.json)" -ge 200 ] || fail "two processes: $(cat team.json errors.txt)"
"$tandem" explore --search several.theta --go-on --execs 20 --time 0 --stdin 8 --out told ./lines > told.txt 2>&1
grep -q '^search theta: ' told.txt || fail "no statistics: $(cat told.txt)"

# refused FILE REASON
refused() {
    explore --search "$1" --execs 1 > /dev/null
    local status=$?
    [ $status = 1 ] && grep -q -- "$2" errors.txt || fail "$1: exit $status, not '$2': $(cat errors.txt)"
    [ ! -e found ] || fail "$1: something was explored"
}
refused nonesuch.theta 'nonesuch.theta: No such file'
refused ./lines.c 'lines.c:1: not a file of weights'
refused ./lines 'lines: not a file of weights'
refused "$dir" "cannot read $dir"
sed 1s/1/2/ uncovered.theta > version.theta
refused version.theta 'version.theta:1: a file of weights of version 2'
sed '/ nested /d' uncovered.theta > missing.theta
refused missing.theta "missing.theta:40: 39 of 40 features have a weight, 'nested' has none"
sed '5s/.*/4 knotted 0/' uncovered.theta > unknown.theta
refused unknown.theta "unknown.theta:5: no feature is called 'knotted'"
sed '5p' uncovered.theta > twice.theta
refused twice.theta "twice.theta:6: feature 'nested' is there twice"
for weight in nan inf 1e9 x ''; do
    sed "5s/0\$/$weight/" uncovered.theta > weight.theta
    refused weight.theta 'weight.theta:5: '
done
refused theta 'needs a file of weights'
refused sigma 'near, FILE.theta'
"$tandem" explore --help | grep -q '^  theta ' || fail "the help does not tell of weights"

[ "$failures" = 0 ] && echo "theta: ok"
[ "$failures" = 0 ]
