#!/bin/bash
# What a symbolic branch costs: sed (with its own regex matcher) and xmlwf on a
# text of which every byte is symbolic. Per program: bytes, branches and switches that
# depend on the input, terms per such branch, and nanoseconds per such branch: CPU
# time of the traced run less that of the same run with nothing symbolic, the
# host's reading of the trace included. The inputs are fixed texts made here.
#
#   bench/symbolic.sh [--rounds 5] [--jobs 2] [--bytes 20000] [NAME...]
#
# Publishes figures and has no bar; exit 1 only if a run fails.
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"
. "$(dirname "$0")/programs.sh"

rounds=5 jobs=2 bytes=20000 names=
while [ $# -gt 0 ]; do
    case $1 in
    --rounds) rounds=$(value_of "$@"); shift ;;
    --jobs)   jobs=$(value_of "$@"); shift ;;
    --bytes)  bytes=$(value_of "$@"); shift ;;
    sed-regex|xmlwf) names="$names $1" ;;
    *) die "unknown argument '$1'" ;;
    esac
    shift
done
names=${names:-sed-regex xmlwf}
need_tool "$CC" "CC"
work=$cache/symbolic

command_of() {
    case $1 in
    sed-regex) command=("$2" -f "$bench/programs/text.sed") stdin=$work/text ;;
    xmlwf)     command=("$2") stdin=$work/xml ;;
    esac
}

# least NAME OPTION...: the least CPU seconds of the rounds.
least() {
    local name=$1 round
    command_of "$name" "$work/$name.tested"
    for ((round = 0; round < rounds; round++)); do
        "$cputime" -o "$work/cpu" "$TANDEM" trace --quiet --no-sandbox "${@:2}" --stdin="$stdin" -- "${command[@]}" \
            > "$work/$name.out" 2> "$work/$name.stats" || { echo "FAIL $name: $(head -n 1 "$work/$name.stats")" >&2; return 1; }
        cat "$work/cpu"
    done | sort -g | head -n 1
}

row() {
    local with without
    variant_build "$1" tested || return 1
    without=$(least "$1" --nothing-symbolic)
    with=$(least "$1" --stats)
    awk -v name="$1" -v with="$with" -v without="$without" -v bytes="$(wc -c < "$stdin_size")" '
        /^terms [0-9]+$/ { terms = $2 }
        $1 == "branch" || $1 == "switch" { branches += $2 }
        $1 == "concretise" { fixed = $2 }
        END {
            if (!branches) { print "FAIL " name ": nothing symbolic"; exit 1 }
            printf "%-10s %7d %9d %11d %8d %9.2f %10.3f %10.3f %9.0f\n", name, bytes, branches, fixed, terms,
                terms / branches, without, with, (with - without) * 1e9 / branches
        }' "$work/$1.stats"
}

mkdir -p "$work"
cputime_build
make_once text make_text "$bytes"
make_once xml make_xml "$bytes"
printf '%-10s %7s %9s %11s %8s %9s %10s %10s %9s\n' "" bytes branches concretised terms per-branch concrete-s symbolic-s ns/branch
status=0
for name in $names; do
    command_of "$name" x
    stdin_size=$stdin row "$name" || status=1
done
exit $status
