#!/bin/bash
# The check that keeps us honest, on small programs: each is run once on the input in its first lines (`// args:`, `// stdin:`;
# what else it is given: tests/given.sh); the trace of that run must foretell every branch of the runs on other inputs, up to the first that flips. Half of the other
# inputs are random, half made by the solver so that they differ late. Not one may be foretold wrongly.
# Before that, the program must print the same as a plain build.
#
#   PAIRS=1000 SEED=7 tests/differential/predict.sh [PROGRAM.c...]
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
group=predict

# shellcheck source=tests/given.sh
. "$here/../given.sh"

field() { sed -n "s|^// $1: \{0,1\}||p" "$source"; }
die() { echo "$*"; exit 1; }
bounded() { timeout -k 2 "$1" "${@:2}"; }

# Status and output, in a file.
record() { given_lay; bounded 10 env "${given_env[@]}" "$@" < stdin > record.out 2>&1; echo "status $?" >> record.out; }

one() {
    source=$1
    cd "$2" || exit 2
    ulimit -c 0
    eval "set -- $(field args)"
    printf '%b' "$(field stdin)" > stdin
    given_read "$source"
    "$REFERENCE" -w "$source" -o program -lm || die "$REFERENCE does not build it"
    record ./program "$@"
    mv record.out plain.out
    for level in -O0 -O2; do
        "$TANDEM_CC" -w "$level" "$source" -o program -lm || die "tandem-cc does not build it"
        record ./program "$@"
        cmp -s plain.out record.out || die "$level: other output than a plain build: $(diff plain.out record.out)"
    done
    bounded "${SECONDS_MAX:-120}" "$TANDEM" predict --pairs "${PAIRS:-100}" --seed "${SEED:-1}" --stdin-file stdin "${given_options[@]}" ./program -- "$@" > report 2>&1 ||
        die "status $? of predict: $(head -n 7 report | cut -c 1-220)"
    grep -q '^wrong 0, bad traces 0$' report || die "$(cat report)"
    made=$(sed -n 's/^same \([0-9]*\), flips \([0-9]*\).*cut \([0-9]*\), skipped.*/\1 \2 \3/p' report)
    # shellcheck disable=SC2086
    set -- $made
    [ $(($1 + $2)) -gt 0 ] || die "nothing was put to the test: $(cat report)"
    [ -z "${VERBOSE:-}" ] || { cat report; exit 3; }
}

if [ "${1:-}" = one ]; then
    one "$2" "$3"
    exit 0
fi

# shellcheck source=tests/lib.sh
. "$here/../lib.sh"
each "$here/predict.sh" "$@"
finish
