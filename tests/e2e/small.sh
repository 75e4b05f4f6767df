#!/bin/bash
# Two whole programs, of the size one writes in an hour (programs/small): a calculator by recursive descent, from one expression, and a checker of lines, from nothing. Nearly
# all of their branches are taken and their bugs found. The explorations are bounded in runs and have a fixed seed, so that they are the same each time; other seeds need other numbers of runs.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "small: $*"; failures=$((failures + 1)); }
build() { "$cc" -g -O1 "$programs/small/$1.c" -o "$1" || { fail "$1 does not build"; exit 1; }; }

# explore PROGRAM PERCENT SECONDS OPTIONS...: at least so many of its sides are taken, in so much processor time, that of what came before included; what was told is in PROGRAM.txt.
explore() {
    local program=$1 percent=$2 cpu=$3
    "$tandem" explore --go-on --no-progress --seed 1 --out "$program.out" "${@:4}" "./$program" > "$program.txt" 2>&1
    [ $? = 10 ] || fail "$program: no bug: $(cat "$program.txt")"
    read -r taken all < <(sed -n 's/.* \([0-9]*\) of \([0-9]*\) sides of branches taken.*/\1 \2/p' "$program.txt")
    [ "$((${taken:-0} * 100))" -ge "$((${all:-1} * percent))" ] || fail "$program: ${taken:-no} of ${all:-all} sides, which is less than $percent %"
    times > times.txt
    awk -v most="$cpu" 'NR == 2 { split($1 "m" $2, t, /[ms]+/); exit t[1] * 60 + t[2] + t[3] * 60 + t[4] > most }' times.txt || fail "$program: more than $cpu s of processor time: $(cat times.txt)"
}
finds() { grep -q "^bug: $2" "$1.txt" || fail "$1: no $2: $(grep '^bug' "$1.txt")"; }

build calculator
printf "1+2*3" > seed
explore calculator 95 60 --time 0 --execs 34000 --stdin-file seed
finds calculator 'division-by-zero in product '
finds calculator 'SIGABRT '

build checks
explore checks 100 60 --time 20 --execs 9000
finds checks 'global-overflow in check_limit '

[ "$failures" = 0 ] && echo "small: ok"
[ "$failures" = 0 ]
