#!/bin/bash
# Do the tests notice? A test run that is always green proves little, so this plants defects, one at a time, in the runtime, the
# weaver and the models (a dropped shadow, a wrong sign extension, a stale tag, a lost concretisation, ...) and asks whether the
# quick tests find each of them. What is not found is a hole in the tests: find a small program that shows it.
#
# The defects are in defects/table: a file, a piece of its text that occurs exactly once, and what is put in its place. A piece
# that is not there any more is an error: the code has moved on, and the defect has to be written anew. So is a defect that does not
# build. Everything happens in a private copy of the tree, with a copy of build/, so that only what a defect touches is compiled.
#
# For each defect: first the tests named in its row (they are known to find it: this saves time), then all of
# tests/e2e/run.sh, then tests/differential/predict.sh with few pairs, until one fails. Before that, the same tests must pass on
# the copy as it is.
#
#   tests/suites/defects.sh              all; ends with `defects: N of M caught`, status 0 if all were
#   tests/suites/defects.sh --list       their names and what they are
#   tests/suites/defects.sh --only NAME  just that one (may be repeated), without the run on the copy as it is
#   tests/suites/defects.sh --say        also what the test said that caught it
#   tests/suites/defects.sh --cold       do not begin with the tests that are known to find it
#
# PAIRS=30 inputs per program and test.
set -euo pipefail

ROOT=$(cd "$(dirname "$0")/../.." && pwd)
table=$ROOT/tests/suites/defects/table
export PAIRS=${PAIRS:-30} SECONDS_MAX=${SECONDS_MAX:-60}

die() { echo "defects.sh: $*" >&2; exit 2; }

# --- the table ---------------------------------------------------------------

names=()
declare -A file what first pieces old new

# Rows of `key: value` lines begin with `defect:`; lines with - are the text replaced, those with + what replaces it; a - after
# a + begins another replacement in the same file. old and new have keys `NAME 1`, `NAME 2`, ...
read_table() {
    local line name='' key='' before=''
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        'defect: '*)
            name=${line#*: }
            [ -z "${what[$name]+there}" ] || die "$table: $name is there twice"
            names+=("$name")
            file[$name]='' what[$name]='' first[$name]='' pieces[$name]=0
            ;;
        'file: '*) file[$name]=${line#*: } ;;
        'what: '*) what[$name]=${line#*: } ;;
        'first: '*) first[$name]=${line#*: } ;;
        -*)
            [[ $before == -* ]] || pieces[$name]=$((pieces[$name] + 1))
            key="$name ${pieces[$name]}"
            old[$key]=${old[$key]:+${old[$key]}$'\n'}${line#-}
            new[$key]=''
            ;;
        +*) new[$key]=${new[$key]:+${new[$key]}$'\n'}${line#+} ;;
        ''|'#'*) ;;
        *) die "$table: what is this? $line" ;;
        esac
        before=$line
    done < "$table"
}

list() {
    local name
    for name in "${names[@]}"; do
        printf '%-26s %s (%s)\n' "$name" "${what[$name]}" "${file[$name]}"
    done
}

# --- planting ----------------------------------------------------------------

