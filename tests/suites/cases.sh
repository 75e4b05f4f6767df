#!/bin/bash
# A test case recorded from a real program takes the same path whenever it is replayed, and the plain build does the same on it as in
# the recorded run: the jobs of jobs.sh, each recorded, replayed twice on the instrumented build and once on clang-19's.
#
#   tests/suites/cases.sh [--jobs 2] [NAME...]
#
# A row per program: recordings, and how many replayed. Exit 1 if one did not.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$suites/jobs.sh"

program_arguments "$@"
work=$(mktemp -d "${TMPDIR:-/tmp}/tandem-cases-XXXXXX")
trap 'rm -rf "$work"' EXIT

failed() { echo "FAIL $1: $2: $(head -n 5 "$work/said" | cut -c 1-200)"; exit 0; }

# recorded NAME ARGUMENT...: a line "right" in $work/verdicts if all is as recorded.
recorded() {
    local name=$1 case=$work/case.tcase
    echo recorded >> "$work/verdicts"
    bounded 60 1024 "$TANDEM" record "${given_names[@]}" -o "$case" "$work/$name.tested" "${@:2}" < "$work/stdin" > "$work/said" 2>&1 || true # the job's own status
    [ -s "$case" ] || failed "$*" "record"
    bounded 120 4096 "$TANDEM" replay --quiet --expect "$case" -- "$work/$name.reference" > "$work/said" 2>&1 || failed "$*" "on the plain build"
    bounded 120 4096 "$TANDEM" replay --quiet --expect "$case" > "$work/said" 2>&1 || failed "$*" "instrumented"
    bounded 120 4096 "$TANDEM" replay --quiet --update "$case" > "$work/said" 2>&1 || true
    grep -q '^path ' "$case" || failed "$*" "path"
    bounded 120 4096 "$TANDEM" replay --quiet --path --expect "$case" > "$work/said" 2>&1 || failed "$*" "the same path again"
    echo right >> "$work/verdicts"
}

: > "$work/all"
for name in ${names:-$program_names}; do
    for role in reference tested; do program_build "$name" $role "$jobs"; done
    : > "$work/verdicts"
    program_jobs "$name" recorded
    cat "$work/verdicts" >> "$work/all"
    printf '%-9s %3d recorded, %3d replay\n' "$name" "$(grep -c recorded "$work/verdicts")" "$(grep -c right "$work/verdicts")"
done
[ "$(grep -c recorded "$work/all")" = "$(grep -c right "$work/all")" ]
