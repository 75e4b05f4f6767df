# shellcheck shell=bash
# Files, variables and marks that cannot be used, or that programs use badly.

reader_program() {
    build reader <<'C'
#include <stdio.h>
int main(void)
{
	FILE *f = fopen("data", "r");
	int c = f ? getc(f) : -2;
	if (c == 'x')
		puts("x");
	return c == -2 ? 9 : 0;
}
C
}

each_command() { # MESSAGE OPTION...
    local command
    for command in trace explore predict; do
        run "$TANDEM" "$command" "${@:2}" ./reader
        wants 1
        one_line "$1"
    done
}

test_file_is_missing() {
    reader_program
    each_command 'not-there.*No such file' --file data=not-there
    run "$TANDEM" trace --sym-file not-there ./reader
    wants 1
    one_line 'not-there.*No such file'
}

test_file_is_a_directory() {
    reader_program
    mkdir folder
    each_command 'folder.*directory' --file data=folder
    run "$TANDEM" trace --sym-file folder ./reader
    wants 1
    one_line 'folder.*not a regular file'
}

test_file_has_no_good_name() {
    reader_program
    : > seed
    for name in /data ../data a/../data a//b . a/. ''; do
        each_command 'not the name of a file' --file "$name=seed"
    done
    each_command 'data is given twice' --file data=seed --file data=seed
}

test_file_in_the_place_of_a_directory() {
    reader_program
    : > seed
    run "$TANDEM" trace --file data=seed --file data/more=seed ./reader
    wants 6
    one_line 'the file data: File exists'
}

test_file_is_huge() {
    reader_program
    truncate -s 65M huge
    each_command 'huge.*64 MiB' --file data=huge
    truncate -s 20M huge
    run "$TANDEM" trace --stats --file data=huge ./reader
    wants 0
    [ "$(sed -n 's/^terms \([0-9]*\)$/\1/p' err)" -lt 100000 ] || die "all of it is symbolic"
}

test_file_is_unreadable() {
    [ "$(id -u)" = 0 ] || cannot "needs root"
    reader_program
    : > seed
    chmod 000 seed
    chmod 755 .
    run setpriv --reuid=65534 --regid=65534 --clear-groups "$TANDEM" trace --file data=seed ./reader
    wants 1
    one_line 'seed.*Permission denied'
}

# As on a plain build: the mode of the original is the copy's, and whoever has no capabilities obeys it.
test_file_that_the_program_may_not_read() {
    reader_program
    printf x > seed
    chmod 200 seed
    run "$TANDEM" trace --quiet --file data=seed ./reader
    wants 9
}

test_files_without_sandbox() {
    reader_program
    : > seed
    run "$TANDEM" explore --no-sandbox --file data=seed ./reader
    wants 1
    one_line '--file needs the sandbox'
    run "$TANDEM" trace --no-sandbox --file data=seed ./reader
    wants 1
    printf y > data
    run "$TANDEM" trace --no-sandbox --sym-file data ./reader
    wants 0
    grep -q "data\[0\] != 'x'" out || die "it is not symbolic: $(cat out)"
    [ "$(cat data)" = y ] || die "it was changed"
}

test_variable_is_none() {
    reader_program
    each_command 'NAME=VALUE' --env NAME
    each_command 'NAME=VALUE' --env =value
    each_command 'not for programs' --env TANDEM=3
}

test_program_removes_its_files() {
    build remover <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
	FILE *f = fopen("d/data", "r");
	if (f && getc(f) == 'x' && getc(f) == 'y')
		abort();
	rename("d/data", "other");
	unlink("other");
	rmdir("d");
	symlink("/etc", "d");
	mkdir("data", 0);
	return 0;
}
C
    printf aa > seed
    run "$TANDEM" explore --time 15 --file d/data=seed ./remover
    wants 10
    grep -q 'd/data (mode 0[0-7]*, [0-9]* bytes) = "xy"' out || die "$(cat out)"
}

# More marks than there is room for are concrete, and the run goes on.
test_marks_without_end() {
    build endless <<'C'
int __VERIFIER_nondet_int(void);
int main(void)
{
	int n = 0;
	for (int i = 0; i < 10000; i++)
		if (__VERIFIER_nondet_int() == 7)
			n++;
	return n;
}
C
    run "$TANDEM" trace --quiet --verify ./endless
    wants 0
    run "$TANDEM" explore --execs 20 ./endless
    case $status in 0 | 5) ;; *) die "status $status: $(cat err)" ;; esac
}

test_mark_outside_of_its_object() {
    build wide <<'C'
void klee_make_symbolic(void *memory, unsigned long bytes, const char *name);
int main(void) { int *x = __builtin_malloc(4); klee_make_symbolic(x, 8, "x"); return *x; }
C
    run "$TANDEM" trace --quiet ./wide
    wants 134
    grep -q 'heap-overflow: write of 8 bytes' err || die "$(head -n 3 err)"
}

test_assumption_never_holds() {
    build never <<'C'
void klee_assume(unsigned long condition);
int main(int argc, char **argv) { klee_assume(argc > 5); return 7; }
C
    run ./never
    wants 0
    run "$TANDEM" explore --time 5 ./never
    wants 0
}

# Whether it is read as standard input or by its name, it is the same file.
test_file_is_standard_input_too() {
    build both <<'C'
#include <stdio.h>
int main(void)
{
	FILE *f = fopen("data", "r");
	if (getchar() == 'x')
		puts("first");
	fgetc(f);
	if (fgetc(f) == 'x')
		puts("second");
	return 0;
}
C
    printf ab > data
    run "$TANDEM" trace --no-sandbox --sym-file data --stdin data ./both
    wants 0
    grep -q "data\[0\] != 'x'" out && grep -q "data\[1\] != 'x'" out || die "$(cat out)"
}
