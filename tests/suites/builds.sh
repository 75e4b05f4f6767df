#!/bin/bash
# Real programs, unmodified: `./configure CC=tandem-cc && make && make check`
# must end as it does with clang-19. This is the promise "drop-in" made, with
# autoconf's probes, libtool, shared libraries and the packages' own suites.
#
#   tests/suites/builds.sh [--jobs 2] [NAME...]      a name, or `all`; default sed gzip tree expat
#
# Builds each package twice below $cache/builds (reference: clang-19, cached;
# tested: $CC, made anew when anything in build/ changed), runs the suite of
# both and compares the results test by test. A table at the end:
#   package  tests  pass/fail/skip with clang and with ours  differences  make CPU ratio
# (+N: results that are compared but are not pass or fail, as all of tree's).
# Exit 1 on any difference. tree has no suite; its output on a prepared folder
# is compared instead. The make CPU ratio includes links, libtool and shells;
# bench/compile.sh measures the compiler alone.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$suites/checks.sh"

everything="sed gzip tree expat grep gawk findutils flex make lua busybox bash sqlite3 coreutils-all"
jobs=2 names=
while [ $# -gt 0 ]; do
    case $1 in
    --jobs) jobs=$(value_of "$@"); shift ;;
    all) names=$everything ;;
    *)  [[ " $everything " = *" $1 "* ]] || die "unknown argument '$1' (known packages: $everything)"
        names="$names $1" ;;
    esac
    shift
done
names=${names:-sed gzip tree expat}
need_tool "$REFERENCE"
need_tool "$CC" "CC"

# --- the comparison ---------------------------------------------------------

# A suite that ran no test at all has not passed.
check_side() {
    local name=$1 role=$2 dir note
    dir=$(package_dir "$name" "$role")
    if ! note=$(package_build "$name" "$role" "$jobs"); then
        echo "FAIL $name $role: $note"
        return 1
    fi
    [ "$role" = tested ] && rm -f "$dir.results"
    [ -s "$dir.results" ] || package_check "$name" "$dir"
    [ -s "$dir.results" ] || { echo "FAIL $name $role: no test ran, see $dir.check.log"; return 1; }
}

counts() {
    awk '{ r = $2; sub(/(-.*-exit|\().*/, "", r)
           if (r == "PASS") p++; else if (r == "FAIL" || r == "ERROR") f++; else if (r ~ /^SKIP|^UNTESTED/) s++; else o++ }
         END { printf "%d/%d/%d", p, f, s; if (o) printf "+%d", o }' "$1"
}

compare() {
    local name=$1 ref tested differ
    if ! check_side "$name" reference || ! check_side "$name" tested; then
        printf '%-13s not built or not tested\n' "$name" >> "$table"
        return 1
    fi
    ref=$(package_dir "$name" reference)
    tested=$(package_dir "$name" tested)
    differences clang "$ref.results" ours "$tested.results" > "$tested.differences"
    sed "s|^|DIFF $name |" "$tested.differences"
    unsteady "$name" | sed "s|^|NOT COMPARED $name |"
    differ=$(wc -l < "$tested.differences")
    printf '%-13s %5d  %14s  %12s  %11d  %7.2f  %7.2f  %5.2fx\n' "$name" \
        "$(wc -l < "$ref.results")" "$(counts "$ref.results")" "$(counts "$tested.results")" \
        "$differ" "$(cat "$ref.cpu")" "$(cat "$tested.cpu")" \
        "$(awk 'NR == 1 { a = $1 } NR == 2 { print $1 / a }' "$ref.cpu" "$tested.cpu")" >> "$table"
    [ "$differ" = 0 ]
}

mkdir -p "$cache/builds"
exec 8> "$cache/builds/lock"
flock -n 8 || die "another run is using $cache/builds"
table=$(mktemp)
trap 'rm -f "$table"' EXIT
printf '%-13s %5s  %14s  %12s  %11s  %7s  %7s  %6s\n' package tests clang-p/f/s ours-p/f/s \
    differences clang-s ours-s make > "$table"
status=0
for name in $names; do compare "$name" || status=1; done
cat "$table"
exit $status
