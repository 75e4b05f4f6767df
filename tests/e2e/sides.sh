#!/bin/bash
# Which side of a function runs must not show in the trace. With --all-branches every function runs on its symbolic side, without
# it most of the time on the concrete one, so the conditions and losses of the two traces have to be the same. (`tandem predict`
# wants all branches and so never looks at the concrete side.) The programs are those of tests/differential.
#
#   tests/e2e/sides.sh [PROGRAM.c...]
set -uo pipefail
[ $# -gt 0 ] || set -- "$(dirname "$0")"/../differential/programs/*.c
mapfile -t sources < <(realpath "$@")
given=$(realpath "$(dirname "$0")/../given.sh")
. "$(dirname "$0")/../workshop.sh"
. "$given"

# What of a trace does not depend on the side: not the stack's layout, nor how much was recorded.
common() {
    sed -n '/^--- trace of /,$p' "$1" | grep -av -e '(concrete)$' -e 'switch  *-\{0,1\}[0-9]*$' | grep -a '^[^ ]* .*\(taken\|switch\|length\|lost\)  *' |
        sed 's/0x7f[0-9a-f]\{10\}/STACK/g; s/   */  /g'
}

one() { # PROGRAM.c
    local name
    name=$(basename "$1" .c)
    eval "set -- \"\$1\" $(sed -n 's|^// args: \{0,1\}||p' "$1")"
    printf '%b' "$(sed -n 's|^// stdin: \{0,1\}||p' "$1")" > stdin
    given_read "$1"
    "$cc" -w -O2 "$1" -o program -lm || { echo "sides: $name is not built"; return 1; }
    shift
    timeout -k 2 30 "$tandem" trace --verify "${given_options[@]}" ./program "$@" < stdin > some 2> err
    local some=$?
    timeout -k 2 30 "$tandem" trace --verify --all-branches "${given_options[@]}" ./program "$@" < stdin > all 2>> err
    local all=$?
    common some > some.common
    common all > all.common
    [ -s all.common ] || { echo "sides: $name: no trace (status $all): $(head -c 300 err)"; return 1; }
    [ $some = $all ] && cmp -s some.common all.common && return 0
    echo "sides: $name: status $some and $all, and the concrete side (<) differs from the symbolic one (>):" \
        "$(diff some.common all.common | head -n 6 | cut -c 1-200)"
    return 1
}

for program in "${sources[@]}"; do
    one "$program" || failures=$((failures + 1))
done
[ $failures = 0 ]
