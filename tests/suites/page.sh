#!/bin/bash
# docs/check.md is true: its commands run in order, each ends as it should and says what the page says; and each of its projects has the same results and the same status with `tandem check` as without, its
# bug is found, and every way to launch single tests records them.
#
#   tests/suites/page.sh [--keep DIR] [make] [automake] [cmake] [meson]     none: all
#
# In the page a command is an indented line that starts with `$ `, up to one that does not end in a backslash; indented lines below it are what it says on both outputs, `...` for any number of lines that are left
# out. A command has to end with 0 unless the next one is `echo $?`. Times, names of test cases, found inputs and how far it came may differ from what the page says. Projects are made in a directory that goes away, where the
# page says /tmp; sections that are not of another build system are about the project of `make`.
set -uo pipefail
. "$(dirname "$0")/lib.sh"

all="make automake cmake meson" names="" keep=""
while [ $# -gt 0 ]; do
    case $1 in
    --keep) keep=$(value_of "$@"); shift ;;
    *)  [[ " $all " = *" $1 "* ]] || die "unknown argument '$1' (known: $all)"
        names="$names $1" ;;
    esac
    shift
done
names=${names:-$all}
for name in $names; do
    [ "$name" != automake ] || need_tool autoreconf
    [ "$name" = make ] || need_tool "$name"
done
need_tool jq
page=$ROOT/docs/check.md
export PATH=${TANDEM%/*}:$PATH
unset CC MAKEFLAGS MFLAGS MAKELEVEL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$ROOT/examples" "$work/examples"
cd "$work" || exit 2
ulimit -c 0

ok() { echo "ok $name: $*"; }
wrong() { echo "FAIL $name: $*"; }

# --- what the page says -------------------------------------------------------

# section_lines: the indented lines of the sections that are about $name, without the indent; behind each block `end`, not indented.
section_lines() {
    awk -v name="$name" -v all="$all" '
        /^## / { of = tolower(substr($0, 4)); if (index(" " all " ", " " of " ") == 0) of = "make" }
        of != name { next }
        /^    / { for (; blank; blank--) print "|"; print "|" substr($0, 5); inside = 1; next }
        /^$/ { blank += inside; next }
        { if (inside) print "end"; inside = blank = 0 }' "$page" | sed "s|/tmp/|$work/|g"
}

# What may differ each time: times, sizes, addresses, names of test cases, the input that is found, how far it came, columns.
usual() {
    sed -E 's/0x[0-9a-f]+/N/g; s/-[0-9a-f]{16}/-N/g; s/(^bug: .* after )[0-9]+ runs:.*/\1/; s/(differs from that test in:).*/\1/; s/distance [0-9]+, depth [0-9]+/distance N/; s/[0-9]+ bytes past/N bytes past/
            s/[0-9]+(\.[0-9]+)? (s|sec|KiB)\b/N \2/g; /^  ([0-9]+ places |distance [0-9]+[;,])/s/[0-9.]+/N/g; s/N runs? in/N runs in/; s/; [0-9]+ tests? leads? to it, the nearest is .*/; N tests lead to it/; s/[ \t]+/ /g; s/ $//' "$1"
}

# matches WANTED SAID: line by line, but for `...`.
matches() {
    usual "$1" > "$1.usual"
    usual "$2" | awk -v wanted="$1.usual" '
        BEGIN { n = i = loose = 0; while ((getline line < wanted) > 0) want[n++] = line }
        { if (want[i] == "...") { loose = 1; i++ }
          if (i < n && $0 == want[i]) { i++; loose = 0 }
          else if (!loose) { print "not on the page: " $0; bad = 1; exit } }
        END { if (want[i] == "...") i++
              if (!bad && i < n) { print "not said: " want[i]; bad = 1 }
              exit bad }'
}

# step: the command in $command, of which the page says what is in `wanted`; $status is that of the one before.
step() {
    local before=$status
    eval "(exit $before); $command" > "$work/said" 2>&1 < /dev/null
    status=$?
    if ! why=$(matches "$work/wanted" "$work/said"); then
        wrong "$command: $why"
        sed 's/^/    /' "$work/said" | head -n 40
    elif [ "$status" != 0 ] && [ "$next" != 'echo $?' ]; then
        wrong "$command: status $status: $(tail -n 3 "$work/said")"
    else
        ok "$command"
    fi
}

