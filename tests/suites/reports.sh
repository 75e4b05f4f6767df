#!/bin/bash
# No false reports: real programs run their own test suites with every execution
# traced and checked. What Tandem reports there must be a bug that ASan+UBSan
# confirm, or that was understood by hand; everything else is our mistake.
#
#   tests/suites/reports.sh [--jobs 2] [--mode concrete|symbolic|all] [NAME...]
#                           tree gzip expat sed grep coreutils-many
#
# Each package is built with $CC and its suite runs untraced, with nothing
# symbolic (concrete), and with standard input and arguments symbolic. For the
# traced runs every program in the tree that has our runtime, the suite's own
# test programs included, is replaced by a wrapper (wrapper.c) that becomes the
# traced program. Prints the reports, once per class and innermost line:
#   REPORT PACKAGE CLASS FILE:LINE
# and the tests that end differently than untraced:
#   DIFF PACKAGE TEST: ...
# then a table:
#   package  mode  tests  executions traced and not  tests that differ  reports
# (in brackets: how many of them are listed). Exit 1 if there is a report that
# is not in reports.confirmed or a difference that is not in
# reports.differences. Each run and what it reported: $cache/reports/NAME.MODE.log
#
# A traced run is stopped after RUN_SECONDS (300), a suite after CHECK_SECONDS
# (3600): the machine may be busy, and some programs take half a minute.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
CHECK_SECONDS=${CHECK_SECONDS:-3600} RUN_SECONDS=${RUN_SECONDS:-300}
. "$suites/checks.sh"

everything="tree gzip expat sed grep coreutils-many"
jobs=2 modes="concrete symbolic" names=
while [ $# -gt 0 ]; do
    case $1 in
    --jobs) jobs=$(value_of "$@"); shift ;;
    --mode)
        modes=$(value_of "$@")
        shift
        case $modes in all) modes="concrete symbolic" ;; concrete|symbolic) ;; *) die "unknown mode '$modes'" ;; esac ;;
    *)  [[ " $everything " = *" $1 "* ]] || die "unknown argument '$1' (known packages: $everything)"
        names="$names $1" ;;
    esac
    shift
done
need_tool "$REFERENCE"
need_tool "$CC" "CC"
need_tool "$TANDEM" "TANDEM"
work=$cache/reports

# --- wrapping ---------------------------------------------------------------

options_of() {
    printf '"--go-on", "--time", "%s"' "$RUN_SECONDS"
    [ "$1" != concrete ] || printf ', "--nothing-symbolic"'
}

# Programs that tandem-cc linked: they say which runtime they have.
programs_in() {
    find "$1" -name .traced -prune -o -type f -perm -u+x ! -name '*.so*' ! -name '*.o' -print | while read -r file; do
        ! readelf -SW "$file" 2> /dev/null | grep ' __td_runtime ' > /dev/null || echo "$file"
    done
}

# As old as the program, or make would remake what depends on it.
wrap() {
    local dir=$1 wrapper=$2 program
    programs_in "$dir" | while read -r program; do
        mkdir -p "${program%/*}/.traced"
        mv "$program" "${program%/*}/.traced/"
        cp "$wrapper" "$program"
        touch -r "${program%/*}/.traced/${program##*/}" "$program"
    done
}

unwrap() {
    local hidden
    find "$1" -type d -name .traced | while read -r hidden; do
        find "$hidden" -type f -exec mv -t "${hidden%/*}" {} +
        rmdir "$hidden"
    done
}

# --- one package ------------------------------------------------------------

# The suite's own programs are built before, so that they are wrapped too.
build_tests() {
    case $1 in
    tree|coreutils-many) ;;
    expat) cd "$2/expat" && make check TESTS= -k -j"$jobs" ;;
    *)     cd "$2" && make check TESTS= -k -j"$jobs" ;;
    esac
}

run_suite() { # NAME MODE: results and log in $work
    local dir
    dir=$(package_dir "$1" tested)
    package_check "$1" "$dir" 7>&- 8>&-
    mv "$dir.results" "$work/$1.$2.results"
    [ ! -f "$dir.check.log" ] || mv "$dir.check.log" "$work/$1.$2.check.log"
    [ -s "$work/$1.$2.results" ] || die "$1: no test ran ($2), see $work/$1.$2.check.log"
}