# replace PATH OLD NEW: the one occurrence.
replace() {
    local text rest
    text=$(cat "$1"; printf x)
    text=${text%x}
    rest=${text#*"$2"}
    [ "$rest" != "$text" ] || die "$name no longer applies: not in ${file[$name]}: $2"
    [ "${rest#*"$2"}" = "$rest" ] || die "$name: more than once in ${file[$name]}: $2"
    printf '%s%s%s' "${text%%"$2"*}" "$3" "$rest" > "$1"
}

# plant: the defect $name, in the copy.
plant() {
    local path=$tree/${file[$name]} k
    [ -f "$path" ] || die "$name: ${file[$name]} is not there any more"
    [ "${pieces[$name]}" -gt 0 ] || die "$name: no text to replace"
    cp -p "$path" "$work/as-it-was"
    for k in $(seq "${pieces[$name]}"); do
        replace "$path" "${old["$name $k"]}" "${new["$name $k"]}"
    done
}

build() { timeout 600 make -C "$tree" -j"$(nproc)" all > "$work/build.log" 2>&1; }

# Sources and build as they were, with their times, so that make has nothing to do.
restore() {
    cp -p "$work/as-it-was" "$tree/${file[$name]}"
    rm -rf "$tree/build"
    cp -a "$work/build" "$tree/build"
}

# --- testing -----------------------------------------------------------------

# tests_fail SCRIPT [PROGRAM...]: true if a test failed; $caught_by is then its name, $said what it said.
tests_fail() {
    local script=$1 last
    shift
    BUILD=$tree/build "$tree/$script" "$@" > "$work/log" 2>&1 || true
    last=$(tail -n 1 "$work/log")
    [[ $last =~ ^[a-z0-9]+:\ [0-9]+\ passed,\ ([0-9]+)\ failed ]] || die "$script did not come to its last line: $last"
    [ "${BASH_REMATCH[1]}" != 0 ] || return 1
    said=$(awk '/^[a-z0-9]+\/[A-Za-z0-9_]+: / && !/: skipped: / { on = 1 } on' "$work/log" | head -n 5)
    caught_by=${said%%: *}
}

script_of() { case $1 in e2e) echo tests/e2e/run.sh ;; predict) echo tests/differential/predict.sh ;; memory) echo tests/memory/run.sh ;; *) die "no group $1" ;; esac; }
program_of() { local script; script=$(script_of "${1%/*}"); echo "$tree/$(dirname "$script")/programs/${1#*/}.c"; }

caught() {
    local test
    [ -z "$cold" ] && for test in ${first[$name]}; do
        [ -f "$(program_of "$test")" ] || die "$name: $test is not there any more"
        tests_fail "$(script_of "${test%/*}")" "$(program_of "$test")" && return 0
    done
    for test in e2e predict memory; do
        tests_fail "$(script_of $test)" && return 0
    done
    return 1
}

try() {
    local start=$SECONDS
    caught_by='' said=''
    plant
    if ! build; then
        caught_by='DOES NOT BUILD' said=$(grep -m 1 -i error "$work/build.log")
    elif caught; then
        found=$((found + 1))
    else
        caught_by='NOT CAUGHT'
    fi
    printf '%-26s %-28s %4d s\n' "$name" "$caught_by" $((SECONDS - start))
    [ -z "$say" ] || [ -z "$said" ] || cut -c 1-200 <<< "$said" | sed 's/^/    /'
    restore
}

# --- all of them -------------------------------------------------------------

only=() say='' cold=''
read_table
while [ $# -gt 0 ]; do
    case $1 in
    --list) list; exit ;;
    --only)
        [ $# -gt 1 ] || die "--only needs a name"
        [ -n "${what[$2]+there}" ] || die "no defect $2: see --list"
        only+=("$2")
        shift
        ;;
    --say) say=1 ;;
    --cold) cold=1 ;;
    *) die "what is $1? --list, --only NAME, --say, --cold" ;;
    esac
    shift
done

work=$(mktemp -d "${TMPDIR:-/tmp}/tandem-defects-XXXXXX")
trap 'rm -rf "$work"' EXIT
tree=$work/tree found=0
mkdir "$tree"
for part in Makefile contract models runtime src tests tools build; do
    [ ! -e "$ROOT/$part" ] || cp -a "$ROOT/$part" "$tree/"
done
for name in "${names[@]}"; do # do all of them still apply?
    plant
    cp -p "$work/as-it-was" "$tree/${file[$name]}"
done
build || { cat "$work/build.log"; die "it does not build as it is"; }
cp -a "$tree/build" "$work/build"
if [ ${#only[@]} = 0 ]; then
    only=("${names[@]}")
    for test in e2e predict memory; do
        if tests_fail "$(script_of $test)"; then die "fails without any defect: $said"; fi
    done
fi
printf '%-26s %-28s %6s\n' defect 'caught by' time
for name in "${only[@]}"; do
    try
done
echo "defects: $found of ${#only[@]} caught"
[ "$found" = "${#only[@]}" ]
