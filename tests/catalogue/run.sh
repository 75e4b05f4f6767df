#!/bin/bash
# tandem unit on the programs in unit/, of which it is known what is a fault and what is none: lines are marked `TRUE: kind` if main can get them to fail, `FALSE: kind; why not` if only a call that nobody makes can.
# Prints how many of the true ones are found, and how many alarms are none of them.
#
#   tests/catalogue/run.sh [--time S] [--jobs N] [--verbose] [--keep DIR] [--check] [NAME...] [-- OPTION...]
#
#   --time S    for each function (default 3)
#   --verbose   a line for each mark and alarm
#   --keep DIR  what tandem said of each program stays there
#   --check     exit 1 if fewer than 95 % of the true ones are found, or more than half as many are false
#   OPTION      of tandem unit: --no-filter, --unit=alone, --unit=distance:3, --no-ranges
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
TANDEM=${TANDEM:-${BUILD:-$root/build}/bin/tandem}
seconds=3 verbose="" check="" keep="" names=() options=() jobs=2
while [ $# -gt 0 ]; do
    case $1 in
    --time)    seconds=$2; shift ;;
    --jobs)    jobs=$2; shift ;;
    --verbose) verbose=yes ;;
    --check)   check=yes ;;
    --keep)    keep=$(realpath "$2"); shift ;;
    --)        shift; options=("$@"); break ;;
    *)         names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(cd "$here/unit" && ls ./*.c | sed 's|^\./||; s|\.c$||')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The system tests of a program, as its comment has them: `argv "1 2" | stdin "x\n"`.
record_tests() { # NAME
    local n=0 input text
    mkdir -p "$work/$1.tests"
    sed -n 's|^/\* tests: \(.*\) \*/$|\1|p' "$here/unit/$1.c" | sed 's/" | /"\n/g' | while IFS= read -r input; do
        text=${input#*\"} text=${text%\"} n=$((n + 1))
        case $input in
        argv*)  set -f; "$TANDEM" record -o "$work/$1.tests/$n.tcase" "$work/$1" $text < /dev/null ;;
        stdin*) printf '%b' "$text" > "$work/stdin"; "$TANDEM" record -o "$work/$1.tests/$n.tcase" "$work/$1" < "$work/stdin" ;;
        esac > /dev/null 2>&1
    done
}

# What a mark calls a kind, of a class.
kind_of() {
    case $1 in
    *null-dereference) echo null ;;
    *underflow)        echo lower ;;
    *overflow)         echo upper ;;
    division-*)        echo division ;;
    assertion)         echo assert ;;
    use-after-free|double-free|invalid-free) echo free ;;
    *)                 echo "$1" ;;
    esac
}

say() { [ -z "$verbose" ] || echo "$*"; }

true_all=0 true_found=0 false_alarms=0 failed=0
for name in "${names[@]}"; do
    source=$here/unit/$name.c
    if ! "$TANDEM" cc -O1 -g -o "$work/$name" "$source" > "$work/log" 2>&1; then
        echo "$name: does not build: $(tail -n 1 "$work/log")"
        failed=$((failed + 1))
        continue
    fi
    record_tests "$name"
    "$TANDEM" unit --json --all --no-progress --time "$seconds" -j "$jobs" --tests "$work/$name.tests" --out "$work/$name.out" "${options[@]}" "$work/$name" > "$work/$name.json" 2> "$work/$name.err"
    status=$?
    case $status in 0|5|10) ;; *) echo "$name: exit $status: $(tail -n 1 "$work/$name.err")"; failed=$((failed + 1)); continue ;; esac
    [ -z "$keep" ] || { mkdir -p "$keep"; cp "$work/$name.json" "$keep"; }
    # Alarms that were kept: line and kind, each once.
    jq -r '.alarms[] | select(.kept) | [(.place | capture("(?<line>[0-9]+):[0-9]+$").line), .class, .verdict] | join(" ")' "$work/$name.json" | while read -r line class verdict; do
        echo "$line $(kind_of "$class") $verdict"
    done | sort -u -k1,2 > "$work/alarms"
    grep -n '/\* TRUE: ' "$source" | sed 's|^\([0-9]*\):.*/\* TRUE: \([a-z]*\).*|\1 \2|' > "$work/marks"
    while read -r line kind; do
        true_all=$((true_all + 1))
        if grep -q "^$line $kind " "$work/alarms"; then
            true_found=$((true_found + 1))
        else
            say "$name:$line: missed: $kind$(jq -r --arg line ":$line:" '.alarms[] | select(.kept | not) | select(.place | contains($line)) | "; dropped: " + (.reasons | join(", "))' "$work/$name.json" | head -n 1)"
        fi
    done < "$work/marks"
    while read -r line kind verdict; do
        grep -q "^$line $kind$" "$work/marks" && continue
        false_alarms=$((false_alarms + 1))
        say "$name:$line: false: $kind, $verdict: $(sed -n "${line}p" "$source" | sed 's/^\s*//')"
    done < "$work/alarms"
done
echo "${#names[@]} programs: $true_found of $true_all true ones found, $false_alarms false alarms${options[*]:+ (${options[*]})}"
[ "$failed" = 0 ] || exit 1
[ -z "$check" ] || [ $((100 * true_found)) -ge $((95 * true_all)) -a $((2 * false_alarms)) -le "$true_found" ]
