#!/bin/bash
# How much of what real programs do stays symbolic: the jobs of jobs.sh, each traced once. Publishes figures and has no bar;
# exit 1 only if a run fails.
#
#   tests/suites/reach.sh [--jobs 2] [NAME...]
#
# A row per program, the sum over its jobs:
#   branches  symbolic     branch and switch events; share of them that depends on the input
#   operations             symbolic operations
#   lost                   CONCRETISE events per 1,000 symbolic operations
#   by kind                how many of each kind
# and below it the functions without a model that were given symbolic data.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$suites/jobs.sh"

program_arguments "$@"
work=$(mktemp -d "${TMPDIR:-/tmp}/tandem-reach-XXXXXX")
trap 'rm -rf "$work"' EXIT

# traced NAME ARGUMENT...: adds what the job's trace says, with all branches and with the symbolic ones alone.
traced() {
    local name=$1 option
    shift
    for option in --all-branches ""; do
        echo "run ${option:---symbolic}" >> "$work/stats"
        bounded 120 4096 "$TANDEM" trace --quiet --stats $option --stdin="$work/stdin" "${given_options[@]}" -- "$work/$name.tested" "$@" \
            > "$work/out" 2> "$work/err" || true # the job's own status
        grep -q '^terms ' "$work/err" || { cat "$work/err" >&2; die "$name $*: no trace"; }
        cat "$work/err" >> "$work/stats"
    done
}

row() {
    awk -v name="$1" '
        $1 == "run" { all = $2 == "--all-branches" }
        $1 == "branch" || $1 == "switch" { if (all) events += $2; else symbolic += $2 }
        all { next }
        /^symbolic operations: / { operations += $3 }
        $1 == "concretise" { lost += $2 }
        sub(/^lost, /, "") { n = $NF; sub(/: [0-9]+$/, ""); kinds[$0] += n }
        sub(/^symbolic data went to /, "") { sub(/:.*/, ""); went[$0] = 1 }
        END {
            printf "%-9s %9d %8.1f %% %11d %8.2f  ", name, events, events ? 100 * symbolic / events : 0, operations, operations ? 1000 * lost / operations : 0
            for (k in kinds) { printf "%s%s %d", comma, k, kinds[k]; comma = ", " }
            for (w in went) list = list " " w
            print list ? "\n          unmodelled:" list : ""
        }' "$work/stats"
}

printf '%-9s %9s %10s %11s %8s  %s\n' program branches symbolic operations lost/1000 "by kind"
for name in ${names:-$program_names}; do
    program_build "$name" tested "$jobs"
    : > "$work/stats"
    program_jobs "$name" traced
    row "$name"
done
