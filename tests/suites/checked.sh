#!/bin/bash
# Real suites under `tandem check`: nobody notices, what it costs, and what comes of it.
#
#   tests/suites/checked.sh [--time 120] [--jobs 2] [--keep DIR] [--record-only | --check-only] [NAME...]
#                           gzip expat gawk coreutils-eight sed grep; coreutils-many
#
# Each package is built with clang-19 and with $CC, and its own suite runs three times: with clang's programs, with ours, and with ours under `tandem check`. The tests must end as they did without; unless
# --record-only is given, what was recorded is then checked for so many seconds; with --check-only what was recorded before is. The suite's own test programs are built before, so that times are of running. Printed: a line DIFF for each test that
# ends differently, LEFT OUT for each reason why runs are not recorded or not checked, and three tables:
#   suites    tests; runs of our programs, and how many of them are recorded, the same as others, left out; size; seconds by the clock with clang, with ours, recorded, and the last by the first; by the CPU
#             likewise
#   programs  tests that are checked; places where something could go wrong; checks, and at how many places; proved, broken, not decided; distance; runs; seconds; checks per second
#   bugs      what is in reports.confirmed is marked, and where a test program says that its own assertion failed, which is not surprising if it is given something else
# Exit 1 on a difference, or a bug that is neither. All that was recorded and found is below DIR ($cache/checked), the programs in $cache/builds.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$suites/checks.sh"

everything="gzip expat gawk coreutils-eight sed grep"
seconds=120 jobs=2 keep='' record_only='' check_only='' names=''
while [ $# -gt 0 ]; do
    case $1 in
    --time) seconds=$(value_of "$@"); shift ;;
    --jobs) jobs=$(value_of "$@"); shift ;;
    --keep) keep=$(value_of "$@"); shift ;;
    --record-only) record_only=yes ;;
    --check-only) check_only=yes ;;
    *)  [[ " $everything coreutils-many " = *" $1 "* ]] || die "unknown argument '$1' (known packages: $everything coreutils-many)"
        names="$names $1" ;;
    esac
    shift
done
need_tool "$REFERENCE"
need_tool "$CC" CC
need_tool "$TANDEM" TANDEM
need_tool jq
work=${keep:-$cache/checked}
mkdir -p "$work"
work=$(cd "$work" && pwd)
cputime_build

# --- running ----------------------------------------------------------------

build_tests() {
    case $1 in
    coreutils-*|gawk) ;;
    expat) cd "$2/expat" && make check TESTS= -k -j"$jobs" ;;
    *)     cd "$2" && make check TESTS= -k -j"$jobs" ;;
    esac
}

# run_suite NAME ROLE WAY [COMMAND...]: the suite, by that command. Leaves WAY.{results,check.log,time} and the load before it.
run_suite() {
    local dir at=$work/$1/$3
    dir=$(package_dir "$1" "$2")
    under="$cputime -w -o $at.time ${*:4}"
    cut -d ' ' -f 1 /proc/loadavg > "$at.load"
    package_check "$1" "$dir" 6>&- 7>&- 8>&-
    mv "$dir.results" "$at.results"
    mv "$dir.check.log" "$at.check.log"
    [ -s "$at.results" ] || die "$1: no test ran ($3), see $at.check.log"
}

build_package() {
    local name=$1 role
    rm -rf "${work:?}/$name"
    mkdir -p "$work/$name"
    for role in reference tested; do
        package_build "$name" "$role" "$jobs" || die "$name was not built ($role)"
        (build_tests "$name" "$(package_dir "$name" "$role")") > "$work/$name/$role.tests.log" 2>&1 || die "$name: no test programs, see $work/$name/$role.tests.log"
    done
}

record_package() {
    run_suite "$1" reference reference
    run_suite "$1" tested ours
    run_suite "$1" tested recorded "$TANDEM" check --record-only --out "$work/$1/out" --
}

check_recorded() {
    find "$work/$1/out" -mindepth 1 -maxdepth 1 ! -name recordings -exec rm -rf {} +
    "$TANDEM" check --resume --no-progress --json --jobs "$jobs" --time "$seconds" --out "$work/$1/out" > "$work/$1/said" 2>&1 < /dev/null 6>&- 7>&- 8>&- ||
        echo "CHECK $1 ended with $?: $(tail -n 1 "$work/$1/said")"
}

