#!/bin/bash
# What instrumentation costs while nothing is symbolic, which is most of what a
# program does: CPU time of a tandem build, not traced and traced, against
# `clang-19 -O2`, on four loops and five real programs (sed twice: as it comes, with the
# regex matcher in libc, and with its own, which is then instrumented). The
# inputs are fixed texts made here, known and not invented, so no sandbox is needed.
#
#   bench/speed.sh [--rounds 5] [--jobs 2] [NAME...]
#                crc adler fnv words sed sed-regex gzip xmlwf grep gawk; default all
#
# Per program: user + sys seconds, minimum of the rounds, the three variants
# taking turns so that a disturbance hits all of them. Bars: a loop traced 2.5x,
# a program traced 5x, anything not traced 1.5x. Exit 1 if one is exceeded or if
# a variant prints something else than the reference.
#
# Variables: CC; TRACED_CMD, which is put before the command to trace it.
# --jobs is for building the packages (kept below $cache/builds).
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"
. "$(dirname "$0")/programs.sh"

TRACED_CMD=${TRACED_CMD-$TANDEM trace --quiet --nothing-symbolic --no-sandbox --}
rounds=5 jobs=2 names=
while [ $# -gt 0 ]; do
    case $1 in
    --rounds) rounds=$(value_of "$@"); shift ;;
    --jobs)   jobs=$(value_of "$@"); shift ;;
    crc|adler|fnv|words|sed|sed-regex|gzip|xmlwf|grep|gawk) names="$names $1" ;;
    *) die "unknown argument '$1'" ;;
    esac
    shift
done
names=${names:-crc adler fnv words sed sed-regex gzip xmlwf grep gawk}
need_tool "$REFERENCE"
need_tool "$CC" "CC"

work=$cache/speed

# The same file N times as argument, so that there is enough to measure.
repeat() { local i; for ((i = 0; i < $2; i++)); do command+=("$1"); done; }

# command_of NAME PROGRAM: sets the array `command` and `stdin`.
command_of() {
    stdin=$work/text.1m
    case $1 in
    sed|sed-regex)
           command=("$2" -f "$bench/programs/text.sed"); repeat "$work/text.1m" 3 ;;
    gzip)  command=("$2" -6 -n -c); repeat "$work/text.4m" 3 ;;
    xmlwf) command=("$2"); repeat "$work/doc.xml" 24 ;;
    grep)  command=("$2" -c -E '(th|he|in|er)[a-z]*([aeiou])[a-z]*|^[0-9]+:'); repeat "$work/text.4m" 24 ;;
    gawk)  command=("$2" -f "$bench/programs/text.awk"); repeat "$work/text.1m" 12 ;;
    *)     command=("$2") ;;
    esac
}

# --- measuring --------------------------------------------------------------

# run_variant NAME VARIANT OUT: one run, its CPU seconds in $work/cpu.
run_variant() {
    local role=tested prefix=
    [ "$2" != clang ] || role=reference
    [ "$2" != traced ] || prefix=$TRACED_CMD
    command_of "$1" "$work/$1.$role"
    "$cputime" -o "$work/cpu" $prefix "${command[@]}" < "$stdin" > "$3" 2> "$work/$1.$2.err" ||
        { echo "FAIL $1 $2: exit $?: $(head -n 1 "$work/$1.$2.err")"; return 1; }
}

outputs_agree() {
    local variant
    for variant in clang plain traced; do
        run_variant "$1" $variant "$work/$1.$variant.out" || return 1
    done
    for variant in plain traced; do
        cmp -s "$work/$1.clang.out" "$work/$1.$variant.out" ||
            { echo "FAIL $1: $variant prints something else than clang's build"; return 1; }
    done
}

measure() {
    local round variant
    : > "$work/$1.times"
    for ((round = 0; round < rounds; round++)); do
        for variant in clang plain traced; do
            run_variant "$1" $variant "$work/out" || return 1
            echo "$variant $(cat "$work/cpu")" >> "$work/$1.times"
        done
    done
}

# row NAME: the table line; fails if a bar is exceeded.
row() {
    local plain_bar=1.5 traced_bar=5
    ! is_loop "$1" || traced_bar=2.5
    awk -v name="$1" -v pb=$plain_bar -v tb=$traced_bar '
        !($1 in min) || $2 < min[$1] { min[$1] = $2 }
        END {
            p = min["plain"] / min["clang"]; t = min["traced"] / min["clang"]
            over = (p > pb ? " not-traced-over" : "") (t > tb ? " traced-over" : "")
            printf "%-9s %8.3f %8.3f %8.3f   %6.2fx %7s   %6.2fx %6.1fx  %s\n", name,
                min["clang"], min["plain"], min["traced"], p, pb "x", t, tb,
                over == "" ? "ok" : over
            if (min["clang"] < 0.2) print "note: " name " is too short to be measured well"
            exit over != ""
        }' "$work/$1.times"
}

bench_one() {
    local role note
    for role in reference tested; do
        note=$(variant_build "$1" $role 2>&1) ||
            { echo "FAIL $1 $role: does not build: $(printf '%s\n' "$note" | tail -n 1)"; return 1; }
    done
    outputs_agree "$1" && measure "$1" && row "$1"
}

mkdir -p "$work"
exec 8> "$work/lock"
flock -n 8 || die "another run is using $work"
cputime_build
inputs_make
printf '%-9s %8s %8s %8s   %7s %7s   %7s %7s\n' "" clang-s plain-s traced-s plain bar traced bar
status=0
for name in $names; do bench_one "$name" || status=1; done
exit $status
