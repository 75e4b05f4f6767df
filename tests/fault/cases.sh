# shellcheck shell=bash
# Test cases that are not sound, or ask for what cannot be done; and disks and programs that fail while one is made.

one_case() { echo_program && printf x > stdin && "$TANDEM" import stdin -o . -- ./target > /dev/null && mv stdin.tcase a.tcase; }

# lines of a test case on standard input, with its sum: made by hand.
by_hand() {
    cat > body
    { cat body; printf 'end %s\n' "$(gzip -c < body | tail -c 8 | head -c 4 | od -An -tx4 | tr -d ' ')"; } > "$1"
}

test_case_is_garbled() {
    one_case
    run "$TANDEM" replay a.tcase
    wants 0
    head -c 40 a.tcase > cut.tcase
    sed 's/^kind seed/kind zeal/' a.tcase > changed.tcase
    head -c 3000 /dev/urandom > noise.tcase
    : > empty.tcase
    sed 's/^tandem test case 1/tandem test case 9/' a.tcase > later.tcase
    for pair in "cut:cut short" "changed:changed or damaged: its checksum is [0-9a-f]{8}" "noise:no test case" "empty:no test case" "later:version 9"; do
        for command in replay "export -o exported"; do
            # shellcheck disable=SC2086
            run "$TANDEM" $command "${pair%%:*}.tcase"
            wants 1
            one_line "^tandem: ${pair%%:*}.tcase: it .*${pair#*:}"
        done
    done
    # Several: the sound one is replayed all the same.
    run "$TANDEM" replay cut.tcase a.tcase
    wants 1
    grep -q '^a.tcase: exit 3' out && grep -q '^2 test cases: 1 without a bug, 1 not usable$' out || die "$(cat out)"
}

test_case_is_missing() {
    one_case
    mkdir folder
    for command in replay export; do
        run "$TANDEM" $command not-there.tcase
        wants 1
        one_line 'not-there.tcase: No such file'
        run "$TANDEM" $command folder
        wants 1
        one_line 'folder: no \*.tcase in it'
    done
    mv a.tcase folder
    run "$TANDEM" replay folder/a.tcase/b.tcase
    wants 1
    one_line 'Not a directory'
    run "$TANDEM" export -o folder/a.tcase folder/a.tcase
    wants 1
    one_line 'folder/a.tcase'
    run "$TANDEM" import not-there -- ./target
    wants 1
    one_line 'not-there: No such file'
}

test_case_without_program() {
    one_case
    rm target
    run "$TANDEM" replay a.tcase
    wants 1
    one_line 'a.tcase: ./target: No such file'
    echo text > target
    run "$TANDEM" replay a.tcase
    wants 1
    one_line 'target: not a program'
    run "$TANDEM" replay a.tcase -- .
    wants 1
    run "$TANDEM" record -o b.tcase ./not-there
    wants 1
    one_line 'not-there: cannot execute: No such file'
    [ ! -e b.tcase ] || die "a test case of no run"
}

test_case_for_another_program() {
    one_case
    "$TANDEM" replay --update -q a.tcase > /dev/null || die "update"
    cp target other
    run "$TANDEM" replay --expect -q a.tcase -- ./other
    wants 0
    [ ! -s err ] || die "the same program by another name: $(cat err)"
    build third <<'C'
#include <stdio.h>
int main(void) { int c = getchar(); if (c == 'x' && getchar() != 'y') return 7; return 3; }
C
    run "$TANDEM" replay --expect -q a.tcase -- ./third
    wants 70
    grep -q 'note: a.tcase was made for another program, or another build' err || die "no note: $(cat err)"
    grep -q 'different: exit 3 was expected' out || die "$(cat out)"
}

# What a plain build cannot do is said.
test_case_on_plain_build() {
    one_case
    clang-19 -w target.c -o plain || die "clang"
    for option in --trace --path; do
        run "$TANDEM" replay $option a.tcase -- ./plain
        wants 1
        one_line 'plain is a plain build'
    done
    by_hand marks.tcase <<'C'
tandem test case 1
arg "./target"
mark "x" size 1 text
|1\
C
    run "$TANDEM" replay marks.tcase -- ./plain
    wants 1
    one_line "marks.tcase: .*mark 'x' in the program, which only a build of tandem cc"
    run "$TANDEM" export -o exported marks.tcase
    wants 1
    one_line "mark 'x'"
}

