#!/bin/bash
# Random C programs: csmith writes programs free of undefined behaviour that
# print a checksum of their globals. tandem-cc must not change it, in none of
# the modes. Unlike the torture suite nobody chose these constructs.
#
#   tests/suites/csmith.sh [--count 300] [--seed0 1] [--jobs 2] [--mode all]
#                          [--opt -O2]
#
# Seeds are taken in order from --seed0. One is skipped if clang-19 at -O0 and
# at -O2 do not agree within 5 s (csmith's programs may run forever). Prints
#   FAIL seed SEED MODE REASON
# and `csmith MODE: P passed, F failed of N`; exit 1 if anything failed. Source
# and outputs of a failure: $cache/csmith/failures/SEED.*
#
# Variables as in torture.sh: CC, TRACE_CMD, GLOBALS_CMD, TRACE_SECONDS.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

count=300 seed0=1 jobs=2 mode=all opt=-O2
while [ $# -gt 0 ]; do
    case $1 in
    --count) count=$(value_of "$@"); shift ;;
    --seed0) seed0=$(value_of "$@"); shift ;;
    --jobs)  jobs=$(value_of "$@"); shift ;;
    --mode)  mode=$(value_of "$@"); shift ;;
    --opt)   opt=$(value_of "$@"); shift ;;
    *) die "unknown option '$1'" ;;
    esac
    shift
done
modes=$(modes_of "$mode")
need_tool csmith
need_tool "$REFERENCE"
need_tool "$CC" "CC"

work=$cache/csmith
flags="-w -I${CSMITH_INCLUDE:-/usr/include/csmith}"
export work modes opt flags

compile() { bounded 300 1024 "$1" $flags "$2" "$3" -o "$4" -lm; }

# The checksum line of a run, empty if the run failed; status is the run's own.
checksum() { sed -n 's/^checksum = //p' "$1"; }

# --- baseline: one line "SEED CHECKSUM" or "SEED skip REASON" ---------------

reference_checksum() {
    compile "$REFERENCE" "$1" "$2/prog.c" "$2/prog" > /dev/null 2>&1 || return 1
    (cd "$2" && bounded 5 64 ./prog) > "$2/out" 2> /dev/null < /dev/null || return 1
    checksum "$2/out"
}

baseline_verdict() {
    local seed=$1 dir=$2 at0 at2
    bounded 60 64 csmith --seed "$seed" > "$dir/prog.c" 2> /dev/null || { echo "skip csmith failed"; return; }
    at0=$(reference_checksum -O0 "$dir") || { echo "skip no checksum at -O0"; return; }
    at2=$(reference_checksum -O2 "$dir") || { echo "skip no checksum at -O2"; return; }
    [ -n "$at0" ] && [ "$at0" = "$at2" ] || { echo "skip clang disagrees with itself"; return; }
    mv "$dir/prog.c" "$work/programs/$seed.c"
    echo "$at0"
}

baseline_one() {
    local dir
    dir=$(mktemp -d "$work/run.XXXXXX")
    echo "$1 $(cd "$dir" && baseline_verdict "$1" "$dir")" >> "$work/baseline"
    rm -rf "$dir"
}

# --- test -------------------------------------------------------------------

verdict_write() { echo "$1 $2 ${*:3}" >> "$work/results"; }

test_mode() {
    local seed=$1 mode=$2 dir=$3 status=0 want got
    (cd "$dir" && run_mode "$mode" 20 ./prog) > "$dir/$mode.out" 2> "$dir/$mode.err" < /dev/null || status=$?
    want=$(awk -v s="$seed" '$1 == s { print $2 }' "$work/baseline")
    got=$(checksum "$dir/$mode.out")
    if [ $status != 0 ]; then verdict_write "$seed" "$mode" FAIL "$(reason_of $status)"
    elif [ "$got" != "$want" ]; then verdict_write "$seed" "$mode" FAIL "checksum '$got', not '$want'"
    else verdict_write "$seed" "$mode" PASS; return 0
    fi
    cp "$work/programs/$seed.c" "$work/failures/$seed.c"
    cp "$dir/$mode.out" "$work/failures/$seed.$mode.out"
    cp "$dir/$mode.err" "$work/failures/$seed.$mode.err"
}

test_one() {
    local seed=$1 dir mode
    dir=$(mktemp -d "$work/run.XXXXXX")
    if compile "$CC" "$opt" "$work/programs/$seed.c" "$dir/prog" > "$dir/compile.log" 2>&1; then
        for mode in $modes; do test_mode "$seed" "$mode" "$dir"; done
    else
        for mode in $modes; do verdict_write "$seed" "$mode" FAIL "compile error"; done
        cp "$work/programs/$seed.c" "$work/failures/$seed.c"
        cp "$dir/compile.log" "$work/failures/$seed.compile.log"
    fi
    rm -rf "$dir"
}
export -f compile checksum reference_checksum baseline_verdict baseline_one \
    verdict_write test_mode test_one

# --- all --------------------------------------------------------------------

# The first $count good seeds from $seed0 that the baseline knows of.
good_seeds() {
    sort -n "$work/baseline" |
        awk -v from="$seed0" -v n="$count" '$1 >= from && $2 != "skip" && n-- > 0 { print $1 }'
}

# Asks for as many further seeds as are missing until there are enough. Known
# verdicts are kept; another clang or csmith starts anew.
baseline_update() {
    local key next=$seed0 missing
    # csmith leaves a platform.info wherever it is started, even for --version.
    key="$("$REFERENCE" --version | awk 'NR == 1') $(cd "$work" && csmith --version | awk 'NR == 1') $flags"
    if [ "$(cat "$work/baseline.key" 2>/dev/null)" != "$key" ]; then
        rm -rf "$work/baseline" "$work/programs"
        echo "$key" > "$work/baseline.key"
    fi
    mkdir -p "$work/programs"
    touch "$work/baseline"
    while missing=$((count - $(good_seeds_below $next))) && [ $missing -gt 0 ]; do
        seq "$next" $((next + missing - 1)) |
            awk 'FILENAME != "-" { known[$1]; next } !($1 in known)' "$work/baseline" - |
            in_parallel "$jobs" baseline_one
        next=$((next + missing))
    done
}

good_seeds_below() {
    awk -v from="$seed0" -v to="$1" '
        $1 >= from && $1 < to && $2 != "skip" { n++ } END { print n + 0 }' "$work/baseline"
}

summary() {
    awk -v m="$1" '
        $2 != m { next }
        $3 == "PASS" { pass++; next }
        { fail++; why = $0; sub(/^[^ ]+ [^ ]+ FAIL /, "", why); print "FAIL seed", $1, m, why }
        END {
            printf "csmith %s: %d passed, %d failed of %d\n", m, pass, fail, pass + fail
            exit fail > 0
        }' "$work/results"
}

mkdir -p "$work"
exec 8> "$work/lock"
flock -n 8 || die "another run is using $work"
baseline_update
rm -rf "$work"/run.* "$work/failures"
mkdir -p "$work/failures"
: > "$work/results"
good_seeds | in_parallel "$jobs" test_one
sort -n -o "$work/results" "$work/results"

status=0
for m in $modes; do summary "$m" || status=1; done
exit $status
