#!/bin/bash
# Branch coverage of Debian's programs after some processor time, beside AFL++: what each of the two keeps is replayed on a third build, of gcc --coverage,
# so that both are measured by the same rule and neither by its own.
#
#   bench/coverage.sh [--seconds 120] [--rounds 3] [--jobs 2] [--search NAME] [--no-afl] [--cases DIR] [--keep] [NAME...]
#
#   --seconds S     for one exploration, by the clock, of AFL++ by processor time; what both really took is shown (cpu)
#   --rounds N      seeds 1 to N of explore; what is shown is the median of the rounds, figure by figure
#   --cases DIR     instead of explorations: test cases below DIR/NAME are what was found (to try the rest out)
#   --keep          test cases, queues and counts stay below $cache/coverage
#   NAME            cut expr tr printf seq sort paste md5sum sed grep xmlwf tree gawk (default: these), sed-regex
#
# Both start from one trivial seed (seed_of, below): arguments and standard input, all of which they may change; of AFL++, arguments are what its
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

seconds=120 rounds=3 jobs=2 search=default afl=yes cases="" keep="" names=""
known="cut expr tr printf seq sort paste md5sum sed grep xmlwf tree gawk"
while [ $# -gt 0 ]; do
    case $1 in
    --seconds) seconds=$(value_of "$@"); shift ;;
    --rounds)  rounds=$(value_of "$@"); shift ;;
    --jobs)    jobs=$(value_of "$@"); shift ;;
    --search)  search=$(value_of "$@"); shift ;;
    --cases)   cases=$(cd "$(value_of "$@")" && pwd); shift ;;
    --no-afl)  afl="" ;;
    --keep)    keep=yes ;;
    -*) die "unknown option '$1'" ;;
    *)  [[ " $known sed-regex " = *" $1 "* ]] || die "no program '$1' (known: $known sed-regex)"
        names="$names $1" ;;
    esac
    shift
done
names=${names:-$known}
need_tool "$CC" "CC"
for tool in gcc gcov jq; do need_tool $tool; done
work=$cache/coverage

# --- what they start from ---------------------------------------------------

# seed_of NAME: sets `arguments` and `input` (as printf %b takes it).
seed_of() {
    arguments=() input='a\n'
    case $1 in
    cut)     arguments=(-f1) ;;
    expr)    arguments=(1 + 1) input="" ;;
    tr)      arguments=(a b) ;;
    printf)  arguments=(%s a) input="" ;;
    seq)     arguments=(1 3) input="" ;;
    sort)    arguments=(-n) input='b\na\n' ;;
    paste)   arguments=(- -) input='a\nb\n' ;;
    md5sum)  arguments=(-c -) ;;
    sed|sed-regex) arguments=(p) ;;
    grep)    arguments=(a) ;;
    xmlwf)   input='<?xml version="1.0"?>\n<a b="c"><d>te&lt;</d><!-- e --></a>\n' ;; # 59 bytes
    tree)    arguments=(--fromfile .) input='a/b\nc\n' ;;
    gawk)    arguments=('{print}') input='a b\n' ;;
    esac
}

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

