# shellcheck shell=bash
# The packages' own suites: how each is run, and its results as lines "TEST RESULT". To be sourced after lib.sh;
# the caller sets $jobs, and may set $under to a command that runs the suite's own.

check_seconds=${CHECK_SECONDS:-1800} under=

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
    env -u LC_ALL timeout -k 10 "$check_seconds" $under make check -k -j"$jobs" "$@" || true
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

# The tests of the programs that are built here, without those that need root and thereby the machine. Two scripts only make tests:
# of factor with millions of numbers, which are minutes each.
coreutils_tests() {
    local t p built=$coreutils_many
    [ "$name" != coreutils-eight ] || built=$coreutils_eight
    grep -o 'tests/[a-z0-9-]*/[A-Za-z0-9_.-]*\.\(sh\|pl\)' tests/local.mk | sort -u | grep -vxE 'tests/factor/(run|create-test)\.sh' | while read -r t; do
        [ -f "$t" ] && ! grep -q require_root_ "$t" || continue
        for p in $(coreutils_programs_of "$t"); do [ "$name" = coreutils-all ] || [[ " ${built//$'\n'/ } " = *" $p "* ]] || continue 2; done
        echo "$t"
    done
}

# check-TESTS, and no programs to wait for: `check` would build everything. Some tests hang
# when something is wrong.
coreutils_check() {
    local limit="timeout -k 5 ${TEST_SECONDS:-300}"
    find . -name '*.trs' -delete
    env -u LC_ALL timeout -k 10 "$check_seconds" $under make check-TESTS -k -j"$jobs" PROGRAMS= TESTS="$(coreutils_tests | tr '\n' ' ')" \
        SH_LOG_COMPILER="$limit \$(SHELL)" TESTSUITE_PERL="$limit \$(PERL)" || true
}

# results NAME PATTERN: lines of the check's log that are results, as "TEST RESULT"; PATTERN is what sed makes of them.
log_results() { sed -nE "$2" "$dir.check.log" | sed 's/\t/ /g' | awk '{ r = $NF; $NF = ""; gsub(/ +$/, ""); gsub(/ /, "_"); print $0 "#" ++n[$0], r }'; }

check_tree() { tree_results "$dir"; }
check_coreutils_many() { coreutils_check > "$dir.check.log" 2>&1; automake_results; }
check_coreutils_eight() { check_coreutils_many; }
check_coreutils_all() { check_coreutils_many; }
check_expat() { cd expat && make_check > "$dir.check.log" 2>&1; automake_results; expat_counts; }

# What is different from what was expected stays there, as _NAME.
check_gawk() {
    find test -name '_*' -type f -delete
    env -u LC_ALL timeout -k 10 "$check_seconds" $under make -C test -k check > "$dir.check.log" 2>&1 || true
    grep -xE '[a-z][A-Za-z0-9_-]+' "$dir.check.log" | sort -u | while read -r t; do
        echo "$t $([ -e "test/_$t" ] && echo FAIL || echo PASS)"
    done
}

# Most of its tests are DejaGnu's.
check_findutils() {
    find . -name '*.sum' -delete
    make_check > "$dir.check.log" 2>&1
    automake_results
    find . -name '*.sum' | sort | while read -r sum; do
        sed -nE 's/^(PASS|FAIL|XPASS|XFAIL|UNRESOLVED|UNTESTED): (.*)/\2 \1/p' "$sum" |
            awk -v s="${sum##*/}" '{ r = $NF; $NF = ""; gsub(/ +$/, ""); gsub(/ /, "_"); print s ":" $0 "#" ++n[$0], r }'
    done
}

