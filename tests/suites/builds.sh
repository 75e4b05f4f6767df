#!/bin/bash
# Real programs, unmodified: `./configure CC=tandem-cc && make && make check`
# must end as it does with clang-19. This is the promise "drop-in" made, with
# autoconf's probes, libtool, shared libraries and the packages' own suites.
#
#   tests/suites/builds.sh [--jobs 2] [NAME...]      sed gzip tree expat
#
# Builds each package twice below $cache/builds (reference: clang-19, cached;
# tested: $CC, made anew when anything in build/ changed), runs the suite of
# both and compares the results test by test. A table at the end:
#   package  tests  pass/fail/skip with clang and with ours  differences  make CPU ratio
# (+N: results that are compared but are not pass or fail, as all of tree's).
# Exit 1 on any difference. tree has no suite; its output on a prepared folder
# is compared instead. The make CPU ratio includes links, libtool and shells;
# bench/compile.sh measures the compiler alone.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

jobs=2 names=
while [ $# -gt 0 ]; do
    case $1 in
    --jobs) jobs=$(value_of "$@"); shift ;;
    sed|gzip|tree|expat) names="$names $1" ;;
    *) die "unknown argument '$1' (known packages: sed gzip tree expat)" ;;
    esac
    shift
done
names=${names:-sed gzip tree expat}
need_tool "$REFERENCE"
need_tool "$CC" "CC"
check_seconds=${CHECK_SECONDS:-1800}

# --- suites: each leaves lines "TEST RESULT" --------------------------------

# Automake writes one .trs per test; gnulib's own tests are among them.
automake_results() {
    find . -name '*.trs' | sort | while read -r trs; do
        awk -v t="${trs#./}" '$1 == ":test-result:" { print t, $2; exit }' "$trs"
    done
}

# expat's whole suite is two automake tests; its own counts say more.
expat_counts() {
    local log
    for log in tests/runtests.log tests/runtestspp.log; do
        sed -n "s|^.*Checks: \([0-9]*\), Failed: \([0-9]*\).*|$log checks=\1,failed=\2|p" "$log" || true
    done | sort | uniq -c | awk '{ print $2 "#" $1, $3 }'
}

# LC_ALL is taken out of the way: the suites choose their locales themselves.
# Results of an earlier run must not stand in for tests that no longer start.
make_check() {
    find . -name '*.trs' -delete
    env -u LC_ALL timeout -k 10 "$check_seconds" make check -k -j"$jobs" || true
}

# A folder with every kind of entry and fixed times, made anew for each run.
tree_playground() {
    rm -rf "$1"
    mkdir -p "$1/a/b/c" "$1/.hidden" "$1/empty" "$1/sp ace"
    printf 'x\n' > "$1/a/one.c"
    printf 'xyz\n' > "$1/a/b/two.h"
    head -c 5000 /dev/zero > "$1/a/b/c/three.bin"
    printf '#!/bin/sh\n' > "$1/run.sh"
    printf '*.bin\n' > "$1/.gitignore"
    : > "$1/sp ace/we<ird&\"name"
    chmod 755 "$1/run.sh"
    chmod 640 "$1/a/one.c"
    ln -s a/one.c "$1/link"
    ln -s nowhere "$1/dangling"
    ln -s ../.. "$1/a/b/up"
    mkfifo "$1/fifo"
    find "$1" -exec touch -h -d '2020-02-02 02:02:02 UTC' {} +
}

tree_invocations() {
    cat <<'LINES'

-a
-d
-f
-i -f
-L 2
-l
-s -h
-p -u -g
-D --timefmt %Y
-F -a
-J -s
-X
-H . --nolinks
-P *.c
-I *.h|*.bin
--gitignore -a
--prune -P *.bin
--dirsfirst -r
--sort=size
--du -h
-C
-A -n
-S
--noreport
--inodes-nonsense
nonexistent
--filelimit 2
--fromfile run.sh
LINES
}

