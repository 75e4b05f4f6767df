#!/bin/bash
# What training costs: processor time of one or more rounds of tandem learn, beside what as many whole trials cost at the engine's plain speed, measured in the same run on some of them.
#
#   bench/learning.sh [-n 200] [-N 1000] [-K K] [--trials N] [--rounds 1] [--plain 20] [--whole] [-j 2] PROGRAM [ARGUMENT...]
#
#   -K, --trials  as many as tandem learn takes of itself, if they are not given
#   --plain P   trials of random weights that tell the plain speed: whole, and nothing is known to them
#   --whole     also the same training with whole trials of all samples, as in the paper: what is lost by racing
#
# PROGRAM and its inputs as for tandem learn; those of the literature are below $cache/subjects when bench/subjects.sh has built them. There is no bar on time here.
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"

n=200 N=1000 close=() rounds=1 plain=20 whole="" jobs=2
while [ $# -gt 0 ]; do
    case $1 in
    -n)       n=$(value_of "$@"); shift ;;
    -N)       N=$(value_of "$@"); shift ;;
    -K|--trials) close+=("$1" "$(value_of "$@")"); shift ;;
    -j)       jobs=$(value_of "$@"); shift ;;
    --rounds) rounds=$(value_of "$@"); shift ;;
    --plain)  plain=$(value_of "$@"); shift ;;
    --whole)  whole=yes ;;
    *)        break ;;
    esac
    shift
done
[ $# -gt 0 ] || die "which program?"
need_tool jq
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# learn NAME OPTIONS...: what it comes to in $dir/NAME.json.
learn() {
    local name=$1
    shift
    "$TANDEM" learn --no-compare --no-progress --json -j "$jobs" -N "$N" -o "$dir/$name.theta" "$@" > "$dir/$name.json" || die "$name: tandem learn failed"
}
value() { jq -r "$2" "$dir/$1.json"; }

learn plain -n "$plain" -K 1 --trials 1 --rounds 1 --no-race --no-tree "$@"
learn race -n "$n" ${close[@]+"${close[@]}"} --rounds "$rounds" "$@"
[ -z "$whole" ] || learn whole -n "$n" ${close[@]+"${close[@]}"} --rounds "$rounds" --no-race --no-tree "$@"

awk -v cpu="$(value plain .cost.cpu)" -v runs="$(value plain .cost.runs)" -v n="$n" -v N="$N" -v rounds="$(value race '.rounds | length')" \
    -v took="$(value race .cost.cpu)" -v asked="$(value race .cost.runs)" -v made="$(value race .cost.runs_made)" -v size="$(value race .cost.tree_size)" '
    BEGIN {
        find = rounds * n * N * cpu / runs
        all = rounds * (n + 10 * 10 - 10) * N * cpu / runs
        printf "plain speed: %.1f runs for a second of the processor\n", runs / cpu
        printf "training, %d round%s of n = %d, N = %d: %.1f s of the processor, %d runs, %.1f %% of them known from other trials (%.1f MiB)\n", rounds, rounds == 1 ? "" : "s", n, N,
            took, asked, 100 * (1 - made / asked), size / 1048576
        printf "n x N runs at plain speed: %.1f s; training takes %.3f of that\n", find, took / find
        printf "all trials of the paper, 10 of the best 10 too, at plain speed: %.1f s; training takes %.3f of that\n", all, took / all
    }'
echo "learnt: $(value race .average) on average"
[ -z "$whole" ] || echo "with whole trials: $(value whole .average) on average, in $(value whole .cost.cpu) s of the processor"
