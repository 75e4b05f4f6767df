#!/bin/bash
# Four of the bugs that ZESTI found in coreutils 6.10 (ICSE 2012), put back into 9.1 by zesti/BUG.sed, each of which says what it is: tandem check has to find all of them with the package's own tests of
# the program, and nothing in the program as it is.
#
#   tests/suites/zesti.sh [--time 240] [--jobs 1] [--keep DIR] [BUG...]      cut paste mkdir md5sum
#
# For each: the tests run without tandem check and under it, and must end the same, all well; those that show the bug, as they came with its repair, are left out (named below). The bug's report must name its
# function, and its test case fail when it is replayed. Then the program as it is, with all tests. --time is what either of the two has for checking, after the tests. A table at the end:
#   bug  class  distance/depth  ZESTI's distance  seconds after the tests  runs  what the test case does when replayed  how its input differs from the test's
# Exit 1 if a bug is missing or its test case does not fail, if anything else is reported, or if a test ends differently.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$suites/checks.sh"

# bug   source        in the call stack      distance      tests that show it
bugs='
cut     src/cut.c     is_printable           0             big-unbounded-
paste   src/paste.c   collapse_escapes       1             delim-bs
mkdir   src/mkdir.c   quote                  6
md5sum  src/digest.c  bsd_split_3            10            bsd-segv
'
field() { awk -v bug="$1" -v n="$2" '$1 == bug { print $n }' <<< "$bugs"; }

seconds=240 jobs=1 keep="" names=""
while [ $# -gt 0 ]; do
    case $1 in
    --time) seconds=$(value_of "$@"); shift ;;
    --jobs) jobs=$(value_of "$@"); shift ;;
    --keep) keep=$(value_of "$@"); shift ;;
    *)  [ -n "$(field "$1" 1)" ] || die "unknown argument '$1' (known bugs: $(awk '{ print $1 }' <<< "$bugs" | xargs))"
        names="$names $1" ;;
    esac
    shift
done
names=${names:-$(awk '{ print $1 }' <<< "$bugs")}
need_tool "$CC" CC
need_tool jq
check_seconds=$((check_seconds + seconds))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
package_build coreutils-zesti tested 2 || die "coreutils was not built"

# --- a program and its tests ---------------------------------------------------

# A copy of the build elsewhere; what knows its place is told.
tree_make() {
    local from file
    from=$(package_dir coreutils-zesti tested)
    cp -a "$from" "$1"
    for file in Makefile config.status po/Makefile gnulib-tests/Makefile; do
        sed -i "s|$from|$1|g" "$1/$file"
        touch -r "$from/$file" "$1/$file"
    done
}

# The bug goes in, and the tests that show it go out.
put_in() {
    local bug=$1 dir=$2 source tests
    source=$(field "$bug" 2) tests=$(field "$bug" 5)
    cp "$dir/$source" "$work/before"
    sed -i -f "$suites/zesti/$bug.sed" "$dir/$source"
    ! cmp -s "$work/before" "$dir/$source" || die "$bug.sed changes nothing in $source"
    [ -z "$tests" ] || sed -i "/\['$tests/{:more;/\],\$/!{N;b more};d}" "$dir/tests/misc/$bug.pl"
    make -C "$dir" "src/$bug" > "$dir.make.log" 2>&1 || { tail "$dir.make.log"; die "$bug does not build"; }
}

# run_tests BUG DIR RESULTS [COMMAND...]: with the time before each line of what is said.
run_tests() (
    name=$1 coreutils_many=$1 to=$3
    cd "$2"
    shift 3
    under=$*
    { coreutils_check 2>&1 > "$to.log" < /dev/null; } | while IFS= read -r line; do echo "$EPOCHREALTIME $line"; done > "$to.said"
    automake_results > "$to"
)