# The test's "result" is a hash of what it printed and how it exited. The
# patterns must reach tree unexpanded, so globbing is off.
tree_results() {
    local line status
    tree_playground "$1.play"
    (set -f
     cd "$1.play"
     tree_invocations | while IFS= read -r line; do
         status=0
         timeout 10 "$1/tree" $line > "$1.out" 2>&1 < /dev/null || status=$?
         printf 'tree_%s %s-exit%s\n' "${line// /_}" \
             "$(sed "s|$1/||g" "$1.out" | cksum | tr ' ' '-')" "$status"
     done)
}

package_check() {
    local name=$1 dir=$2
    case $name in
    tree)  tree_results "$dir" > "$dir.results" ;;
    expat) (cd "$dir/expat" && make_check > "$dir.check.log" 2>&1 < /dev/null
            automake_results; expat_counts) > "$dir.results" ;;
    *)     (cd "$dir" && make_check > "$dir.check.log" 2>&1 < /dev/null
            automake_results) > "$dir.results" ;;
    esac
}

# --- the comparison ---------------------------------------------------------

# A suite that ran no test at all has not passed.
check_side() {
    local name=$1 role=$2 dir note
    dir=$(package_dir "$name" "$role")
    if ! note=$(package_build "$name" "$role" "$jobs"); then
        echo "FAIL $name $role: $note"
        return 1
    fi
    [ "$role" = tested ] && rm -f "$dir.results"
    [ -s "$dir.results" ] || package_check "$name" "$dir"
    [ -s "$dir.results" ] || { echo "FAIL $name $role: no test ran, see $dir.check.log"; return 1; }
}

counts() {
    awk '{ r = $2; sub(/-.*-exit.*/, "", r)
           if (r == "PASS") p++; else if (r == "FAIL" || r == "ERROR") f++; else if (r == "SKIP") s++; else o++ }
         END { printf "%d/%d/%d", p, f, s; if (o) printf "+%d", o }' "$1"
}

differences() {
    awk 'FILENAME == ARGV[1] { was[$1] = $2; next }
         !($1 in was)        { print $1 ": only with ours (" $2 ")"; next }
         was[$1] != $2       { print $1 ": " was[$1] " with clang, " $2 " with ours" }
                             { delete was[$1] }
         END { for (t in was) print t ": only with clang (" was[t] ")" }' "$1" "$2" | sort
}

compare() {
    local name=$1 ref tested differ
    if ! check_side "$name" reference || ! check_side "$name" tested; then
        printf '%-8s not built or not tested\n' "$name" >> "$table"
        return 1
    fi
    ref=$(package_dir "$name" reference)
    tested=$(package_dir "$name" tested)
    differences "$ref.results" "$tested.results" > "$tested.differences"
    sed "s|^|DIFF $name |" "$tested.differences"
    differ=$(wc -l < "$tested.differences")
    printf '%-8s %5d  %12s  %12s  %11d  %7.2f  %7.2f  %5.2fx\n' "$name" \
        "$(wc -l < "$ref.results")" "$(counts "$ref.results")" "$(counts "$tested.results")" \
        "$differ" "$(cat "$ref.cpu")" "$(cat "$tested.cpu")" \
        "$(awk 'NR == 1 { a = $1 } NR == 2 { print $1 / a }' "$ref.cpu" "$tested.cpu")" >> "$table"
    [ "$differ" = 0 ]
}

mkdir -p "$cache/builds"
exec 8> "$cache/builds/lock"
flock -n 8 || die "another run is using $cache/builds"
table=$(mktemp)
trap 'rm -f "$table"' EXIT
printf '%-8s %5s  %12s  %12s  %11s  %7s  %7s  %6s\n' package tests clang-p/f/s ours-p/f/s \
    differences clang-s ours-s make > "$table"
status=0
for name in $names; do compare "$name" || status=1; done
cat "$table"
exit $status
