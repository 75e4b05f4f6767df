#!/bin/bash
# Runs in a process that was used before are like runs in processes of their own: the same inputs in the same order, the same coverage, the same
# tests with the same ends. The program leaves behind whatever it can, and looks for it (programs/parts/rewind.c): if there is any of it, another side of a branch is taken.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "rewind: $*"; failures=$((failures + 1)); }
failures=0

# explored NAME [OPTIONS]: inputs in NAME.inputs, tests in NAME.tests, counts in NAME.json
explored() {
    timeout 100 "$tandem" explore --go-on --no-progress --execs 300 --stdin 1 -o "$1" --log-inputs "$1.inputs" --json "${@:2}" ./rewind > "$1.json" 2> "$1.err"
    [ $? = 5 ] || fail "$1: $(tail -n 3 "$1.err")"
    for t in "$1"/tests/*.tcase; do sed '/^purpose/d; /^end/d' "$t"; done > "$1.tests"
}
count() { sed -n "s/.*\"$2\": \([0-9]*\).*/\1/p" "$1.json"; }

"$cc" -O2 -w "$programs/parts/rewind.c" -o rewind -lm || fail "does not compile"
for search in auto dfs random; do
    explored used-$search --search $search
    explored fresh-$search --search $search --fresh
    cmp -s used-$search.inputs fresh-$search.inputs || fail "$search: other inputs: $(diff used-$search.inputs fresh-$search.inputs | head -n 3)"
    cmp -s used-$search.tests fresh-$search.tests || fail "$search: other tests: $(diff used-$search.tests fresh-$search.tests | head -n 5)"
    for what in edges_seen divergences garbled unconfirmed bugs timeouts; do
        [ "$(count used-$search $what)" = "$(count fresh-$search $what)" ] || fail "$search: $what: $(count used-$search $what), $(count fresh-$search $what) with --fresh"
    done
    [ "$(count used-$search reused)" -ge 20 ] || fail "$search: only $(count used-$search reused) runs in a process that had run before"
    [ "$(count fresh-$search reused)" = 0 ] || fail "$search: --fresh, but $(count fresh-$search reused) were not"
done
[ "$(ls used-auto/tests | wc -l)" -ge 37 ] || fail "it has not done all it can: $(ls used-auto/tests | wc -l) tests"

[ $failures = 0 ] && echo "rewind: ok"
exit $((failures > 0))