test_case_reaches_outside() {
    one_case
    for name in ../x "$PWD/absolute" a/../../x; do
        by_hand bad.tcase <<C
tandem test case 1
arg "./target"
file "$name" mode 0644 mtime 1 size 1 text
|x\\
C
        run "$TANDEM" replay bad.tcase -- ./target
        wants 1
        one_line "bad.tcase: .*(not the name of a file|cannot be made in the sandbox)"
        run "$TANDEM" export -o exported bad.tcase
        wants 1
        one_line 'not the name of a file'
        run "$TANDEM" export --format raw -o "raw" bad.tcase
        wants 1
    done
    mkdir victim
    by_hand link.tcase <<C
tandem test case 1
arg "./target"
link "way" "$PWD/victim"
file "way/x" mode 0644 mtime 1 size 1 text
|x\\
C
    run "$TANDEM" replay link.tcase
    wants 6
    run "$TANDEM" replay --no-sandbox link.tcase
    wants 6
    [ -z "$(ls victim)" ] && [ ! -e absolute ] || die "something was made outside"
}

test_case_with_absolute_file() {
    build reads <<'C'
#include <stdio.h>
int main(int argc, char **argv) { FILE *f = fopen(argv[1], "r"); return f ? getc(f) : 9; }
C
    # shellcheck disable=SC2034
    where=$(mktemp -d /var/tmp/tandem-fault-XXXXXX) || cannot "cannot write to /var/tmp"
    trap 'rm -rf "$where"' EXIT
    printf A > "$where/input"
    bounded "$TANDEM" record -o a.tcase ./reads "$where/input"
    [ $? = 65 ] || die "not recorded"
    run "$TANDEM" replay --expect a.tcase
    wants 0
    rm "$where/input"
    run "$TANDEM" replay --expect a.tcase
    wants 1
    one_line 'it needs the file .*/input, which is not there as it was'
    run "$TANDEM" replay --no-sandbox --expect a.tcase
    wants 0
    [ ! -e "$where/input" ] || die "it stays behind"
    printf B > "$where/input"
    run "$TANDEM" replay --no-sandbox --expect a.tcase
    wants 6
    one_line 'is there, but not as the test case wants it'
    [ "$(cat "$where/input")" = B ] || die "overwritten"
}

test_ktest_is_garbled() {
    printf 'KTEST\0\0\0\3\0\0\0\1\0\0\377\377abc' > cut.ktest
    printf 'KTEST\0\0\0\7' > later.ktest
    printf 'KTEST\0\0\0\1\0\0\0\0\0\0\0\0' > good.ktest
    run "$TANDEM" import cut.ktest later.ktest good.ktest -o klee
    wants 1
    grep -q '^tandem: cut.ktest: it is cut short or garbled$' err && grep -q '^tandem: later.ktest: it is of version 7' err || die "$(cat err)"
    [ "$(ls klee)" = good.ktest.tcase ] || die "$(ls klee)"
    echo text > raw
    run "$TANDEM" import raw -o klee
    wants 1
    one_line 'raw: which program is it for'
}

test_cases_on_full_disk() {
    one_case
    printf 'KTEST\0\0\0\1\0\0\0\0\0\0\0\0' > good.ktest
    # shellcheck disable=SC2016
    in_namespace "${full/head/cp a.tcase full/ \&\& head}"' run "$TANDEM" record -o full/b.tcase ./target; wants 6; one_line "full/b.tcase.*No space left"
        run "$TANDEM" import good.ktest -o full; wants 1; grep -q "full/good.ktest.tcase.*No space left" err || die "$(cat err)"
        run "$TANDEM" replay -q --update full/a.tcase; wants 6; one_line "full/a.tcase.*No space left"
        cmp -s a.tcase full/a.tcase || die "the old test case is gone"
        run "$TANDEM" export -o full a.tcase; wants 1; one_line "full/a.sh.*No space left"
        [ "$(ls full)" = "a.tcase
filler" ] || die "left behind: $(ls full)"'
}

# What it leaves running is answered after we are gone.
test_recorded_program_leaves_a_child() {
    # shellcheck disable=SC2016
    run "$TANDEM" record -o a.tcase sh -c '(sleep 1; cat body > late) > /dev/null 2>&1 & exit 4'
    wants 4
    echo text > body
    for _ in $(seq 60); do [ -s late ] && return; sleep 0.1; done
    die "the child came to harm"
}

test_recording_is_interrupted() {
    build waits_$$ <<'C'
#include <unistd.h>
int main(void) { for (;;) pause(); }
C
    "$TANDEM" record -o a.tcase ./waits_$$ < /dev/null > out 2> err &
    local pid=$!
    for _ in $(seq 100); do pgrep -f "^\./waits_$$\$" > /dev/null && break; sleep 0.05; done
    kill -TERM $pid
    wait $pid 2> /dev/null
    status=$?
    wants 143
    ! pgrep -f "^\./waits_$$\$" > /dev/null || die "it still runs"
    grep -q '^expect signal SIGTERM$' a.tcase || die "not recorded: $(cat a.tcase err)"
}
