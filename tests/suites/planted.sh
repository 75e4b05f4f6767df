#!/bin/bash
# Twelve faults that a passing suite with full line coverage does not show (tests/check/planted, bugs.txt there): tandem check has to find all of them, and nothing else.
#
#   tests/suites/planted.sh [--time 240] [--jobs N] [--keep DIR]
#
# Told for each: at which distance, after how many runs, by how many bytes its input differs from the test's. Exit 1 if one is missing, if something is reported at another line, if a reported input does not
# fail when it is replayed, or if the suite under tandem check says something else than without.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

seconds=240 jobs=1 keep=""
while [ $# -gt 0 ]; do
    case $1 in
    --time) seconds=$(value_of "$@"); shift ;;
    --jobs) jobs=$(value_of "$@"); shift ;;
    --keep) keep=$(value_of "$@"); shift ;;
    *) die "unknown argument '$1'" ;;
    esac
    shift
done
need_tool "$CC" CC
need_tool jq
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$ROOT/tests/check/planted" "$work/src"
cd "$work/src"
make -s CC="$CC" > "$work/build.log" 2>&1 || { cat "$work/build.log"; die "it does not build"; }

status=0
make -s check CC="$CC" > "$work/plain" 2>&1 || status=1
"$TANDEM" check --no-progress --json --time "$seconds" --jobs "$jobs" --out "$work/out" -- make -s check CC="$CC" > "$work/suite" 2> "$work/said" || status=1
cmp "$work/plain" "$work/suite" || status=1
[ -z "$keep" ] || { mkdir -p "$keep"; cp -r "$work/out" "$work/said" "$keep"; }

# --- what was planted, and what was found --------------------------------------

awk -F ' *:: *' '/^P/ { print $1, $3 }' bugs.txt > "$work/planted"
sed -n 's/^bug: .* at \([a-z]*\.c:[0-9]*\):.*/\1/p' "$work/said" | sort -u > "$work/found"
printf '%-4s %-14s %-18s %8s  %s\n' bug line class distance 'differs from the test in'
while read -r id line; do
    # The report of it that is nearest to a test.
    awk -v line="$line" -v id="$id" '
        /^bug: / { on = index($0, " at " line ":"); class = $2 }
        on && /distance/ { d = $0; sub(/.*distance /, "", d); sub(/,.*/, "", d) }
        on && /differs from/ { sub(/.*differs from that test in: /, ""); if (best == "" || d < best) { best = d; text = $0; of = class } }
        END { if (best == "") { printf "%-4s %-14s MISSING\n", id, line; exit 1 } printf "%-4s %-14s %-18s %8d  %s\n", id, line, of, best, text }' "$work/said" || status=1
done < "$work/planted"
cut -d ' ' -f 2 "$work/planted" | sort -u | comm -13 - "$work/found" | sed 's/^/NOT PLANTED: /' > "$work/others"
cat "$work/others"
[ ! -s "$work/others" ] || status=1
for f in "$work"/out/*/crashes/*.tcase; do
    "$TANDEM" replay -q "$f" > /dev/null 2>&1 && { echo "DOES NOT FAIL: $f"; status=1; }
done
jq -r '.programs[] | "\(.program | sub(".*/"; "")): \(.tests) tests, \(.stats.checks) checks, \(.stats.checks_proved) proved, \(.stats.runs) runs in \(.stats.seconds | floor) s, distance \(.stats.distance)"' "$work/out/report.json"
exit $status
