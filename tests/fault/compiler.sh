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

misses() {
    run bin/tandem-cc a.c -o a
    [ "$status" != 0 ] || die "status 0 without $1"
    [ "$(wc -l < err)" -le 3 ] || die "many lines: $(head -n 5 err)"
    grep -q "$1 is missing: Tandem is not completely installed" err || die "what is missing is not named: $(cat err)"
}

test_library_is_missing() {
    mkdir bin
    cp "$TANDEM_CC" bin/tandem-cc
    printf 'int main(void) { return 0; }\n' > a.c
    misses tandem-weave
    mkdir -p lib/tandem
    cp "${TANDEM_CC%/*}/../lib/tandem/tandem-weave" lib/tandem
    misses tandem-rt.o
}

test_left_out_option_is_noted() {
    printf 'int main(void) { return 0; }\n' > a.c
    run "$TANDEM_CC" -flto -fsanitize=address a.c -o a
    wants 0
    one_line 'tandem-cc: note: -flto is left out'
}

# What is in a response file counts as if it stood on the command line.
test_response_file() {
    printf 'int f(void) { return %s; }\n' X > f.c
    echo "-shared -fPIC '-DX=3' @inner" > words
    echo '"f.c" -o lib\f.so -flto' > inner
    run "$TANDEM_CC" @words
    wants 0
    one_line 'note: -flto is left out'
    nm -D libf.so | grep -q __td_start && die "the runtime is in a shared library"
    same_as_clang @not-there
}

test_code_for_another_machine() {
    printf 'int f(int x) { return x; }\n' > f.c
    for flag in -m32 --target=aarch64-linux-gnu -mx32; do
        run clang-19 -O2 $flag -c f.c -o plain.o
        run "$TANDEM_CC" -O2 $flag -c f.c -o f.o
        wants 0
        one_line 'not instrumented: only code for x86-64 is'
        cmp -s plain.o f.o || die "not clang's own object with $flag"
    done
}

# Other languages, and LLVM's own, are compiled as clang does it.
test_other_languages() {
    printf 'int f(int x) { int s = 0; while (x--) s += x; return s; }\n' | tee f.cc > f.c
    for arguments in "f.cc -S" "f.c -S -emit-llvm" "f.c -c -emit-llvm" "f.cc -c"; do
        # shellcheck disable=SC2086
        run clang-19 -O2 $arguments -o plain
        # shellcheck disable=SC2086
        run "$TANDEM_CC" -O2 $arguments -o ours
        wants 0
        cmp -s plain ours || die "not clang's own output: $arguments"
    done
    clang-19 -O2 -S -emit-llvm f.c -o f.ll
    printf 'int f(int); int main(void) { return f(5); }\n' > main.c
    run "$TANDEM_CC" main.c f.ll -o main
    wants 0
    run ./main
    wants 10
}

test_precompiled_header() {
    printf 'static int five(void) { return 5; }\n' > five.h
    printf 'int main(void) { return five(); }\n' > main.c
    run "$TANDEM_CC" -x c-header five.h -o five.pch
    wants 0
    run "$TANDEM_CC" -include-pch five.pch main.c -o main
    wants 0
    run ./main
    wants 5
    run "$TANDEM_CC" five.h
    wants 0
    [ ! -e a.out ] || die "a header was linked"
}

# The code it adds is nobody's business: no warnings about it, even less errors.
test_no_warnings_about_our_code() {
    printf 'int f(char *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] == 1 ? p[i + 1] : n; return s; }\n' > f.c
    run "$TANDEM_CC" -O2 -Werror -Wframe-larger-than=32 -c f.c
    wants 0
    run "$TANDEM_CC" -Wno-such-warning -c f.c
    [ "$(grep -c 'unknown warning option' err)" = 1 ] || die "not said once: $(cat err)"
}

test_plan_is_shown() {
    printf 'int f(void) { return 1; }\n' > f.c
    run "$TANDEM_CC" '-###' -c f.c
    wants 0
    [ ! -e f.o ] || die "-### compiles"
    run "$TANDEM_CC" -v -c f.c
    grep -q cc1 err || die "-v says nothing"
}

test_compiler_is_interrupted() {
    mkdir tmp
    { for i in {1..300}; do echo "int f$i(int *p) { int s = 0; for (int i = 0; i < $i; i++) s += p[i] == $i ? p[i + 1] : s; return s; }"; done
        echo 'int main(void) { return 0; }'; } > many.c
    for signal in INT TERM HUP; do
        for moment in 0.03 0.1 0.4 0.8; do
            TMPDIR=$PWD/tmp run timeout -s $signal $moment "$TANDEM_CC" -O2 many.c -o many
            [ -z "$(ls -A tmp)" ] || die "left behind after SIG$signal: $(ls -A tmp)"
        done
    done
    TMPDIR=$PWD/tmp bash -c '"$0" -O2 many.c -o many & sleep 0.4; kill -TERM $!; wait $!' "$TANDEM_CC" > out 2> err
    [ $? = 143 ] || die "it does not end by the signal"
    [ -z "$(ls -A tmp)" ] || die "left behind: $(ls -A tmp)"
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
