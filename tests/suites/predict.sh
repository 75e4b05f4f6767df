#!/bin/bash
# The bar for prediction: run A's trace must foretell *every* branch of run B, not
# only those recorded as symbolic, up to the first that flips. At least 200 pairs
# for each of the programs of jobs.sh and 2,000 over the small programs
# (tests/differential/programs); half of them made by the solver, or chosen by A's
# terms, so that they differ in the last quarter of the path. Not one may be wrong.
#
#   tests/suites/predict.sh [--pairs 100] [--late 60] [--seed 1] [--jobs 2] [NAME...]
#                NAME: a small program, one of jobs.sh; default all
#
# A row per program, the sum over its jobs; --pairs is per job:
#   pairs  right  wrong   what became of the predictions (a garbled trace is wrong)
#   solver                of the pairs: made by the solver
#   late                  of the pairs: B left A's path in its last quarter
#   open                  of the pairs: ended at a lost term, at the bound of a
#                         table or where a trace is cut: nothing is promised from there on
#   promised              share of B's branches that were foretold and checked
# Exit 1 if one is wrong, and, unless names were given, if there are fewer than
# 2,000 pairs or fewer than half of them differ late.
#
# All runs on invented inputs happen in the sandbox of `tandem predict`.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$suites/jobs.sh"
. "$ROOT/tests/given.sh"

pairs=100 late=60 seed=1 jobs=2 names=
while [ $# -gt 0 ]; do
    case $1 in
    --pairs) pairs=$(value_of "$@"); shift ;;
    --late)  late=$(value_of "$@"); shift ;;
    --seed)  seed=$(value_of "$@"); shift ;;
    --jobs)  jobs=$(value_of "$@"); shift ;;
    -*) die "unknown argument '$1'" ;;
    *) names="$names $1" ;;
    esac
    shift
done
small=$ROOT/tests/differential/programs
everything="$(basename -s .c -a "$small"/*.c | tr '\n' ' ') $program_names"
for name in $names; do
    case " $everything " in *" $name "*) ;; *) die "no program '$name' (known: $everything)" ;; esac
done
need_tool "$CC" "CC"

work=$(mktemp -d "${TMPDIR:-/tmp}/tandem-predict-XXXXXX")
trap 'rm -rf "$work"' EXIT

# What the small ones are given is in their first lines.
small_jobs() {
    local args
    fresh_job
    cd "$work/job" || exit 2
    "$CC" -w -O2 "$small/$1.c" -o "$work/$1.tested" -lm
    given_read "$small/$1.c"
    args=$(sed -n 's|^// args: \{0,1\}||p' "$small/$1.c")
    printf '%b' "$(sed -n 's|^// stdin: \{0,1\}||p' "$small/$1.c")" > "$work/stdin"
    eval "predict \"\$1\" $args"
}

# --- pairs -------------------------------------------------------------------

# predict NAME ARGUMENT...: adds "pairs wrong solver late open promised branches" to $work/counts.
predict() {
    local name=$1 status=0
    shift
    timeout -k 5 1800 "$TANDEM" predict --pairs "$pairs" --late "$late" --seed "$seed" --stdin-file "$work/stdin" "${given_options[@]}" "$work/$name.tested" -- "$@" \
        > "$work/report" 2>&1 || status=$?
    [ "$status" -le 1 ] && grep -q '^wrong ' "$work/report" || { cat "$work/report"; die "$name: predict ended with $status"; }
    sed -n 's/^  /      /p' "$work/report" >&2
    awk '
        function after(word,  i) { for (i = 1; i < NF; i++) if ($i == word) return $(i + 1) + 0; return 0 }
        { gsub(/[,;()]/, " ") }
        $1 == "B:" { pairs = $2 + $4 + $6; solver = $4 }
        $1 == "same" {
            open = after("concretise") + after("bound") + after("assume") + after("cut") + after("skipped")
            late = $0; sub(/ of them in the last quarter.*/, "", late); sub(/.* /, "", late)
        }
        $1 == "branches" { branches = $4; promised = $5 }
        $1 == "wrong" { wrong = $2 + $5 }
        END { print pairs, wrong, solver, late, open, promised, branches }' "$work/report" >> "$work/counts"
}

row() { # NAME; the counts on stdin
    awk -v name="$1" '
        { for (i = 1; i <= 7; i++) n[i] += $i }
        END { printf "%-12s %6d %6d %6d %7d %6d %6d %9.1f %%\n", name, n[1], n[1] - n[2], n[2], n[3], n[4], n[5], n[7] ? 100 * n[6] / n[7] : 0 }'
}

printf '%-12s %6s %6s %6s %7s %6s %6s %11s\n' program pairs right wrong solver late open promised
: > "$work/all"
for name in ${names:-$everything}; do
    : > "$work/counts"
    case " $program_names " in
    *" $name "*) program_build "$name" tested "$jobs" && program_jobs "$name" predict ;;
    *) (small_jobs "$name") ;;
    esac
    row "$name" < "$work/counts"
    cat "$work/counts" >> "$work/all"
done
row all < "$work/all"
read -r total wrong differ < <(awk '{ p += $1; w += $2; l += $4 } END { print p, w, l }' "$work/all")
if [ -z "$names" ] && { [ "$total" -lt 2000 ] || [ $((2 * differ)) -lt "$total" ]; }; then
    echo "predict: too few pairs: $total, $differ of them late"
    exit 1
fi
echo "predict: $((total - wrong)) of $total right, $differ differ late"
[ "$wrong" = 0 ]
