#!/bin/bash
# The catalogue (README.md): each program is built with tandem-cc; its harmless run must end as it does when it is not traced and report
# nothing, its bad run must end with a report of the right class at the marked line. Those named in `missed` must report nothing yet.
#
#   tests/memory/run.sh [--list] [PROGRAM...]     --list: a line per program, also for those that are right
set -uo pipefail
. "$(dirname "$0")/lib.sh"
list=0
[ "${1-}" = --list ] && { list=1; shift; }
[ $# -gt 0 ] || set -- "$here"/programs/*.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 6

# run WHICH [OPTION]: out, err and the status of that run, after `native` and what it was without tracing.
run() {
    local arguments options="${2-} $(options_of)"
    input_of "$1"
    [ "$1" = bad ] || { timeout -k 2 20 ./program "${arguments[@]}" < stdin > native 2> /dev/null; native=$?; }
    { timeout -k 2 20 "$TANDEM" trace --quiet $options ./program "${arguments[@]}" < stdin > out 2> err; } 2> shell
    status=$?
}

check() {
    local wrong
    build || return 1
    run good
    grep -q '^==TANDEM' err && { says "harmless run: $(grep -m 1 '^==TANDEM' err)"; return 1; }
    [ $status = $native ] && cmp -s out native || { says "harmless run: status $status instead of $native, or other output"; return 1; }
    run bad
    wrong=$(judge "$(field bug)")
    if grep -q "^$name " "$here/missed"; then
        case $wrong in
        *': nothing reported') return 0 ;;
        '') says "detected, but in the list of those that are not"; return 1 ;;
        esac
    fi
    [ -z "$wrong" ] || { says "$wrong"; return 1; }
    [ "$(field bug)" != memory-leak ] || return 0 # where old pointers are left lying about is chance
    run bad --nothing-symbolic # on the concrete side, which has to notice by itself
    wrong=$(judge "$(field bug)")
    [ -z "$wrong" ] || { says "with nothing symbolic: $wrong"; return 1; }
}

passed=0 failed=0
for source; do
    name=$(basename "$source" .c)
    source=$here/programs/$name.c
    if check; then
        passed=$((passed + 1))
        [ $list = 0 ] || says ok
    else
        failed=$((failed + 1))
    fi
done
echo "memory: $passed passed, $failed failed"
[ $failed = 0 ]
