# shellcheck shell=bash
# The packages' own suites: how each is run, and its results as lines "TEST RESULT". To be sourced after lib.sh;
# the caller sets $jobs.

check_seconds=${CHECK_SECONDS:-1800}

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

# What a test of coreutils is about: `print_ver_ sort` or `my $prog = 'sort'`, or else its name.
coreutils_programs_of() {
    awk -v name="$1" '
        /^print_ver_ / { for (i = 2; i <= NF && $i !~ /^[#;&|]/; i++) print $i; found = 1 }
        /^my \$prog *=/ { gsub(/.*= *|[^a-z0-9].*$/, "", $0); if ($0) { print; found = 1 } }
        END { if (!found) { sub(/.*\//, "", name); sub(/[-.].*/, "", name); print name } }' "$1"
}

# The tests of the programs that are built here, without those that need root and thereby the machine.
coreutils_tests() {
    local t p
    grep -o 'tests/[a-z0-9-]*/[A-Za-z0-9_.-]*\.\(sh\|pl\)' tests/local.mk | sort -u | while read -r t; do
        [ -f "$t" ] && ! grep -q require_root_ "$t" || continue
        for p in $(coreutils_programs_of "$t"); do [[ " ${coreutils_many//$'\n'/ } " = *" $p "* ]] || continue 2; done
        echo "$t"
    done
}

# check-TESTS, and no programs to wait for: `check` would build everything. Some tests hang when something is wrong.
coreutils_check() {
    local limit="timeout -k 5 ${TEST_SECONDS:-300}"
    find . -name '*.trs' -delete
    env -u LC_ALL timeout -k 10 "$check_seconds" make check-TESTS -k -j"$jobs" PROGRAMS= TESTS="$(coreutils_tests | tr '\n' ' ')" \
        SH_LOG_COMPILER="$limit \$(SHELL)" TESTSUITE_PERL="$limit \$(PERL)" || true
}

package_check() {
    local name=$1 dir=$2
    case $name in
    tree)  tree_results "$dir" > "$dir.results" ;;
    coreutils-many)
           (cd "$dir" && coreutils_check > "$dir.check.log" 2>&1 < /dev/null
            automake_results) > "$dir.results" ;;
    expat) (cd "$dir/expat" && make_check > "$dir.check.log" 2>&1 < /dev/null
            automake_results; expat_counts) > "$dir.results" ;;
    *)     (cd "$dir" && make_check > "$dir.check.log" 2>&1 < /dev/null
            automake_results) > "$dir.results" ;;
    esac
}

# differences NAME RESULTS NAME RESULTS: the tests that ended differently, a line each.
differences() {
    awk -v a="$1" -v b="$3" '
         FILENAME == ARGV[1] { was[$1] = $2; next }
         !($1 in was)        { print $1 ": only with " b " (" $2 ")"; next }
         was[$1] != $2       { print $1 ": " was[$1] " with " a ", " $2 " with " b }
                             { delete was[$1] }
         END { for (t in was) print t ": only with " a " (" was[t] ")" }' "$2" "$4" | sort
}
