#!/bin/bash
# Large numbers: the programs of tests/stress do the same as when clang-19 has built them, natively, traced with nothing symbolic and
# traced with standard input symbolic, and nothing is reported. Processor time and memory are printed as ratios to clang's build;
# memory must stay within 8 times of it and 200 MiB. Heads of the programs: `cc:` flags, `stdin:`, `stack:` its size in KiB, since traced
# frames are larger; `bad:` the class that is reported when an allocator of the program's own is overrun at its end.
#
#   tests/suites/stress.sh [PROGRAM...]
set -uo pipefail
. "$(dirname "$0")/lib.sh"
need_tool /usr/bin/time "package time"
programs=$ROOT/tests/stress
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- "$programs"/*.c
cd "$work" || exit 2

field() { sed -n "s|^// $1: \{0,1\}||p" "$source"; }
wrong() { echo "stress/$name: $*"; failed=$((failed + 1)); ok=0; }

# run MODE COMMAND...: its output is MODE.out; prints seconds of processor time and peak memory in KiB.
run() {
    local mode=$1
    shift
    bounded 300 16384 /usr/bin/time -q -f '%U %S %M' -o "$mode.time" "$@" < stdin > "$mode.out" 2> "$mode.err"
    echo $? > "$mode.status"
}

seconds() { awk '{ printf "%.2f", $1 + $2 }' "$1.time"; }
memory() { awk '{ print $3 }' "$1.time"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", (b > 0 ? a / b : 0) }'; }

# Same output and status as the reference, no report, and not too much memory.
compare() {
    local mode=$1
    [ "$(cat "$mode.status")" = "$(cat reference.status)" ] && cmp -s "$mode.out" reference.out ||
        wrong "$mode: status $(cat "$mode.status") instead of $(cat reference.status), or other output: $(head -n 3 "$mode.err")"
    ! grep -q '^==TANDEM' "$mode.err" || wrong "$mode: $(grep -m 1 '^==TANDEM' "$mode.err")"
    [ "$(memory "$mode")" -le $((8 * $(memory reference) + 200 * 1024)) ] ||
        wrong "$mode: $(($(memory "$mode") / 1024)) MiB instead of $(($(memory reference) / 1024))"
}

show() {
    local base mode
    base=$(seconds reference)
    printf '%-14s %8.2f %8d' "$name" "$base" $(($(memory reference) / 1024))
    for mode in native concrete symbolic; do
        printf '  %6s %6s' "$(ratio "$(seconds $mode)" "$base")" "$(ratio "$(memory $mode)" "$(memory reference)")"
    done
    echo
}

check() {
    local flags
    flags=$(field cc)
    printf '%s' "$(field stdin)" > stdin
    ulimit -S -s "$(field stack | grep . || echo 8192)"
    # shellcheck disable=SC2086
    "$REFERENCE" -w -O2 "$source" -o reference $flags && "$CC" -w -g -O2 "$source" -o program $flags || { wrong "does not build"; return; }
    run reference ./reference
    run native ./program
    run concrete "$TANDEM" trace --quiet --no-sandbox --time 280 --nothing-symbolic ./program
    run symbolic "$TANDEM" trace --quiet --no-sandbox --time 280 ./program
    for mode in native concrete symbolic; do compare $mode; done
    show
    [ -n "$(field bad)" ] || return 0
    printf x > stdin
    run bad "$TANDEM" trace --quiet --time 280 ./program
    grep -q "^==TANDEM: $(field bad):" bad.err || wrong "the overrun is not reported as $(field bad): $(head -n 1 bad.err)"
}

passed=0 failed=0
printf '%-14s %8s %8s  %13s  %13s  %13s\n' '' clang-19 '' native 'traced' 'symbolic'
printf '%-14s %8s %8s  %6s %6s  %6s %6s  %6s %6s\n' program seconds MiB time mem time mem time mem
for source; do
    name=$(basename "$source" .c) ok=1
    source=$programs/$name.c
    check
    passed=$((passed + ok))
done
echo "stress: $passed passed, $failed failed"
[ $failed = 0 ]