# The builds must stay what they are meanwhile.
run_package() {
    exec 8> "$work/$1.lock"
    flock -n 8 || die "another run is using $work/$1"
    [ -n "$check_only" ] || build_package "$1"
    [ -s "$work/$1/recorded.results" ] || [ -z "$check_only" ] || die "$1 was not recorded"
    exec 6> "$cache/builds/.$1.reference.lock" 7> "$cache/builds/.$1.tested.lock"
    flock 6
    flock 7
    [ -n "$check_only" ] || record_package "$1"
    [ -n "$record_only" ] || check_recorded "$1"
    exec 6>&- 7>&- 8>&-
}

# --- tables -----------------------------------------------------------------

# Of "the suite took ... R runs of P programs: K recorded (B KiB), M the same as others, L left out".
recorded() { sed -nE "s/^tandem: the suite took .* ([0-9]+) $2.*/\1/p" "$work/$1/recorded.check.log"; }

suite_row() {
    local name=$1 differ=$work/$1/differences size out
    differences without "$work/$name/ours.results" recorded "$work/$name/recorded.results" > "$differ"
    sed "s|^|DIFF $name |" "$differ"
    differences clang "$work/$name/reference.results" ours "$work/$name/ours.results" | sed "s|^|BUILD $name |"
    unsteady "$name" | sed "s|^|NOT COMPARED $name |"
    sed -nE "s/^tandem: ([0-9]+) left out: /LEFT OUT $name \1: /p" "$work/$name/recorded.check.log"
    [ ! -s "$differ" ] || status=1
    out=$(recorded "$name" 'left out')
    size=$(sed -nE 's/.* recorded \(([0-9]+) KiB\).*/\1/p' "$work/$name/recorded.check.log")
    awk -v name="$name" -v tests="$(wc -l < "$work/$name/recorded.results")" -v runs="$(recorded "$name" 'runs? of')" -v kept="$(recorded "$name" recorded)" \
        -v merged="$(recorded "$name" 'the same')" -v out="${out:-0}" -v kib="${size:-0}" -v load="$(cat "$work/$name/"{reference,ours,recorded}.load | tr '\n' ' ')" '
        { cpu[NR] = $1; wall[NR] = $2 }
        END { printf "%-15s %5d %6d %8d %6d %8d %6.1f  %7.1f %7.1f %8.1f %5.2fx  %7.1f %7.1f %8.1f %5.2fx  %s\n", name, tests, runs, kept, merged, out, kib / 1024,
              wall[1], wall[2], wall[3], wall[3] / wall[1], cpu[1], cpu[2], cpu[3], cpu[3] / cpu[1], load }' "$work/$name/"{reference,ours,recorded}.time >> "$suites_table"
}

# Those where nothing depends on what they are given are one line.
program_rows() {
    local name=$1
    [ -s "$work/$name/out/report.json" ] || return 0
    sed -nE "s/^  ([0-9]+) tests? cannot be replayed: /LEFT OUT $name \1: /p" "$work/$name/said"
    grep -E '^  (could not be checked|there was no time)' "$work/$name/said" | sed "s/^ */CHECK $name /" | sort | uniq -c || true
    jq -r '.programs[] | [(.program | sub(".*/"; "")), .tests, .left_out, .stats.risky_places, .stats.checks, .stats.checked_places, .stats.checks_proved, .stats.checks_broken,
        .stats.checks_unmet, .stats.checks_unknown, .stats.distance, .stats.exhausted, .stats.runs + .stats.reruns, .stats.seconds, .stats.queries] | map(tostring) | join("\t")' "$work/$name/out/report.json" |
        sort -t "$(printf '\t')" -k 5,5nr -k 1,1 | awk -F '\t' -v name="$name" '
        function row(program, tests, out, places, checks, at, proved, broken, unmet, unknown, distance, left, runs, seconds) {
            printf "%-15s %-18s %5d %4d %6d %7d %6d %7d %6d %6d %7d %4s%s %7d %7.1f %8.1f\n", name, program, tests, out, places, checks, at, proved, broken, unmet, unknown, distance, left ? "." : " ", runs, seconds,
                (seconds > 0 ? checks / seconds : 0) }
        $5 == 0 { n++; tests += $2; out += $3; places += $4; runs += $13; spent += $14; next }
        { row($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 == "true", $13, $14) }
        END { if (n) row("(" n " others)", tests, out, places, 0, 0, 0, 0, 0, 0, "-", 0, runs, spent) }' >> "$programs_table"
}

