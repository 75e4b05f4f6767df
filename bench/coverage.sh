#!/bin/bash
# Branch coverage of Debian's programs after some processor time, beside AFL++: what each of the two keeps is replayed on a third build, of gcc --coverage,
# so that both are measured by the same rule and neither by its own.
#
#   bench/coverage.sh [--seconds 120] [--rounds 3] [--jobs 2] [--search NAME] [--side tandem|afl|both|none] [--cases DIR] [--keep] [NAME...]
#
#   --side S        who is run; the table has the other side from when it was last run for as many seconds, if it was. So several can
#                   be at work, one for each processor, and AFL++ is not run again for each change of ours. none: only the table
#   --seconds S     for one exploration, by the clock, of AFL++ by processor time; what both really took is shown (cpu)
#   --rounds N      seeds 1 to N of explore; what is shown is the median of the rounds, figure by figure
#   --cases DIR     instead of explorations: test cases below DIR/NAME are what was found (to try the rest out)
#   --keep          test cases, queues and counts stay below $cache/coverage
#   NAME            cut expr tr printf seq sort paste md5sum sed grep xmlwf tree gawk (default: these), sed-regex
#
# Both start from one trivial seed (seeds.sh): arguments and standard input, all of which they may change; of AFL++, arguments are what its
# inputs begin with (argv.c). Shown are branches (a condition has two) of the package's own files that were taken, those only one of
# the two has taken, executions, executions per second of processor time, and queries by what answered them, if explore tells. A replay that
# dies by a signal or is stopped leaves no counts; how many did is told.
#
# Invented inputs run in a sandbox, always: explore and replay have their own, AFL++ is put into one that is tried out first (afl.sh); without it there is
# no AFL++ here. There is no bar; exit 1 only if something could not be run.
set -euo pipefail
. "$(dirname "$0")/../tests/suites/lib.sh"
. "$suites/programs.sh"
. "$ROOT/bench/afl.sh"
. "$ROOT/bench/seeds.sh"

seconds=120 rounds=3 jobs=2 search=default side=both cases="" keep="" names=""
known="cut expr tr printf seq sort paste md5sum sed grep xmlwf tree gawk"
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$(value_of "$@"); shift ;;
    --rounds)  rounds=$(value_of "$@"); shift ;;
    --jobs)    jobs=$(value_of "$@"); shift ;;
    --search)  search=$(value_of "$@"); shift ;;
    --cases)   cases=$(cd "$(value_of "$@")" && pwd); shift ;;
    --side)    side=$(value_of "$@"); shift ;;
    --keep)    keep=yes ;;
    -*) die "unknown option '$1'" ;;
    *)  [[ " $known sed-regex " = *" $1 "* ]] || die "no program '$1' (known: $known sed-regex)"
        names="$names $1" ;;
    esac
    shift
done
names=${names:-$known}
case $side in
both) sides="tandem afl" ;;
none) sides="" ;;
tandem|afl) sides=$side ;;
*) die "no side '$side'" ;;
esac
need_tool "$CC" "CC"
for tool in gcc gcov jq; do need_tool $tool; done
work=$cache/coverage

# --- what they start from ---------------------------------------------------

