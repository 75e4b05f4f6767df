#!/bin/bash
# The models of the C library against glibc, and their terms against other runs. Each test of tests/models/*.c (see harness.h there) runs
# inside of `tandem predict` on each of its inputs (run A) and on many others (runs B): the conditions of A must foretell every branch of B,
# of which there is one for each bit that the model gives, and in every run, A or B, glibc must give the same as the model.
#
#   tests/suites/models.sh [--pairs 1000] [--seed 1] [--jobs 1] [--cases N] [--group] [NAME...]
#                NAME: a model, or a file of tests/models without .c; default all
#                --cases: of each test only so many of its inputs, which ones by chance
#                --group: for make check: failures only, and a last line with counts
#
# --pairs is per test; they are shared out over its cases. Comment lines of a file of tests:
#   // case: NAME [@MODEL...] = TEXT   an input, as printf %b takes it; of these models only, else of all in the file. No line: one empty input
#   // cc: FLAGS                       flags of both compilers; more than one such line: built and tested once with each
#
# A row per test, which is a model, or one of its variants (model.variant):
#   cases  pairs  right  wrong  of predictions (a garbled trace is wrong)
#   crashed                     runs that ended by a signal: the library gave something else, or the model left its bounds
#   open                        of the pairs: ended at a lost term, a bound or where a trace is cut: nothing is promised from there on
#   promised                    share of B's branches that were foretold and checked
# Exit 1 if one is wrong or crashed, if a test had no pair, and, unless names were given, if a model of contract/model.def has no test and is
# not in tests/models/exceptions.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

pairs=1000 seed=1 jobs=1 most=1000 as_group='' names=()
while [ $# -gt 0 ]; do
    case $1 in
    --pairs) pairs=$(value_of "$@"); shift ;;
    --seed)  seed=$(value_of "$@"); shift ;;
    --jobs)  jobs=$(value_of "$@"); shift ;;
    --cases) most=$(value_of "$@"); shift ;;
    --group) as_group=yes ;;
    -*) die "unknown argument '$1'" ;;
    *) names+=("$1") ;;
    esac
    shift
done
tests=$ROOT/tests/models
need_tool "$CC" "CC"
work=$(mktemp -d "${TMPDIR:-/tmp}/tandem-models-XXXXXX")
trap 'rm -rf "$work"' EXIT
export work pairs seed most tests

# build FILE FLAGS OUTPUT: the two sides in one program.
build() {
    local source=$1 out=$3
    # shellcheck disable=SC2086
    "$REFERENCE" -w -O1 -fno-builtin -DLIBRARY -I"$tests" $2 -c "$source" -o "$out.o" &&
        "$CC" -w -O1 -I"$tests" $2 "$source" "$out.o" -o "$out" -lm
}

# cases MODEL < FILE: `NAME TEXT` of each input that is this model's.
cases() {
    awk -v model="$1" '
        sub(/^\/\/ case: /, "") {
            cut = index($0, " = ")
            n = split(substr($0, 1, cut - 1), word, " ")
            mine = n == 1
            for (i = 2; i <= n; i++) mine = mine || word[i] == "@" model
            if (mine) print word[1], substr($0, cut + 3)
            any = 1
        }
        END { if (!any) print "empty " }'
}

# predict_one PROGRAM INPUT PAIRS: prints "pairs wrong crashed open promised branches"; what went wrong, to stderr.
predict_one() {
    local report=$2.report status=0
    (cd "${1%/*}" && timeout -k 5 600 "$TANDEM" predict --pairs "$3" --seed "$seed" --stdin-file "$2" "./${1##*/}") > "$report" 2>&1 || status=$?
    if [ "$status" -gt 1 ] || ! grep -q '^wrong ' "$report"; then
        echo "predict ended with $status: $(head -n 3 "$report")" >&2
        echo 0 1 0 0 0 0
        return
    fi
    sed -n 's/^  /      /p' "$report" | grep -v ' note: ' >&2 || true
    awk '
        function after(word,  i) { for (i = 1; i < NF; i++) if ($i == word) return $(i + 1) + 0; return 0 }
        { gsub(/[,;()]/, " ") }
        $1 == "B:" { pairs = $2 + $4 + $6 }
        $1 == "same" { open = after("concretise") + after("bound") + after("assume") + after("cut") + after("skipped") }
        $1 == "branches" { branches = $4; promised = $5 }
        $1 == "wrong" { wrong = $2 + $5 }
        $1 == "crashed" { crashed = $2 }
        END { print pairs + 0, wrong + 0, crashed + 0, open + 0, promised + 0, branches + 0 }' "$report"
}