# Whoever traces holds the log until its run is in it; some programs are left behind by their suite and killed by time.
wait_for_log() { flock -x -w $((RUN_SECONDS + 10)) "$1" true || echo "note: $1 is still written to"; }

traced_suite() {
    local name=$1 mode=$2 dir log=$work/$1.$2.log
    dir=$(package_dir "$name" tested)
    : > "$log"
    "$REFERENCE" -O1 -Wall -Wextra -Werror -DTANDEM="\"$TANDEM\"" -DLOG="\"$log\"" -DOPTIONS="$(options_of "$mode")" \
        "$suites/wrapper.c" -o "$work/$name.wrapper"
    wrap "$dir" "$work/$name.wrapper"
    run_suite "$name" "$mode"
    wait_for_log "$log"
    unwrap "$dir"
    grep -q '^--- run in' "$log" || die "$name: nothing was traced ($mode)"
}

# While its programs are wrapped, the build is no build: the others that use it must not find it.
check_package() {
    local name=$1 dir mode
    dir=$(package_dir "$name" tested)
    exec 8> "$work/$name.lock"
    flock -n 8 || die "another run is using $work/$name.*"
    package_build "$name" tested "$jobs" || die "$name was not built"
    exec 7> "$cache/builds/.$name.tested.lock"
    flock 7
    mv "$dir.stamp" "$dir.stamp.away"
    build_tests "$name" "$dir" > "$work/$name.tests.log" 2>&1 || die "$name: no test programs, see $work/$name.tests.log"
    run_suite "$name" untraced
    for mode in $modes; do traced_suite "$name" "$mode"; done
    mv "$dir.stamp.away" "$dir.stamp"
    exec 7>&-
}

# --- the verdict ------------------------------------------------------------

# "CLASS PLACE", once each: the innermost line, else the innermost frame.
reports_of() {
    awk '
        function tell() { if (class) print class, place ? place : first ? first : "?"; class = place = first = "" }
        /^==TANDEM: / { tell(); class = $2; sub(/:$/, "", class); happened = 1; next }
        happened && /^    #/ {
            if (!first) first = $2
            if (!place && $(NF - 1) == "at") { place = $NF; if (place ~ /:[0-9]+:[0-9]+$/) sub(/:[0-9]+$/, "", place) }
            next
        }
        { happened = 0 }
        END { tell() }' "$1" | sort | uniq
}

# listed FILE KEY: a line of FILE begins with these words.
listed() { awk -v key="$2 " '!/^#/ && index($0 " ", key) == 1 { found = 1 } END { exit !found }' "$suites/$1"; }

# judge FILE PREFIX WORD: the lines of stdin, marked if they are not listed. Sets all and known.
judge() {
    local line key
    all=0 known=0
    while IFS= read -r line; do
        key="$2 ${line%%: *}"
        all=$((all + 1))
        if listed "$1" "$key"; then known=$((known + 1)); echo "listed: $3 $2 $line"; else echo "$3 $2 $line"; fi
    done
}

verdict() {
    local name=$1 mode=$2 log=$work/$1.$2.log reports differ
    judge reports.confirmed "$name" REPORT < <(reports_of "$log")
    reports="$all ($known)"
    [ "$all" = "$known" ] || status=1
    judge reports.differences "$name" DIFF < <(differences untraced "$work/$name.untraced.results" "$mode" "$work/$name.$mode.results")
    differ="$all ($known)"
    [ "$all" = "$known" ] || status=1
    printf '%-15s %-9s %5d  %9d  %10d  %9s  %9s\n' "$name" "$mode" "$(wc -l < "$work/$name.$mode.results")" \
        "$(grep -c '^--- run in' "$log" || true)" "$(grep -c '^--- not traced' "$log" || true)" "$differ" "$reports" >> "$table"
}

mkdir -p "$work"
table=$(mktemp)
trap 'rm -f "$table"' EXIT
printf '%-15s %-9s %5s  %9s  %10s  %9s  %9s\n' package mode tests traced not-traced differ reports > "$table"
status=0
for name in ${names:-$everything}; do
    check_package "$name"
    for mode in $modes; do verdict "$name" "$mode"; done
done
cat "$table"
exit $status
