#!/bin/bash
# What a unit test costs: runs for a second and start-up, of the functions of small programs (tests/catalogue/unit), beside what tandem explore makes of one of them as a whole in the same run.
#
#   bench/unit.sh [--time 5] [NAME...]
#
#   --time S   for each function
#
# One job at a time. Of each function: runs for a second of exploring, traces read and calls watched, and milliseconds until its first run was over. Functions with nothing more to be tried have fewer runs than it takes to say how fast they are: those with less than a second are left out. There is no bar here.
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"

seconds=5 names=""
while [ $# -gt 0 ]; do
    case $1 in
    --time) seconds=$(value_of "$@"); shift ;;
    -*)     die "unknown option '$1'" ;;
    *)      names="$names $1" ;;
    esac
    shift
done
names=${names:-length_of_array true_upper_word_copy caller_last_letter both_lower_strings callee_rank_lower true_upper_recursive_digits}
need_tool jq
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf '%-28s %-16s %9s %9s %8s\n' program function runs runs/s start-ms
for name in $names; do
    "$CC" -O1 -g -o "$work/$name" "$ROOT/tests/catalogue/unit/$name.c"
    "$TANDEM" unit --json --no-progress --time "$seconds" --out "$work/$name.out" "$work/$name" > "$work/$name.json" || [ $? -eq 10 ]
    jq -r --arg name "$name" '.functions[] | select(.runs) | [$name, .function, .runs, .runs / .seconds, 1000 * .started, .seconds] | map(tostring) | join(" ")' "$work/$name.json" |
        tee -a "$work/all" | awk '$6 >= 1 { printf "%-28s %-16s %9d %9.0f %8.1f\n", $1, $2, $3, $4, $5 }'
done
set -- $names
whole=$("$TANDEM" explore --json --no-progress --go-on --time "$seconds" --args 0..2x8 --out "$work/whole" "$work/$1" 2> /dev/null | jq -r '.runs / .seconds' || true)
awk -v whole="${whole:-0}" -v name="$1" '
    { start += $5; n++; if ($5 > worst) worst = $5 }
    $6 >= 1 { rate[++k] = $4; if (k == 1 || $4 < least) least = $4; sum += $4 }
    END {
        printf "runs for a second: %.0f at least, %.0f on average of %d functions; start-up %.1f ms on average, %.1f at worst of %d\n", least, k ? sum / k : 0, k, start / n, worst, n
        if (whole > 0 && k) printf "%s as a whole: %.0f runs for a second; a unit test is %.2f times as fast\n", name, whole, sum / k / whole
    }' "$work/all"
