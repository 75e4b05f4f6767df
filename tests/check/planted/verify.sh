#!/bin/sh
# Checks that everything is as bugs.txt says: the tests pass without a report
# of AddressSanitizer or UndefinedBehaviorSanitizer and run every line, and
# each of the twelve commands fails, first of all, at the line stated for it.
# Usage: verify.sh [-v]   (-v shows the reports' first lines)

here=$(cd "$(dirname "$0")" && pwd)
CLANG=${CLANG:-clang-19}
verbose=$1
programs='arls calc confchk cutr recs trx'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

problem() {
    echo "WRONG: $*"
    bad=1
}

# Arguments go to the heap, as heapargs.c explains. No report may be recovered
# from, so that the first one is the one that is seen.
build_sanitized() {
    mkdir "$work/san"
    for p in $programs; do
        "$CLANG" -std=c17 -O0 -g -w -fsanitize=address,undefined -fno-sanitize-recover=all \
            -Dmain=program_main -c -o "$work/san/$p.o" "$here/$p.c" &&
        "$CLANG" -std=c17 -g -fsanitize=address,undefined -o "$work/san/$p" \
            "$work/san/$p.o" "$here/tests/heapargs.c" || exit 2
    done
}

# Object files first: gcov's notes take their names and places from them.
build_covered() {
    mkdir "$work/cov"
    cd "$work/cov" || exit 2
    for p in $programs; do
        gcc -std=c17 -O0 -w --coverage -c -o "$p.o" "$here/$p.c" &&
        gcc --coverage -o "$p" "$p.o" || exit 2
    done
}

# A report goes to a file of its own, as tests may hide what programs print.
run_suite() {
    for p in $programs; do
        ASAN_OPTIONS=log_path=$work/report UBSAN_OPTIONS=log_path=$work/report \
            BIN=$1 sh "$here/tests/$p.sh"
    done >"$work/log"
    grep -q ^FAIL "$work/log" && { grep ^FAIL "$work/log"; problem "tests fail in $1"; }
    ls "$work"/report* >/dev/null 2>&1 && { cat "$work"/report*; problem "reports in the tests"; }
    echo "tests in $(basename "$1"): $(grep -c ^PASS "$work/log") passed"
}

run_trigger() {
    rm -rf "$work/try"
    mkdir "$work/try"
    (cd "$work/try" && PATH=$work/san:$PATH sh -c "$1") >"$work/out" 2>&1
    grep -aE 'runtime error|ERROR: AddressSanitizer' "$work/out" >/dev/null || return
    grep -aoE '(arls|calc|confchk|cutr|recs|trx)\.c:[0-9]+' "$work/out" | head -n 1
}

check_bugs() {
    count=0
    while read -r line; do
        case $line in P*) ;; *) continue ;; esac
        field() { printf '%s\n' "$line" | awk -F ' *:: *' -v n="$1" '{print $n}'; }
        id=$(field 1) program=$(field 2) place=$(field 3) test=$(field 6)
        count=$((count + 1))
        got=$(run_trigger "$(field 7)")
        [ "$got" = "$place" ] || problem "$id fails at '$got', not at $place"
        grep -qF " '$test' " "$here/tests/$program.sh" || problem "$id: no test '$test'"
        echo "$id $got distance $(field 5)"
        [ "$verbose" ] && grep -aE 'runtime error|ERROR: Add' "$work/out" | cut -c 1-150
    done <"$here/bugs.txt"
    [ "$count" = 12 ] || problem "$count bugs listed"
}

check_coverage() {
    cd "$work/cov" || exit 2
    for p in $programs; do
        lines=$(gcov -n "$p.gcda" 2>/dev/null | sed -n 's/^Lines executed://p' | head -n 1)
        echo "lines of $p.c: $lines"
        case $lines in 100.00%*) ;; *) problem "$p.c is not covered" ;; esac
    done
}

build_sanitized
run_suite "$work/san"
check_bugs
build_covered
run_suite "$work/cov"
check_coverage
exit $bad
