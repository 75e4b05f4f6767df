#!/bin/bash
# Are the conditions right? Each program of the catalogue (README.md) is explored from its harmless input, what must hold being
# violated first, until a bug is found. The input that comes out, run by itself, must be reported as the right class at the
# marked line. A condition that a model violates and a run does not report is a wrong term; so is any report in a harmless program.
# Printed is by class how the bug was reached:
#
#   condition   an input on which the condition at the bug does not hold, made from a run on which it does
#   path        by other branches, or by the input's length; the operands at the bug are then not symbolic
#   not         within so many runs; `unreached` has the reason
#
# Programs that are not in `unreached` with the word `path` or `not` have to be reached by a condition. Those in `missed` are left out.
#
#   tests/memory/terms.sh [--list] [PROGRAM...]
set -uo pipefail
. "$(dirname "$0")/lib.sh"
group=terms
runs=400 seconds=20
list=0
[ "${1-}" = --list ] && { list=1; shift; }
[ $# -gt 0 ] || set -- "$here"/programs/*.c

# The input that explore found: `arguments` and the file stdin.
input_found() {
    arguments=()
    rm -rf raw
    "$TANDEM" export --format raw -o raw found/crashes
    mapfile -d '' -t arguments < raw/*/args
    cp raw/*/stdin stdin
}

# How the bug was reached; `wrong` says what is wrong with that.
reach() {
    local arguments how=not
    input_of good
    rm -rf found
    # shellcheck disable=SC2046
    timeout -k 2 60 "$TANDEM" explore --conditions-first --execs $runs --time $seconds $(options_of) --stdin-file stdin --out found \
        ./program "${arguments[@]}" > log 2>&1
    case $? in
    0|5) ;;
    10) how=path ;;
    *) wrong="explore: $(tail -n 1 log)"; return ;;
    esac
    ! grep -q ' of them unreported' log || wrong="a condition was violated and nothing reported"
    if [ $how = path ]; then
        ! grep -q '^  made from: a condition' log || how=condition
        input_found
        # shellcheck disable=SC2046
        timeout -k 2 20 "$TANDEM" trace --quiet $(options_of) --stdin stdin ./program "${arguments[@]}" > out 2> err
        wrong=${wrong:-$(judge "$(field bug)")}
    fi
    reached=$how
}

check() {
    local expected
    wrong='' reached=not
    expected=$(awk -v name="$name" '$1 == name { print $2 }' "$here/unreached")
    build || return 1
    reach
    [ "$(field bug)" != none ] || expected=not
    if [ -z "$wrong" ] && [ "$reached" != "${expected:-condition}" ]; then
        wrong="reached: $reached instead of ${expected:-condition}"
    fi
    echo "$(field bug) $reached ${wrong:+wrong}" >> table
    [ -z "$wrong" ] || { says "$(field bug): $wrong"; return 1; }
    [ $list = 0 ] || says "$(field bug): $reached"
}

show_table() {
    printf '%-22s %9s %6s %6s %6s\n' class condition path not wrong
    { sort table; sed 's/^[^ ]*/all/' table; } | awk '
        function row() { printf "%-22s %9d %6d %6d %6d\n", class, k["condition"], k["path"], k["not"], k["wrong"]; delete k }
        class != $1 { if (class) row(); class = $1 }
        { k[$2]++; k["wrong"] += $3 == "wrong" }
        END { row() }'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 6
: > table
passed=0 failed=0
for source; do
    name=$(basename "$source" .c)
    source=$here/programs/$name.c
    ! grep -q "^$name " "$here/missed" || continue
    if check; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
show_table
echo "terms: $passed passed, $failed failed"
[ $failed = 0 ]