# test_one "SOURCE PROGRAM TEST": the row of a test, in $work/rows/; what it says, in .said.
test_one() {
    local source program test count i=0 name text dir
    read -r source program test <<< "$1"
    dir=$program.$test.d
    mkdir -p "$dir"
    ln -f "$program" "$dir/$test"
    cases "${test%%.*}" < "$source" | shuf -n "$most" --random-source=<(yes "$seed $test") > "$dir/cases"
    count=$(wc -l < "$dir/cases")
    while read -r name text; do
        i=$((i + 1))
        printf '%b' "$text" > "$dir/$name.in"
        predict_one "$dir/$test" "$dir/$name.in" $(((pairs * i + count - 1) / count - (pairs * (i - 1) + count - 1) / count)) 2> "$dir/said"
        [ ! -s "$dir/said" ] || sed "s|^|$test, $name: |" "$dir/said" >> "$dir/all.said"
    done < "$dir/cases" > "$dir/counts"
    awk -v name="$test" -v cases="$count" '
        { for (i = 1; i <= 6; i++) n[i] += $i }
        END { printf "%-22s %5d %6d %6d %6d %7d %6d %8.1f %%\n", name, cases, n[1], n[1] - n[2], n[2], n[3], n[4], n[6] ? 100 * n[5] / n[6] : 0 }' \
        "$dir/counts" > "$work/rows/$(basename "$program").$test"
    cat "$dir/all.said" >> "$work/said" 2> /dev/null || true
    rm -rf "$dir"
}
export -f cases predict_one test_one

# wanted FILE TEST: by the names on the command line.
wanted() {
    local name
    [ ${#names[@]} -gt 0 ] || return 0
    for name in "${names[@]}"; do
        [ "$name" = "$1" ] || [ "$name" = "${2%%.*}" ] || [ "$name" = "$2" ] && return 0
    done
    return 1
}

mkdir "$work/rows"
: > "$work/todo"
: > "$work/covered"
for source in "$tests"/*.c; do
    file=$(basename "$source" .c)
    sed -n 's/^[A-Z_]*(\([a-zA-Z_0-9]*\)[,)].*/\1/p' "$source" > "$work/named"
    if [ ${#names[@]} -gt 0 ] && ! printf '%s\n' "${names[@]%%.*}" | grep -qxF -e "$file" -f "$work/named"; then continue; fi
    sed -n 's|^// cc: \{0,1\}||p' "$source" > "$work/flags"
    [ -s "$work/flags" ] || echo > "$work/flags"
    i=0
    while read -r flags <&3; do
        i=$((i + 1))
        program=$work/$file$i
        build "$source" "$flags" "$program" || die "$file.c does not build ($flags)"
        "$program" --list > "$work/list"
        cat "$work/list" >> "$work/covered"
        while read -r test; do
            if wanted "$file" "$test"; then printf '%s\n' "$source $program $test" >> "$work/todo"; fi
        done < "$work/list"
    done 3< "$work/flags"
done
[ -s "$work/todo" ] || die "no such test: ${names[*]}"
in_parallel "$jobs" test_one < "$work/todo"

sort "$work"/rows/* > "$work/table"
missing=''
if [ ${#names[@]} = 0 ]; then
    sed -n 's/^MODEL(\(.*\))$/\1/p' "$ROOT/contract/model.def" | sort > "$work/models"
    { sed 's/\..*//' "$work/covered"; sed -n 's/^\([^# ][^ ]*\) .*/\1/p' "$tests/exceptions"; } | sort -u > "$work/known"
    missing=$(comm -23 "$work/models" "$work/known" | tr '\n' ' ')
fi
bad=$(awk '$5 || $6 || !$3 { print $1 ($3 ? "" : ": nothing was put to the test") }' "$work/table")
if [ -z "$as_group" ]; then
    printf '%-22s %5s %6s %6s %6s %7s %6s %10s\n' model cases pairs right wrong crashed open promised
    cat "$work/table"
fi
[ ! -f "$work/said" ] || head -n 60 "$work/said"
[ -z "$missing" ] || echo "models without a test: $missing"
awk -v group="$as_group" -v missing="$(wc -w <<< "$missing")" '
    { pairs += $3; wrong += $5; crashed += $6; if ($5 || $6 || !$3) failed++ }
    END {
        if (group) printf "models: %d passed, %d failed\n", NR - failed, failed + missing
        else printf "models: %d tests, %d of %d right, %d runs crashed\n", NR, pairs - wrong, pairs, crashed
    }' "$work/table"
[ -z "$bad$missing" ]
