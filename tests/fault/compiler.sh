# shellcheck shell=bash
# tandem-cc given what no compiler can work with.

# same_as_clang ARGUMENT...: the same words on both outputs, the same status, and no file left.
same_as_clang() {
    run clang-19 "$@"
    mv out out.clang
    mv err err.clang
    local theirs=$status
    run "$TANDEM_CC" "$@"
    wants "$theirs"
    cmp -s out out.clang && cmp -s err err.clang || die "other words than clang's for $*: $(diff err.clang err | head -n 5)"
    [ "$theirs" != 0 ] || die "clang takes it: $*"
}

test_source_does_not_compile() {
    printf 'int main(void) { return x; }\n' > bad.c
    printf 'int f(int a) { return a +; }\n#error no\n' > worse.c
    printf '#include "not-there.h"\n' > include.c
    printf 'int f(void);\nint main(void) { return f(); }\n' > good.c
    same_as_clang bad.c -o bad
    same_as_clang -c bad.c
    same_as_clang -c bad.c good.c
    same_as_clang -O2 -S worse.c
    same_as_clang -E include.c
    same_as_clang include.c
    same_as_clang -Werror -Wall -Wmissing-prototypes -c bad.c
    [ -z "$(ls ./*.o ./*.s a.out bad 2> /dev/null)" ] || { rm -f good.o; [ -z "$(ls ./*.o ./*.s a.out bad 2> /dev/null)" ]; } || die "left behind: $(ls)"
}

test_source_is_missing() {
    same_as_clang missing.c
    same_as_clang -c missing.c -o x.o
    same_as_clang
    mkdir folder.c
    same_as_clang -c folder.c
}

test_option_is_unknown() {
    printf 'int main(void) { return 0; }\n' > a.c
    same_as_clang --no-such-option a.c
    same_as_clang -std=c3000 a.c
    same_as_clang -c a.c -o not/there.o
}

test_symbol_is_missing() {
    printf 'int f(void);\nint main(void) { return f(); }\n' > a.c
    run "$TANDEM_CC" a.c -o a
    wants 1
    grep -q "undefined reference to .f'" err || die "the linker's message is not there: $(cat err)"
    grep -q 'tandem' <(grep -v "undefined\|in function\|/ld:" err) && die "something of ours is in it: $(cat err)"
    [ ! -e a ] || die "there is a program"
}

# Names of the runtime are its own: a program may have any other.
test_names_are_free() {
    build free <<'C'
int event_add(int x) { return x; }
int state_enter, node_make = 1, shadow_copy, module_site, input_begin, server_loop;
int main(void) { return event_add(state_enter + node_make + shadow_copy + module_site + input_begin + server_loop); }
C
    run ./free
    wants 1
}

test_clang_is_missing() {
    mkdir empty
    printf 'int main(void) { return 0; }\n' > a.c
    PATH=$PWD/empty run_in_path "$TANDEM_CC" a.c -o a
    [ "$status" != 0 ] || die "status 0 without a compiler"
    one_line 'tandem-cc: .*clang-19'
}
run_in_path() { "$@" > out 2> err < /dev/null; status=$?; }

test_library_is_missing() {
    mkdir bin
    cp "$TANDEM_CC" bin/tandem-cc
    printf 'int main(void) { return 0; }\n' > a.c
    run bin/tandem-cc a.c -o a
    [ "$status" != 0 ] || die "status 0 without a runtime"
    [ "$(wc -l < err)" -le 3 ] || die "many lines: $(head -n 5 err)"
    grep -q 'tandem-rt.o' err || die "what is missing is not named: $(cat err)"
}

test_left_out_option_is_noted() {
    printf 'int main(void) { return 0; }\n' > a.c
    run "$TANDEM_CC" -flto -fsanitize=address a.c -o a
    wants 0
    one_line 'tandem-cc: note: -flto is left out'
}

test_compiler_leaves_no_files() {
    mkdir tmp
    printf 'int main(void) { return 0; }\n' > a.c
    printf 'int main(void) { return x; }\n' > b.c
    TMPDIR=$PWD/tmp run "$TANDEM_CC" a.c -o a
    TMPDIR=$PWD/tmp run "$TANDEM_CC" b.c -o b
    TMPDIR=$PWD/tmp run "$TANDEM_CC" -c b.c a.c
    [ -z "$(ls tmp)" ] || die "left behind: $(ls tmp)"
}
