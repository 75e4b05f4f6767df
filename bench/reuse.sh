#!/bin/bash
# Weights that were learnt on one version of a program, on a later one: Debian's sed, grep, tree, gawk, xmlwf. Are they still better than the other searches there?
#
#   bench/reuse.sh [-N 1000] [--trials 10] [-j 2] NAME=FILE.theta...
#
# NAME as in tests/suites/programs.sh (sed-regex is sed with a regex matcher that is instrumented too). All searches start from the same small input (seeds.sh), with the same seeds and numbers of runs;
# what is printed is tandem learn --compare. There is no bar.
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"
. "$suites/programs.sh"
. "$ROOT/bench/seeds.sh"

N=1000 trials=10 jobs=2
while [ $# -gt 0 ]; do
    case $1 in
    -N)       N=$(value_of "$@"); shift ;;
    -j)       jobs=$(value_of "$@"); shift ;;
    --trials) trials=$(value_of "$@"); shift ;;
    *=*.theta) break ;;
    *)        die "NAME=FILE.theta, not '$1'" ;;
    esac
    shift
done
[ $# -gt 0 ] || die "which program, by which weights? NAME=FILE.theta"
work=$cache/reuse
mkdir -p "$work"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

status=0
for pair in "$@"; do
    name=${pair%%=*} theta=$(realpath "${pair#*=}")
    note=$(program_build "$name" tested "$jobs" 2>&1) || { echo "FAIL $name: does not build: $(tail -n 1 <<< "$note")"; status=1; continue; }
    seed_of "$name"
    printf '%b' "$input" > "$dir/stdin"
    echo "$name, by weights of $(sed -n 's/^# //p' "$theta" | head -n 1)"
    "$TANDEM" learn --compare "$theta,auto,cfds,cgs,random,generational,dfs,dfs-deep" -N "$N" --trials "$trials" -j "$jobs" --no-progress --dir "$dir/$name" --stdin-file "$dir/stdin" \
        "$work/$name.tested" ${arguments[@]+"${arguments[@]}"} || { echo "FAIL $name: exit $?"; status=1; }
done
exit $status
