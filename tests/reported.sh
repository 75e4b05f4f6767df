# Sourced by the end-to-end tests about what a traced run reports: a workshop, and the words they are written in. `case` says
# which part of a test is running.
. "${BASH_SOURCE[0]%/*}/workshop.sh"
script=$(basename "$0" .sh)
fail() { echo "$script: $case: $*"; failures=$((failures + 1)); }
builds() { "$@" > log 2>&1 && [ ! -s log ] || fail "$*: $(head -n 5 log)"; }

# traced STATUS INPUT OPTION-OR-PROGRAM...: what it prints is in `out`, reports and what the program says in `err`.
traced() {
    local wanted=$1 status
    input=$2
    shift 2
    printf '%b' "$input" | timeout 20 "$tandem" trace "$@" > out 2> err
    status=$?
    [ "$status" = "$wanted" ] || fail "$input: tandem trace $*: status $status instead of $wanted: $(head -n 5 err)"
}
has() { grep -qE -- "$1" "${2:-err}" || fail "$input: not in ${2:-err}: $1: $(head -n 12 "${2:-err}")"; }
has_not() { ! grep -E -- "$1" "${2:-err}" > unwanted || fail "$input: in ${2:-err}: $(head -n 3 unwanted)"; }
