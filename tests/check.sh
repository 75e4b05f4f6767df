#!/bin/bash
# The whole test run of `make check`: each group, a line each, and last of all `N passed, M failed`.
# check.sh [GROUP...]: rooms unit e2e predict models memory fault; terms, which takes minutes, if it is named.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0

# Each test program of a module says how many of its tests passed and failed.
unit() {
    local t p=0 f=0
    for t in "${BUILD:-build}"/unit/*; do
        case $t in *.log|*.d|*.o) continue ;; esac
        [ -x "$t" ] || continue
        if "$t" > "$t.log" 2>&1; then
            p=$((p + $(awk '/^\[  PASSED  \]/ { n += $4 } END { print n + 0 }' "$t.log")))
        else
            cat "$t.log"
            f=$((f + $(awk '/^\[  FAILED  \] [0-9]+ test/ { n += $4 } END { print n ? n : 1 }' "$t.log")))
        fi
    done
    echo "unit: $p passed, $f failed"
}

rooms() { tools/check-rooms; }
e2e() { tests/e2e/run.sh; }
predict() { tests/differential/predict.sh; }
models() { tests/suites/models.sh --group --cases 1 --pairs 6 --jobs 2; }
memory() { tests/memory/run.sh; }
terms() { tests/memory/terms.sh; }
fault() { tests/fault/run.sh; }

number_before() { sed -n "\$s/.*[:,] \([0-9]*\) $1.*/\1/p" "$log"; }

[ $# -gt 0 ] || set -- rooms unit e2e predict models memory fault
for group; do
    start=$SECONDS
    "$group" > "$log" 2>&1
    status=$?
    p=$(number_before passed) f=$(number_before failed) s=$(number_before skipped)
    # A group that does not come to its last line has failed.
    [ -n "$p" ] && [ -n "$f" ] || { p=0 f=1; }
    [ "$status" = 0 ] || [ "$f" != 0 ] || f=1
    if [ "$f" != 0 ]; then cat "$log"; else grep 'skipped: ' "$log"; fi
    printf '%-8s %3d passed, %d failed%s  (%d s)\n' "$group" "$p" "$f" "${s:+, $s skipped}" $((SECONDS - start))
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + ${s:-0}))
done
[ "$skipped" = 0 ] || echo "$skipped skipped (see tests/known-failing.txt and the lines above)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