# "CLASS FILE:LINE" begins a line of reports.confirmed, after the package; coreutils is one in several shapes.
is_confirmed() { awk -v package="${1%%-*}" -v class="$2" -v place="$3" '{ sub(/-.*/, "", $1) } $1 == package && $2 == class && $3 == place { found = 1 } END { exit !found }' "$suites/reports.confirmed"; }

bugs_of() {
    awk '
        function tell() { if (class) printf "%s\t%s\t%s\t%s\t%s\t%s\n", class, place, distance == "" ? "-" : distance, test == "" ? "-" : test, file, differs == "" ? "the test itself" : differs; class = distance = test = differs = file = "" }
        /^bug: / { tell(); class = $2; place = $0; sub(/ after [0-9]+ runs: .*/, "", place); sub(/^bug: [^ ]+( in)? ?/, "", place); if (place == "") place = "?" }
        /^  last branch: / { if (place == "?") { place = $0; sub(/^  last branch: /, "", place) } }
        /^  replay: / { file = $NF }
        /^  made from: .*distance/ { distance = $0; sub(/.*distance /, "", distance); sub(/,.*/, "", distance) }
        /^  test: / { test = $2; sub(/.*\//, "", test); sub(/\.tcase$/, "", test) }
        /^  differs from that test in: / { differs = $0; sub(/^  differs from that test in: /, "", differs) }
        END { tell() }' "$work/$1/said"
}

mark_of() { # PACKAGE CLASS PLACE FILE
    local place
    place=$(sed -E 's/.* at //; s/(:[0-9]+):[0-9]+$/\1/' <<< "$3")
    if is_confirmed "$1" "$2" "$place"; then
        echo confirmed
    elif [[ $4 = */test-*/crashes/SIGABRT-* ]] && { "$TANDEM" replay "$4" 2>&1 < /dev/null || true; } | grep -a "^test-.*: assertion '.*' failed$" > /dev/null; then
        echo assertion
    else
        echo NEW
    fi
}

bug_rows() {
    local name=$1 class place distance test file differs mark
    [ -s "$work/$name/said" ] || return 0
    while IFS=$'\t' read -r class place distance test file differs; do
        mark=$(mark_of "$name" "$class" "$place" "$file")
        [ "$mark" != NEW ] || status=1
        printf '%-9s %-15s %s in %s; distance %s from %s: %s\n          %s\n' "$mark" "$name" "$class" "$place" "$distance" "$test" "$differs" "${file#"$work"/}" >> "$bugs_table"
    done < <(bugs_of "$name")
}

suites_table=$work/suites.table programs_table=$work/programs.table bugs_table=$work/bugs.table
printf '%-15s %5s %6s %8s %6s %8s %6s  %7s %7s %8s %6s  %7s %7s %8s %6s  %s\n' package tests runs recorded merged left-out MiB clang-s ours-s recorded ratio clang-c ours-c recorded ratio load > "$suites_table"
printf '%-15s %-18s %5s %4s %6s %7s %6s %7s %6s %6s %7s %4s  %7s %7s %8s\n' package program tests out places checks unique proved broken unmet unknown dist runs seconds checks/s > "$programs_table"
: > "$bugs_table"
status=0
for name in ${names:-$everything}; do
    run_package "$name"
    suite_row "$name"
    program_rows "$name"
    bug_rows "$name"
done
cat "$suites_table"
[ -n "$record_only" ] || cat <(echo) "$programs_table" <(echo) "$bugs_table"
exit $status