# covered NAME WHICH DIR...: replays all test cases of the folders; $run/WHICH.branches has a line `FILE:LINE:N` for each branch, with 1 if it was taken, and
# $run/WHICH.lost the number of runs that left no counts.
covered() {
    local name=$1 which=$2 counts=$run/$2.gcov list=$run/$2.list
    shift 2
    rm -rf "$counts"
    mkdir -p "$counts"
    find "$@" -name '*.tcase' 2> /dev/null | sort > "$list"
    xargs -r -d '\n' -n 500 "$TANDEM" replay --json --time 5 --gcov "$counts" --program "$work/$name.gcov" < "$list" \
        > "$run/$which.replays" 2> "$run/$which.err" || [ -s "$run/$which.replays" ] || { echo "FAIL $name: $(head -n 1 "$run/$which.err")"; return 1; }
    jq -s '[.[] | select(.end != "exit")] | length' "$run/$which.replays" > "$run/$which.lost"
    branches_of "$counts" > "$run/$which.branches"
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

# compare: `total ours AFL++s only-ours only-AFL++s`.
compare() {
    awk 'FNR == 1 { file++ }
        { all[$1] = 1; if ($2) hit[file, $1] = 1 }
        END {
            for (b in all) { n++; x = (1, b) in hit; y = (2, b) in hit; a += x; c += y; onlya += x && !y; onlyc += y && !x }
            print n + 0, a + 0, c + 0, onlya + 0, onlyc + 0
        }' "$run/tandem.branches" "$run/afl.branches"
}

# --- one program ------------------------------------------------------------

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

import_case() {
    local how=--stdin
    ! has_arguments || how=--argv
    "$TANDEM" import $how -o "$2" "$1" -- "$work/$name.tested" > "$run/import.log" 2>&1
}

# round_of NAME SEED: a line of figures in $run/figures.
round_of() {
    local runs=0 bugs=0 cpu=0 queries="" execs=0 aflcpu=0 total ours theirs onlyours onlytheirs
    rm -rf "$run/out" "$run/afl" "$run/seeds" "$run/queue"
    mkdir -p "$run/out"
    import_case "$run/seed" "$run/seeds" || { echo "FAIL $1: $(tail -n 1 "$run/import.log")"; return 1; }
    if [ -n "$cases" ]; then
        cp -r "$cases/$1" "$run/out/tests"
        echo "$seconds" > "$run/cpu"
    else
        explore_once "$1" "$2" || return 1
        { read -r runs bugs; read -r queries || true; } < <(explore_figures)
    fi
    cpu=$(cat "$run/cpu")
    covered "$1" tandem "$run/seeds" "$run/out" || return 1
    : > "$run/afl.branches"
    echo 0 > "$run/afl.lost"
    if [ -n "$afl" ]; then
        afl_run "$work/$1.afl" "$run/seed" "$seconds" "$run/afl" \
            "$(has_arguments && echo argv || true)" || { echo "FAIL $1"; return 1; }
        execs=$(awk '$1 == "execs_done" { print $3 }' "$run/afl/default/fuzzer_stats")
        aflcpu=$(awk '{ print $1 / 100 }' "$run/afl/default/cpu")
        import_case "$run/afl/default" "$run/queue" || { echo "FAIL $1: $(tail -n 1 "$run/import.log")"; return 1; }
        covered "$1" afl "$run/seeds" "$run/queue" || return 1
    fi
    read -r total ours theirs onlyours onlytheirs < <(compare)
    echo "$total $ours $theirs $onlyours $onlytheirs $runs $cpu $execs $aflcpu $bugs $(cat "$run/tandem.lost") $(cat "$run/afl.lost")" >> "$run/figures"
    [ -z "$queries" ] || echo "$queries" >> "$run/queries"
}

column() { cut -d ' ' -f "$1" "$run/figures" | median; }

row() {
    local i v=()
    for ((i = 1; i <= 12; i++)); do v+=("$(column $i)"); done
    awk -v name="$1" 'BEGIN {
            for (i = 1; i <= 12; i++) v[i] = ARGV[i] + 0
            t = v[1] ? v[1] : 1
            printf "%-9s %6d  %6d %5.1f%% %6d %9d %8.1f %6.1f %4d %4d  %6d %5.1f%% %6d %9d %8.1f %6.1f %4d\n", name, v[1],
                v[2], 100 * v[2] / t, v[4], v[6], v[7] ? v[6] / v[7] : 0, v[7], v[10], v[11],
                v[3], 100 * v[3] / t, v[5], v[8], v[9] ? v[8] / v[9] : 0, v[9], v[12]
        }' "${v[@]}"
    [ ! -s "$run/queries" ] || echo "          queries: $(head -n 1 "$run/queries")"
}

program() {
    local role round
    for role in tested gcov ${afl:+afl}; do
        note=$(program_build "$1" "$role" "$jobs" 2>&1) || { echo "FAIL $1 $role: does not build: $(tail -n 1 <<< "$note")"; return 1; }
    done
    run=$work/$1
    rm -rf "$run"
    mkdir -p "$run"
    write_seed "$1"
    for ((round = 1; round <= rounds; round++)); do round_of "$1" "$round" || return 1; done
    row "$1"
    [ -n "$keep" ] || rm -rf "$run"
}

mkdir -p "$work"
exec 8> "$work/lock"
flock -n 8 || die "another run is using $work"
cputime_build
[ -z "$afl" ] || { need_tool afl-fuzz; need_tool bwrap; afl_check || exit 1; }
status=0
printf '%-9s %6s  %s\n' "" "" "tandem                                                  AFL++"
printf '%-9s %6s  %6s %6s %6s %9s %8s %6s %4s %4s  %6s %6s %6s %9s %8s %6s %4s\n' "" total \
    taken "" only execs execs/s cpu bugs lost taken "" only execs execs/s cpu lost
for name in $names; do program "$name" || status=1; done
exit $status