# write_seed NAME: $run/stdin for explore, $run/seed for AFL++.
write_seed() {
    seed_of "$1"
    printf '%b' "$input" > "$run/stdin"
    { [ ${#arguments[@]} = 0 ] || { printf '%s\0' "${arguments[@]}"; printf '\0'; }; cat "$run/stdin"; } > "$run/seed"
}

# Inputs of a program that is given no arguments are standard inputs, for both.
has_arguments() { [ ${#arguments[@]} -gt 0 ]; }

# --- the two ----------------------------------------------------------------

# explore_once NAME SEED: what it keeps in $run/out, what it printed in $run/log, processor time in $run/cpu.
explore_once() {
    local status=0 options=(--json --go-on)
    [ "$search" = default ] || options+=(--search "$search")
    "$cputime" -o "$run/cpu" "$TANDEM" explore "${options[@]}" --time "$seconds" --seed "$2" --stdin-file "$run/stdin" --out "$run/out" \
        "$work/$1.tested" ${arguments[@]+"${arguments[@]}"} > "$run/log" 2> "$run/err" || status=$?
    case $status in
    0|5|10) ;;
    *) echo "FAIL $1: explore exits with $status: $(tail -n 1 "$run/err")"; return 1 ;;
    esac
}

# explore_figures: `runs bugs`, and on the second line how many queries which stage of the solver answered.
explore_figures() {
    jq -r '"\(.runs) \(.bugs)", (.stages | to_entries | map("\(.key) \(.value.sat + .value.unsat)") | join(", ")) + "; \(.divergences) divergences in \(.runs) runs, \(.strays) of uncertain models"' "$run/log"
}

# --- coverage ---------------------------------------------------------------

# covered NAME DIR...: replays all test cases of the folders; $run/branches has a line `FILE:LINE:N` for each branch, with 1 if it was taken, and
# $run/lost the number of runs that left no counts.
covered() {
    local name=$1 counts=$run/gcov list=$run/list
    shift
    rm -rf "$counts"
    mkdir -p "$counts"
    find "$@" -name '*.tcase' 2> /dev/null | sort > "$list"
    xargs -r -d '\n' -n 500 "$TANDEM" replay --json --time 5 --gcov "$counts" --program "$work/$name.gcov" < "$list" \
        > "$run/replays" 2> "$run/replays.err" || [ -s "$run/replays" ] || { echo "FAIL $name: $(head -n 1 "$run/replays.err")"; return 1; }
    jq -s '[.[] | select(.end != "exit")] | length' "$run/replays" > "$run/lost"
    branches_of "$counts" > "$run/branches"
}

# branches_of DIR: gcov wants the notes of the compiler beside the counts. A file may be compiled into several objects.
branches_of() {
    local counts
    find "$1" -name '*.gcda' | while read -r counts; do
        counts=${counts%.gcda}.gcno
        cp "${counts#"$1"}" "$counts"
    done
    find "$1" -name '*.gcda' -print0 | xargs -0 -r gcov --json-format --stdout --branch-probabilities 2> /dev/null |
        jq -r '.files[] | .file as $file | select($file | startswith("/usr/") | not) | .lines[] |
            .line_number as $line | .branches | to_entries[] | "\($file):\($line):\(.key) \(if .value.count > 0 then 1 else 0 end)"' |
        awk '{ taken[$1] += $2 } END { for (b in taken) print b, (taken[b] > 0) }' | sort
}

# compare OURS THEIRS: `total ours AFL++s only-ours only-AFL++s`.
compare() {
    awk '{ file = FILENAME == ARGV[1] ? 1 : 2 }
        { all[$1] = 1; if ($2) hit[file, $1] = 1 }
        END {
            for (b in all) { n++; x = (1, b) in hit; y = (2, b) in hit; a += x; c += y; onlya += x && !y; onlyc += y && !x }
            print n + 0, a + 0, c + 0, onlya + 0, onlyc + 0
        }' "$1" "$2"
}

# --- one program ------------------------------------------------------------

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

import_case() {
    local how=--stdin
    ! has_arguments || how=--argv
    "$TANDEM" import $how -o "$2" "$1" -- "$work/$name.gcov" > "$run/import.log" 2>&1
}

# Each leaves what it kept in $run/out, and says `executions processor-time bugs`; of tandem, $run/queries tells of queries and divergences.
round_tandem() {
    local runs=0 bugs=0
    if [ -n "$cases" ]; then
        cp -r "$cases/$1" "$run/out/tests"
        echo "$seconds" > "$run/cpu"
    else
        explore_once "$1" "$2" >&2 || return 1
        { read -r runs bugs; cat > "$run/queries"; } < <(explore_figures)
    fi
    echo "$runs $(cat "$run/cpu") $bugs"
}

round_afl() {
    afl_run "$work/$1.afl" "$run/seed" "$seconds" "$run/afl" "$(has_arguments && echo argv || true)" >&2 || return 1
    import_case "$run/afl/default" "$run/out" || { tail -n 1 "$run/import.log" >&2; return 1; }
    echo "$(awk '$1 == "execs_done" { print $3 }' "$run/afl/default/fuzzer_stats") $(awk '{ print $1 / 100 }' "$run/afl/default/cpu") 0"
}

# What stays of a round, by $kept/NAME.SIDE.SECONDS.ROUND: branches, figures, queries. Ours by another search, or of cases that were given, is another side.
kept_of() {
    local side=$2
    [ "$2" = afl ] || side=tandem-$search${cases:+-cases}
    echo "$kept/$1.$side.$seconds.$3"
}

round_of() {
    local to figures
    to=$(kept_of "$@")
    rm -rf "$run/out" "$run/afl" "$run/seeds" "$run/queries" "$to".*
    mkdir -p "$run/out"
    import_case "$run/seed" "$run/seeds" || { echo "FAIL $1: $(tail -n 1 "$run/import.log")"; return 1; }
    figures=$("round_$2" "$1" "$3") || { echo "FAIL $1 $2"; return 1; }
    covered "$1" "$run/seeds" "$run/out" || return 1
    [ ! -s "$run/queries" ] || cp "$run/queries" "$to.queries"
    echo "$figures $(cat "$run/lost")" > "$to.figures"
    cp "$run/branches" "$to.branches"
}

# rounds_of NAME SIDE...: those that were run on each of the sides.
rounds_of() {
    local name=$1 round side
    shift
    for ((round = 1; round <= rounds; round++)); do
        for side; do [ -e "$(kept_of "$name" "$side" $round).branches" ] || continue 2; done
        echo $round
    done
}

# figures_of NAME: a line for each round: compare's five, then executions, processor time, bugs, lost of each. A side that was never run has none.
figures_of() {
    local round ours theirs have
    have=$(rounds_of "$1" tandem afl)
    for round in ${have:-$(rounds_of "$1" tandem) $(rounds_of "$1" afl)}; do
        ours=$(kept_of "$1" tandem $round) theirs=$(kept_of "$1" afl $round)
        [ -e "$ours.branches" ] || ours=$kept/nothing
        [ -e "$theirs.branches" ] || theirs=$kept/nothing
        echo "$(compare "$ours.branches" "$theirs.branches") $(cat "$ours.figures") $(cat "$theirs.figures")"
    done
}

column() { cut -d ' ' -f "$1" "$run/figures" | median; }

row() {
    local i v=()
    figures_of "$1" > "$run/figures"
    [ -s "$run/figures" ] || return 0
    for ((i = 1; i <= 13; i++)); do v+=("$(column $i)"); done
    awk -v name="$1" 'BEGIN {
            for (i = 1; i <= 13; i++) v[i] = ARGV[i] + 0
            t = v[1] ? v[1] : 1
            printf "%-9s %6d  %6d %5.1f%% %6d %9d %8.1f %6.1f %4d %4d  %6d %5.1f%% %6d %9d %8.1f %6.1f %4d\n", name, v[1],
                v[2], 100 * v[2] / t, v[4], v[6], v[7] ? v[6] / v[7] : 0, v[7], v[8], v[9],
                v[3], 100 * v[3] / t, v[5], v[10], v[11] ? v[10] / v[11] : 0, v[11], v[13]
        }' "${v[@]}"
    for i in $(rounds_of "$1" tandem); do sed 's/^/          queries: /' "$(kept_of "$1" tandem "$i").queries" 2> /dev/null || true; done
}

# Two on one side of one program would share a folder.
program() {
    local role who round lock
    for role in ${sides:+gcov} $([[ $sides != *tandem* ]] || echo tested) $([[ $sides != *afl* ]] || echo afl); do
        note=$(program_build "$1" "$role" "$jobs" 2>&1) || { echo "FAIL $1 $role: does not build: $(tail -n 1 <<< "$note")"; return 1; }
    done
    for who in ${sides:-table}; do
        run=$work/$1.$who.run
        exec {lock}> "$run.lock"
        flock -n "$lock" || { echo "FAIL $1: another run is using $run"; return 1; }
        rm -rf "$run"
        mkdir -p "$run"
        write_seed "$1"
        for ((round = 1; round <= rounds && ${#sides} > 0; round++)); do round_of "$1" "$who" "$round" || return 1; done
    done
    row "$1"
    [ -n "$keep" ] || for who in ${sides:-table}; do rm -rf "$work/$1.$who.run"; done
}

kept=$work/kept
mkdir -p "$kept"
: > "$kept/nothing.branches"
echo "0 0 0 0" > "$kept/nothing.figures"
cputime_build
[[ $sides != *afl* ]] || { need_tool afl-fuzz; need_tool bwrap; afl_check || exit 1; }
status=0
printf '%-9s %6s  %s\n' "" "" "tandem                                                  AFL++"
printf '%-9s %6s  %6s %6s %6s %9s %8s %6s %4s %4s  %6s %6s %6s %9s %8s %6s %4s\n' "" total \
    taken "" only execs execs/s cpu bugs lost taken "" only execs execs/s cpu lost
for name in $names; do program "$name" || status=1; done
exit $status