# A line per script, which says how many of its tests passed; what went wrong comes between its name and the verdict.
check_make() {
    make_check man_MANS= > "$dir.check.log" 2>&1
    awk 'match($0, /^[a-z]+\/[A-Za-z0-9_-]+ \.* */) { name = $1; $0 = substr($0, RLENGTH + 1) }
         name && /^(ok|FAILED|N\/A)/ {
             result = /^ok/ ? "PASS" : /^FAILED/ ? "FAIL" : "SKIP"
             print name, result (match($0, /\([0-9\/]+/) ? substr($0, RSTART, RLENGTH) ")" : "")
             name = "" }
         END { if (name) print name, "FAIL" }' "$dir.check.log"
}

# Without what mounts, makes devices or waits for them, and without asking the internet, which answers or does not.
check_busybox() {
    (cd testsuite && SKIP_INTERNET_TESTS=1 bindir=$dir timeout -k 10 "$check_seconds" ./runtest -v \
        $(ls | sed -nE 's/^([a-z0-9_-]+)\.tests$/\1/p; s/^([a-z0-9_]+)$/\1/p' | sort -u | grep -vxE 'mount|mdev|makedevs|runtest|README|TODO|.*helper.*')) \
        > "$dir.check.log" 2>&1 || true
    log_results busybox 's/^(PASS|FAIL|SKIPPED|UNTESTED): (.*)/\2 \1/p'
}

# Each script says what differs from what it expects, which is not nothing everywhere; so what it says is compared, without the numbers
# of processes and the lines that warn in any case.
check_bash() {
    local t status
    make recho zecho printenv xcase > "$dir.check.log" 2>&1 && cp recho zecho printenv xcase tests
    (cd tests && for t in run-*; do
        case $t in *~|run-all|run-minimal|run-gprof) continue ;; esac
        status=0
        env -u LC_ALL -u BASH_ENV -u SHELLOPTS PATH="$PWD:$PATH" THIS_SH="$dir/bash" BUILD_DIR="$dir" BASH_TSTOUT="$dir.tstout" \
            TMPDIR="${TMPDIR:-/tmp}" timeout -k 5 120 sh "./$t" > "$dir.out" 2>&1 < /dev/null || status=$?
        { echo "== $t: $status"; cat "$dir.out"; } >> "$dir.check.log"
        sed -i -E "/^warning: /d; s|$dir|DIR|g; s/\b[0-9]{3,}\b/N/g" "$dir.out"
        if [ -s "$dir.out" ] || [ "$status" != 0 ]; then echo "$t $(cksum < "$dir.out" | tr ' ' '-')-exit$status"; else echo "$t PASS"; fi
    done)
}

check_sqlite3() {
    local t
    for t in test/shell[1-8].test test/select[1-7].test test/expr.test test/func.test test/insert.test test/join.test test/update.test test/trigger1.test test/json101.test; do
        timeout -k 10 600 ./testfixture "$t" 2>&1 || true
    done > "$dir.check.log" 2>&1
    log_results sqlite3 's/^([A-Za-z0-9_.-]+)\.\.\. Ok$/\1 PASS/p; s/^! ([A-Za-z0-9_.-]+) expected.*/\1 FAIL/p'
}

# Lua's tests are a tarball of their own, which Debian does not have: what our scripts print is compared.
check_lua() {
    local t status
    for t in "$suites"/lua/*.lua; do
        status=0
        timeout -k 5 60 src/lua "$t" > "$dir.out" 2>&1 < /dev/null || status=$?
        echo "${t##*/} $(cksum < "$dir.out" | tr ' ' '-')-exit$status"
        timeout -k 5 60 src/luac -l "$t" 2>&1 | sed 's/0x[0-9a-f]*//g' | cksum | sed "s|^|${t##*/}-listed |; s| \([0-9]*\)$|-\1|"
    done
}

# Tests that end now this way, now that with clang too. They run and are not compared, which builds.sh says.
# package  test                  why
unsteady_tests='
make       features/output-sync  its helper waits 4 s for a file and no longer: with clang 4 of 8 runs failed, with ours 6, in the same ways
'
unsteady() { awk -v p="$1" '$1 == p { $1 = ""; print substr($0, 2) }' <<< "$unsteady_tests"; }

package_check() {
    local name=$1 dir=$2 own
    own=$(package_function check "$name")
    (cd "$dir" || exit 1
     if declare -F "$own" > /dev/null; then "$own"; else make_check > "$dir.check.log" 2>&1; automake_results; fi) < /dev/null |
        awk 'FILENAME == ARGV[1] { unsteady[$1]; next } !($1 in unsteady)' <(unsteady "$name") - > "$dir.results"
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