# Without tandem and with.
run_both() {
    local bug=$1 dir=$2 which=${2##*/}
    run_tests "$bug" "$dir" "$dir.plain"
    run_tests "$bug" "$dir" "$dir.checked" "$TANDEM" check --no-progress --json --time "$seconds" --jobs "$jobs" --out "$dir.out" --
    [ -z "$keep" ] || { mkdir -p "$keep/$which"; cp -r "$dir/src/$bug" "$dir".* "$keep/$which"; }
    grep -q ' PASS$' "$dir.plain" || { echo "NO TEST PASSES: $which"; status=1; }
    ! grep -vE ' (PASS|SKIP)$' "$dir.plain" | sed "s|^|NOT WELL: $which |" | grep . || status=1
    ! differences plain "$dir.plain" checked "$dir.checked" | sed "s|^|DIFFERENT: $which |" | grep . || status=1
    jq -e '.programs | length > 0' "$dir.out/report.json" > "$dir.programs" || { echo "NOTHING CHECKED: $which"; status=1; }
}

# --- what was reported ---------------------------------------------------------

# Lines of "DISTANCE DEPTH SECONDS RUNS FILE DIFFERENCE", apart by tabs: FILE is the test case.
reports_of() {
    awk -v OFS='\t' '
        function tell() { if (file) print distance, depth, int(at - start + 0.5), runs, file, text; file = "" }
        { now = $1; sub(/^[^ ]* /, "") }
        /^tandem: the suite took / { start = now }
        /^bug: / { tell(); at = now; runs = $0; sub(/ runs: .*/, "", runs); sub(/.* /, "", runs); file = distance = depth = "?"; text = "" }
        /^  replay: / { file = $NF }
        /^  made from: .* distance / { distance = depth = $0; sub(/.* distance /, "", distance); sub(/,.*/, "", distance); sub(/.* depth /, "", depth) }
        /^  differs from that test in: / { text = $0; sub(/^[^:]*: /, "", text) }
        END { tell() }' "$1"
}

is_bug() { grep -q "^frame \"$(field "$1" 3) at " "$2"; }
class_of() { sed -n 's/^bug "\(.*\)"/\1/p' "$1"; }
place_of() { sed -n 's/^place "\(.*\)"/\1/p' "$1"; }

# judge_other DIR [BUG]: what is reported besides the bug.
judge_other() {
    local file text
    while IFS=$'\t' read -r _ _ _ _ file text; do
        [ -z "${2-}" ] || ! is_bug "$2" "$file" || continue
        echo "ANOTHER: ${1##*/} $(class_of "$file") in $(place_of "$file"): $text"
        status=1
    done < <(reports_of "$1.checked.said")
}

# The report of the bug that is nearest to a test, as a row.
judge_bug() {
    local bug=$1 dir=$2 distance depth at runs file text replayed=fails
    while IFS=$'\t' read -r distance depth at runs file text; do
        is_bug "$bug" "$file" || continue
        ! "$TANDEM" replay -q "$file" > /dev/null 2>&1 || { replayed=PASSES; status=1; }
        printf '%-7s %-18s %14s %6s %8s %7s  %-6s  %s\n' "$bug" "$(class_of "$file")" "$distance/$depth" "$(field "$bug" 4)" "$at" "$runs" "$replayed" "$text"
        return 0
    done < <(reports_of "$dir.checked.said" | sort -n -k 1,1 -k 2,2)
    printf '%-7s MISSING\n' "$bug"
    status=1
}

status=0
printf '%-7s %-18s %14s %6s %8s %7s  %-6s  %s\n' bug class distance/depth ZESTI seconds runs replay 'differs from the test in' > "$work/table"
for bug in $names; do
    tree_make "$work/$bug"
    put_in "$bug" "$work/$bug"
    run_both "$bug" "$work/$bug"
    judge_other "$work/$bug" "$bug"
    judge_bug "$bug" "$work/$bug" >> "$work/table"
    tree_make "$work/$bug.as-it-is"
    run_both "$bug" "$work/$bug.as-it-is"
    judge_other "$work/$bug.as-it-is"
    rm -rf "${work:?}/$bug" "$work/$bug".*
done
cat "$work/table"
exit $status
