#!/bin/bash
# Bad use and bad luck: each ends with one clear line and the right status, and nothing stays behind. The tests are the
# functions test_* of the other files here; each runs alone in an empty directory and fails by saying why.
#
#   tests/fault/run.sh [NAME...]
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
group=fault

# --- for the tests -----------------------------------------------------------

die() { echo "$*"; exit 1; }
# A test that cannot be made here says so.
cannot() { echo "$*"; exit 77; }
bounded() { timeout -k 2 "${LIMIT:-20}" "$@"; }

# run COMMAND...: output in out and err, status in $status.
run() { bounded "$@" > out 2> err < /dev/null; status=$?; }
wants() { [ "$status" = "$1" ] || die "status $status instead of $1: $(head -n 5 err | cut -c 1-200)"; }
# one_line REGEX: standard error is one line, and matches.
one_line() {
    [ "$(wc -l < err)" = 1 ] || die "not one line but: $(head -n 5 err | cut -c 1-300)"
    grep -qE -- "$1" err || die "the line is: $(cat err)"
}

# build NAME < SOURCE: built with tandem cc.
build() { cat > "$1.c" && "$TANDEM_CC" -w "$1.c" -o "$1" "${@:2}" || die "$1 does not build"; }
echo_program() {
    build "${1:-target}" <<'C'
#include <stdio.h>
int main(void) { int c = getchar(); if (c == 'x') puts("x"); puts("end"); return 3; }
C
}

# In a mount namespace of its own, where a small or read-only file system can be put without harm to anyone.
in_namespace() {
    [ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null || cannot "needs root and mount namespaces"
    # shellcheck disable=SC2163
    export -f die wants run bounded one_line
    unshare -m --propagation private bash -uc "$1"
}

for file in compiler usage disk target heap inputs cases; do
    # shellcheck disable=SC1090
    . "$here/$file.sh"
done

if [ "${1:-}" = one ]; then
    cd "$3" || exit 2
    ulimit -c 0
    "test_$(basename "$2")"
    exit
fi

# shellcheck source=tests/lib.sh
. "$here/../lib.sh"
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(compgen -A function | sed -n 's/^test_//p')
each "$here/run.sh" "${names[@]}"
finish
