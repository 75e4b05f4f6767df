#!/bin/bash
# The catalogue (README.md): each program is built with tandem-cc; its harmless run must end as that of a plain build and report
# nothing, its bad run must end with a report of the right class at the marked line.
#
#   tests/memory/run.sh [--list] [NAME...]     --list: a line per program, also for those that are right
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=$here/../../build}"
TANDEM=$BUILD/bin/tandem CC=$BUILD/bin/tandem-cc
list=0
[ "${1-}" = --list ] && { list=1; shift; }
[ $# -gt 0 ] || set -- $(cd "$here/programs" && ls | sed 's/\.c$//')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 6

field() { sed -n "s|^// $1: \{0,1\}||p" "$source"; }
says() { printf '%-44s %s\n' "$name" "$*"; }

# run WHICH: out, err and the status of that run.
run() {
    local arguments options=
    case $(field bug) in
    memory-leak) options=--leaks ;;
    uninitialised-read) options=--uninitialised ;;
    esac
    eval "arguments=($(field "$1"))"
    printf '%b' "$(field "$1-stdin")" > stdin
    { timeout -k 2 20 "$TANDEM" trace --quiet $options ./program "${arguments[@]}" < stdin > out 2> err; } 2> shell
}

# The innermost frame of the program itself; a leak is told where it was allocated.
place() { grep -E -m 1 '^ +#[0-9]+ .* at .*'"$name"'\.c:[0-9]+' err | sed -E 's/.*:([0-9]+):[0-9]+$/\1/'; }

check() {
    local bug line got
    bug=$(field bug)
    "$CC" -w -g -O1 -D_GNU_SOURCE "$source" -o program -lm -lpthread 2> err || { says "does not build: $(head -n 1 err)"; return 1; }
    run good
    grep -q '^==TANDEM' err && { says "harmless run: $(grep -m 1 '^==TANDEM' err)"; return 1; }
    run bad
    got=$(sed -n 's/^==TANDEM: \([^:]*\):.*/\1/p' err | head -n 1)
    if [ "$bug" = none ]; then
        [ -z "$got" ] || { says "harmless: $got"; return 1; }
        return 0
    fi
    line=$(grep -n '/\* BUG \*/' "$source" | cut -d : -f 1)
    [ -n "$got" ] || { says "$bug: nothing reported"; return 1; }
    [ "$got" = "$bug" ] || { says "$bug: reported as $got"; return 1; }
    [ "$(place)" = "$line" ] || { says "$bug: at line $(place) instead of $line"; return 1; }
}

passed=0 failed=0
for name; do
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
