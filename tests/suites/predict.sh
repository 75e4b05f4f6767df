#!/bin/bash
# The bar for prediction: run A's trace must foretell *every* branch of run B, not
# only those recorded as symbolic, up to the first that flips. At least 2,000
# pairs over ten and more small programs (tests/differential/programs), sed (with
# its own regex matcher), cut and xmlwf; half of them made by the solver, or
# chosen by A's terms, so that they differ in the last quarter of the path. Not one may be wrong.
#
#   tests/suites/predict.sh [--pairs 100] [--late 60] [--seed 1] [--jobs 2] [NAME...]
#                NAME: a small program, sed, cut, xmlwf; default all
#
# A row per program, the sum over its inputs; --pairs is per input:
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
. "$(dirname "$0")/../given.sh"

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
everything="$(basename -s .c -a "$small"/*.c | tr '\n' ' ') sed cut xmlwf"
for name in $names; do
    case " $everything " in *" $name "*) ;; *) die "no program '$name' (known: $everything)" ;; esac
done
need_tool "$CC" "CC"

work=$(mktemp -d "${TMPDIR:-/tmp}/tandem-predict-XXXXXX")
trap 'rm -rf "$work"' EXIT

# --- programs ----------------------------------------------------------------

# program_build NAME: leaves the executable at $work/NAME.
program_build() {
    case $1 in
    sed)
        package_build sed-regex tested "$jobs"
        cp "$(package_dir sed-regex tested)/sed/sed" "$work/sed" ;;
    cut)
        package_build coreutils tested "$jobs"
        cp "$(package_dir coreutils tested)/src/cut" "$work/cut" ;;
    xmlwf) # what make leaves is a script that looks for the shared library
        package_build expat tested "$jobs"
        local dir
        dir=$(package_dir expat tested)/expat
        "$CC" -O2 -g -o "$work/xmlwf" "$dir"/xmlwf/*.o "$dir/lib/.libs/libexpat.a" ;;
    *)
        "$CC" -w -O2 "$small/$1.c" -o "$work/$1" -lm ;;
    esac
}

# --- inputs ------------------------------------------------------------------

repeat() { local i; for ((i = 0; i < $1; i++)); do printf "${2//@/$i}"; done; }

# input LATE NAME ARGUMENT...: run A's standard input is what comes on stdin.
input() {
    local share=$1
    shift
    cat > "$work/stdin"
    predict "$share" "$@"
}

# file_input LATE NAME ARGUMENT...: what comes on stdin is the content of a file `data`; run A's standard input is empty.
file_input() {
    cat > "$work/data"
    given_options=(--file data=data)
    input "$@" < /dev/null
    given_options=()
}

# What the small ones are given is in their first lines.
small_inputs() {
    local args
    cd "$work" || exit 2
    given_read "$small/$1.c"
    args=$(sed -n 's|^// args: \{0,1\}||p' "$small/$1.c")
    eval "set -- \"\$1\" $args"
    printf '%b' "$(sed -n 's|^// stdin: \{0,1\}||p' "$small/$1.c")" | input "$late" "$@"
}

sed_inputs() {
    printf 'hello world\nabc 123 foo\n' | input "$late" sed -n 's/o\([a-z]*\)/<\1>/p'
    printf 'one two\nthree\n\nfour five\n' | input "$late" sed -e '/^$/d' -e 's/[a-c]*e/E/g' -e 'y/fo/FO/'
    printf 'key=value\n# note\nx=1\n' | input "$late" sed '/^#/!s/\(.*\)=\(.*\)/\2=\1/'
}

cut_inputs() {
    printf 'a:b:c\nd:e:f\nxx:yy\n' | input "$late" cut -d: -f2
    printf 'the quick brown fox\njumps over\n' | input "$late" cut -c 3-7,9
    printf 'one two three\nfour\n five six\n' | input "$late" cut -s -d ' ' -f 1,3-
}

# Long enough that the end, where xmlwf cleans up, is not the whole of the last quarter.
xmlwf_inputs() {
    { printf '<r>'; repeat 12 '<b c="@" d="&lt;@"/>'; printf '</r>\n'; } | input "$late" xmlwf
    { printf '<r>'; repeat 14 '<x><y><z/></y></x>'; printf '</r>\n'; } | input "$late" xmlwf
    { printf '<r>'; repeat 16 '<a@ b@="&#6@;"></a@>'; printf '</r>'; } | input "$late" xmlwf
    printf '<?xml version="1.0"?>\n<!DOCTYPE d [<!ENTITY e "v">]><d>&e; text<!-- c --><![CDATA[ ]] ]]></d>\n' | input 0 xmlwf
    { printf '<r>'; repeat 9 '<b c="@" d="&lt;@"/><x><y/></x>'; printf '</r>\n'; } | file_input "$late" xmlwf data
    { printf '<r>'; repeat 6 '<a@ b@="&#6@;"></a@>'; printf '</r>'; } | file_input 0 xmlwf -r data
}

# --- pairs -------------------------------------------------------------------

# predict LATE NAME ARGUMENT...: adds "pairs wrong solver late open promised branches" to $work/counts.
predict() {
    local share=$1 name=$2 status=0
    shift 2
    (cd "$work" && timeout -k 5 900 "$TANDEM" predict --pairs "$pairs" --late "$share" --seed "$seed" --stdin-file stdin "${given_options[@]}" "./$name" -- "$@") \
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
    program_build "$name"
    : > "$work/counts"
    given_options=()
    case $name in
    sed|cut|xmlwf) "${name}_inputs" ;;
    *) small_inputs "$name" ;;
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
