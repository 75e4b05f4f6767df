# shellcheck shell=bash
# What the groups of tests share: which Tandem is tested, how a result is counted, what is known to fail. To be sourced
# after `group=NAME`. A group prints a line per failure and ends with `NAME: N passed, M failed`; tests/check.sh adds up.
#
# TANDEM=/elsewhere/bin/tandem tests another build than build/.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-$ROOT/build}
TANDEM=${TANDEM:-$BUILD/bin/tandem}
TANDEM_CC=${TANDEM%/*}/tandem-cc
REFERENCE=${REFERENCE:-clang-19}
JOBS=${JOBS:-$(nproc)}
export ROOT TANDEM TANDEM_CC REFERENCE LC_ALL=C

[ -x "$TANDEM" ] && [ -x "$TANDEM_CC" ] || { echo "$group: $TANDEM or tandem-cc is not there: run make"; exit 2; }

work=$(mktemp -d "${TMPDIR:-/tmp}/tandem-test-XXXXXX")
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
: > "$work/todo"

# Is GROUP/NAME in known-failing.txt? A line there is: GROUP/NAME reason. KNOWN=run runs these as well.
is_known() { [ "${KNOWN:-}" != run ] && grep -q "^$group/${1}[[:space:]]" "$ROOT/tests/known-failing.txt" 2>/dev/null; }

pass() { passed=$((passed + 1)); }
skip() { skipped=$((skipped + 1)); echo "$group/$1: skipped: $2"; }
fail() { failed=$((failed + 1)); echo "$group/$1: $2"; }

# finish: the group's last line and its status.
finish() {
    echo "$group: $passed passed, $failed failed$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
    [ "$failed" = 0 ]
    exit
}

# each SCRIPT [FILE...]: `SCRIPT one FILE DIRECTORY` for each file, of none all programs/*.c beside it, $JOBS at a time. Status 0 means
# pass, 77 that it cannot be tested here; what the others say is shown.
each() {
    local script=$1 file name
    shift
    [ $# -gt 0 ] || set -- "${script%/*}"/programs/*.c
    for file; do
        name=$(basename "$file" .c)
        if is_known "$name"; then
            skip "$name" "known to fail: $(sed -n "s|^$group/${name}[[:space:]]*||p" "$ROOT/tests/known-failing.txt")"
        else
            mkdir -p "$work/$name"
            printf '%s\0' "$(realpath "$file")" >> "$work/todo"
        fi
    done
    # shellcheck disable=SC2016
    xargs -0 -r -P "$JOBS" -I{} sh -c 'd=$3/$(basename "$2" .c); "$1" one "$2" "$d" > "$d/said" 2>&1; echo $? > "$d/status"' \
        sh "$script" {} "$work" < "$work/todo"
    for file; do
        name=$(basename "$file" .c)
        [ -f "$work/$name/status" ] || continue
        case $(cat "$work/$name/status") in
        0) pass ;;
        77) skip "$name" "$(cat "$work/$name/said")" ;;
        *) fail "$name" "$(cat "$work/$name/said")" ;;
        esac
    done
}
