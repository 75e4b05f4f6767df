#!/bin/bash
# The solver pipeline against Z3 with slicing, on the queries of explorations of small programs and, where they were built before
# (tests/suites, bench), of sed, grep, xmlwf and gzip. Prints per program: queries, distinct ones, verdicts, queries per CPU
# second cold and as they came, stages, and the two ratios; the bars are 4x and 10x. All programs run in the sandbox.
#
#   bench/solver.sh [--time SECONDS] [--execs N] [--z3 N]
#
# --z3: of how many distinct queries Z3 is asked, taken evenly (default 150).
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"

seconds=8 execs=1000 most=150
while [ $# -gt 0 ]; do
    case $1 in
    --time) seconds=$(value_of "$@"); shift ;;
    --execs) execs=$(value_of "$@"); shift ;;
    --z3) most=$(value_of "$@"); shift ;;
    *) die "unknown option '$1'" ;;
    esac
    shift
done
need_tool "$CC" "CC"
make -s -C "$ROOT" bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# STDIN_SIZE PROGRAM ARGUMENT...
measure() {
    local size=$1
    shift
    [ -x "$1" ] || return 0
    "$ROOT/build/bench/solver" --time "$seconds" --execs "$execs" --z3 "$most" --stages --stdin "$size" "$@"
}

small() { "$CC" "$ROOT/$1" -o "$(basename "$1" .c)" && measure "$2" "./$(basename "$1" .c)"; }

small bench/programs/header.c 48
small tests/e2e/programs/switches.c 12
measure 24 "$cache/builds/sed.tested/sed/sed" -n -e '/a[0-9]*b/p' -e '2,3s/x/yy/'
measure 16 "$cache/builds/grep.tested/src/grep" -E 'a[b-d]*x|[0-9]+'
LD_LIBRARY_PATH=$cache/builds/expat.tested/expat/lib/.libs measure 32 "$cache/builds/expat.tested/expat/xmlwf/.libs/xmlwf"
measure 32 "$cache/builds/gzip.tested/gzip" -dc
