#!/bin/bash
# The solver pipeline against Z3 with slicing, on the queries of explorations of two small programs and of those of
# bench/coverage.sh that it has built, from the same seeds. Prints per program: queries, distinct ones, verdicts, queries per CPU
# second cold and as they came, stages, and the two ratios; the bars are 4x and 10x. All programs run in the sandbox.
#
#   bench/solver.sh [--time SECONDS] [--execs N] [--z3 N] [NAME...]
#
# --z3: of how many distinct queries Z3 is asked, taken evenly (default 150).
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"
. "$ROOT/bench/seeds.sh"

seconds=8 execs=1000 most=150 names=""
while [ $# -gt 0 ]; do
    case $1 in
    --time) seconds=$(value_of "$@"); shift ;;
    --execs) execs=$(value_of "$@"); shift ;;
    --z3) most=$(value_of "$@"); shift ;;
    -*) die "unknown option '$1'" ;;
    *) names="$names $1" ;;
    esac
    shift
done
need_tool "$CC" "CC"
make -s -C "$ROOT" bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# measure OPTION... PROGRAM ARGUMENT...
measure() { "$ROOT/build/bench/solver" --time "$seconds" --execs "$execs" --z3 "$most" --stages "$@"; }

for name in ${names:-header switches cut expr tr printf seq sort paste md5sum sed grep xmlwf tree gawk}; do
    case $name in
    header)
        "$CC" "$ROOT/bench/programs/header.c" -o header
        measure --stdin 48 ./header ;;
    switches)
        "$CC" "$ROOT/tests/e2e/programs/switches.c" -o switches
        measure --stdin 12 ./switches ;;
    *)  [ -x "$cache/coverage/$name.tested" ] || { echo "$name: not built (bench/coverage.sh)"; continue; }
        seed_of "$name"
        printf '%b' "$input" > input
        measure --stdin-file input "$cache/coverage/$name.tested" ${arguments[@]+"${arguments[@]}"} ;;
    esac
done