# read_page: its commands are in `commands`, what the N-th says is in wanted.N.
read_page() {
    local line command="" n=0 to=/dev/null
    commands=()
    while IFS= read -r line; do
        if [ "$line" = end ]; then
            to=/dev/null
        elif [ -n "$command" ] || [ "${line#|\$ }" != "$line" ]; then
            line=${line#|}
            command=$command${line#\$ }
            [ "${command%\\}" = "$command" ] || { command=${command%\\}; continue; }
            commands+=("$command")
            n=$((n + 1)) command=""
            to=$work/wanted.$n
            : > "$to"
        else
            printf '%s\n' "${line#|}" >> "$to"
        fi
    done < <(section_lines)
}

# --- what it does not say, as it goes without saying ----------------------------

# The results of each test as the harness told them, in an order of their own.
results() {
    case $name in
    make)     grep -v '^make: \|^tandem: ' ;;
    automake) grep -E '^(PASS|FAIL|SKIP|XFAIL|XPASS|ERROR): ' | sort ;;
    cmake)    sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([a-z]*\) [.]*[* ]*\([A-Za-z]*\).*/\1 \2/p' | sort ;;
    meson)    sed -n 's/^ *[0-9]*\/[0-9]* \([a-z]*\)  *\([A-Z]*\) .*/\1 \2/p' | sort ;;
    esac
}

# same WHAT COMMAND -- COMMAND: the same results and the same status, which is then in `ended`.
same() {
    local what=$1 first=() b
    shift
    while [ "$1" != -- ]; do first+=("$1"); shift; done
    shift
    "${first[@]}" > "$work/plain" 2>&1 < /dev/null
    ended=$?
    "$@" > "$work/said" 2>&1 < /dev/null
    b=$?
    if [ "$ended" != "$b" ]; then
        wrong "$what: status $b instead of $ended: $(tail -n 3 "$work/said")"
    elif [ "$(results < "$work/plain" | grep -c .)" -lt 3 ] || ! diff <(results < "$work/plain") <(results < "$work/said") > "$work/diff"; then
        wrong "$what: other results: $(cat "$work/diff")"
    else
        ok "$what: status $ended"
    fi
}

# recorded DIRECTORY TESTS; found DIRECTORY: the bug.
recorded() {
    local n
    n=$(find "$1/recordings" -name '*.tcase' 2> /dev/null | wc -l)
    if [ "$n" = "$2" ]; then ok "${1##*/}: $2 tests are recorded"; else wrong "${1##*/}: $n tests are recorded, not $2"; fi
}
found() {
    local n
    n=$(find "$1/days/crashes" -name 'global-overflow-*.tcase' 2> /dev/null | wc -l)
    if [ "$n" = 1 ]; then ok "$1: the bug is found"; else wrong "$1: the bug is found $n times"; fi
}

# both SUITE...: as it is, and with a test that fails.
both() {
    rm -rf "$work/both"
    same "the suite" "$@" -- tandem check --quiet --record-only -o "$work/both" -- "$@"
    recorded "$work/both" 4
    sed -i.good 's/335/334/' "$project/lines.sh"
    same "a suite that fails" "$@" -- tandem check --quiet --record-only -o "$work/both" -- "$@"
    [ "$ended" != 0 ] || wrong "a suite that fails does not: $(tail -n 3 "$work/plain")"
    mv "$project/lines.sh.good" "$project/lines.sh"
}

verify_make() {
    make -s CC=tandem-cc
    both make check CC=tandem-cc
    found checked
}

verify_automake() {
    found checked
    recorded parts 4
    found parts
    local launch="tandem check --quiet --record-only -o $project/again"
    both make check
    same "test by test, two at a time" make check -- make -j2 check LOG_COMPILER="$launch --" SH_LOG_COMPILER="$launch -- sh"
    recorded again 4
    # A check in a check steps aside.
    same "a check in a check" make check -- tandem check --quiet --record-only -o "$work/outer" -- make check LOG_COMPILER="tandem check -o $work/inner --" SH_LOG_COMPILER="tandem check -o $work/inner -- sh"
    recorded "$work/outer" 4
    [ ! -e "$work/inner" ] || wrong "a check in a check has checked"
}

verify_cmake() {
    found checked
    recorded parts 3
    found parts
    both ctest --test-dir build
    same "test by test, two at a time" ctest --test-dir build -- ctest --test-dir build-parts -j 2
}

verify_meson() {
    found checked
    recorded parts 4
    found parts
    both meson test -C build
    same "test by test" meson test -C build -- meson test -C build --wrapper "tandem check --quiet --record-only -o $project/again --"
    recorded again 4
}

one() {
    local n=0 status=0
    project=$work/days-$name
    read_page
    [ "${#commands[@]}" -ge 3 ] || wrong "the page has no commands of it"
    for command in "${commands[@]}"; do
        n=$((n + 1)) next=${commands[$n]:-}
        mv "$work/wanted.$n" "$work/wanted"
        step
    done
    cd "$project" && "verify_$name"
}

for name in $names; do (one); done | tee "$work/log"
[ -z "$keep" ] || { mkdir -p "$keep" && cp -r "$work"/days-* "$keep"; }
passed=$(grep -c '^ok ' "$work/log") failed=$(grep -c '^FAIL ' "$work/log")
echo "page: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
