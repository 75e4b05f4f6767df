#!/bin/bash
# Test cases from end to end: recorded from real runs, replayed on instrumented, plain and ASan builds, exported as scripts, raw files and AFL++ queues, imported from
# those and from KLEE's files. One program tells all that it is given, so that nothing can be lost on the way without being seen.
set -uo pipefail
# shellcheck source=tests/workshop.sh disable=SC2154
. "$(dirname "$0")/../workshop.sh"

fail() { echo "cases: $*"; failures=$((failures + 1)); }
# status WANTED COMMAND...: output in out and err.
status() {
    local wanted=$1 got
    shift
    timeout -k 2 30 "$@" > out 2> err
    got=$?
    [ "$got" = "$wanted" ] || fail "status $got instead of $wanted: $*: $(head -n 3 err)"
}
says() { grep -qE -- "$1" err out || fail "does not say '$1' but: $(head -n 5 out err)"; }
same() { cmp -s "$1" "$2" || fail "$3: $(diff "$1" "$2" | head -n 6)"; }

cat > show.c <<'C'
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
extern char **environ;
static void bytes(const char *what, FILE *f)
{
	printf("%s:", what);
	for (int c; f && (c = getc(f)) != EOF;)
		printf(" %02x", c);
	puts(f ? "" : " none");
	if (f)
		fclose(f);
}
static const char *variable(const char *name) { return getenv(name) ? getenv(name) : "(none)"; }
int main(int argc, char **argv)
{
	static const char *const names[] = { "a b/c.txt", "binary", "link", "'q", "made" };
	struct stat st;
	mode_t mask = umask(0);
	for (char **e = environ; *e; e++) /* one that is not set is not there at all */
		if (!strchr(*e, '='))
			printf("no variable: %s\n", *e);
	for (int i = 1; i < argc; i++) {
		printf("argument %d:", i);
		for (char *c = argv[i]; *c; c++)
			printf(" %02x", (unsigned char)*c);
		puts("");
	}
	printf("X=%s LC_ALL=%s TZ=%s\numask %03o\n", variable("X"), variable("LC_ALL"), variable("TZ"), mask);
	if (fstat(0, &st))
		puts("stdin closed");
	else
		printf("stdin %s\n", S_ISREG(st.st_mode) ? "file" : S_ISFIFO(st.st_mode) ? "pipe" : S_ISCHR(st.st_mode) ? "device" : "?");
	bytes("stdin", stdin);
	for (int i = 0; i < 5; i++) {
		bytes(names[i], fopen(names[i], "r"));
		if (stat(names[i], &st) == 0)
			printf("%04o %ld\n", st.st_mode & 07777u, (long)st.st_mtime);
	}
	if (stat("empty", &st) == 0)
		printf("empty %04o %ld\n", st.st_mode & 07777u, (long)st.st_mtime);
	FILE *made = fopen("made", "w");
	fputs("made by itself", made);
	fclose(made);
	bytes("made", fopen("made", "r"));
	fprintf(stderr, "told\n");
	return 40 + argc;
}
C
"$cc" -w show.c -o show || fail "does not build"
clang-19 -w show.c -o show.plain || fail "does not build"
clang-19 -w -fsanitize=address,undefined show.c -o show.asan || fail "does not build"

# --- recorded, and replayed on three builds ---
mkdir world && cd world || exit 2
mkdir -m 500 empty
mkdir 'a b'
printf 'one\ntwo' > 'a b/c.txt'
head -c 500 /dev/urandom > binary
printf x > "'q"
ln -s 'a b/c.txt' link
touch -d @1000000000 'a b/c.txt' && touch -d @86400 empty && chmod 640 binary && touch -d @1700000000 binary "'q"
# shellcheck disable=SC2034 # used by eval
odd=$(printf '\001-\303\244\n%%s\\"\377')
record() { # NAME SHELL-REDIRECTION
    rm -f made
    eval "X=x LC_ALL=C.UTF-8 \"\$tandem\" record --env X -o ../$1.tcase ../show -x \"\$odd\" '' \"it's \\\$HOME\" $2" > "../$1.real" 2> ../err
    [ $? = 45 ] || fail "$1: recorded with another status: $(cat ../err)"
    [ "$(cat ../err)" = told ] || fail "$1: record says something: $(cat ../err)"
}
record file '< binary'
record pipe '< <(head -c 300000 /dev/zero; echo end)'
record null '< /dev/null'
record closed '<&-'
umask 077 && record masked '< /dev/null' && umask 022
cd .. || exit 2
for name in file pipe null closed masked; do
    grep -q '^file "made"' "$name.tcase" && fail "$name: what the program made itself is in the test case"
    status 0 "$tandem" replay --quiet --update "$name.tcase" -- ./show
    grep -q '^path ' "$name.tcase" || fail "$name: no path after --update"
    for build in show show.plain show.asan; do
        status 0 "$tandem" replay "$name.tcase" --program "./$build"
        same "$name.real" out "$name on $build"
        grep -q '^told$' err || fail "$name: standard error is not shown"
        status 0 "$tandem" replay --quiet --expect "$name.tcase" -- "./$build"
        says 'as expected'
    done
done
[ "$(stat -c %s pipe.tcase)" -lt 450000 ] || fail "a binary input takes too much room"
status 0 "$tandem" record -o again.tcase true
"$tandem" record -o again2.tcase true
same again.tcase again2.tcase "one run recorded twice"

# Paths: the same twice, another with another input.
"$tandem" replay --quiet --path file.tcase -- ./show | sed 's/.*path //' > path1
"$tandem" replay --quiet --path file.tcase -- ./show | sed 's/.*path //' > path2
"$tandem" replay --quiet --path null.tcase -- ./show | sed 's/.*path //' > path3
same path1 path2 "the path of one test case"
grep -qE '^[0-9a-f]{16}$' path1 || fail "no path: $(cat path1)"
! cmp -s path1 path3 || fail "two inputs have one path"

# Different, and noticed.
sed 's/return 40/return 41/' show.c > other.c && clang-19 -w other.c -o other
status 70 "$tandem" replay --quiet --expect file.tcase -- ./other
says 'different: exit 45 was expected'
sed 's/umask %03o/mask %03o/' show.c > other.c && clang-19 -w other.c -o other
status 70 "$tandem" replay --quiet --expect file.tcase -- ./other
says 'different: another standard output'
status 70 "$tandem" replay --quiet --expect file.tcase -- ./show -y
sed 's/told/said/' show.c > other.c && "$cc" -w other.c -o other
status 70 "$tandem" replay --quiet --expect file.tcase -- ./other
says 'different: another standard error'
sed 's/int main.*/static int unused(int x) { return x ? 1 : 2; }\n&/' show.c > other.c && "$cc" -w other.c -o other
status 0 "$tandem" replay --quiet --expect file.tcase -- ./other
says 'note: .* another build'

# --- bugs ---
cat > bug.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	char *p = malloc(8);
	int c = getchar();
	if (c == 'o')
		p[getchar() - '0'] = 1;
	if (c == 'a')
		abort();
	if (c == 'l')
		for (;;)
			;
	free(p);
	return 0;
}
C
"$cc" -g bug.c -o bug && clang-19 -g bug.c -o bug.plain && clang-19 -g -fsanitize=address bug.c -o bug.asan || fail "does not build"
mkdir inputs && for input in o9 a l x; do printf '%s' "$input" > "inputs/$input"; done
status 0 "$tandem" import inputs -o seeds -- ./bug
says '^4 test cases in seeds'
status 10 "$tandem" replay seeds/a.tcase
says 'bug: SIGABRT'
status 10 "$tandem" replay --trace seeds/o9.tcase
says '==TANDEM: heap-overflow'
status 10 "$tandem" replay seeds/o9.tcase -- ./bug.asan
says 'bug: .*AddressSanitizer: heap-buffer-overflow'
status 0 "$tandem" replay seeds/x.tcase -- ./bug.asan
status 5 "$tandem" replay --time 1 seeds/l.tcase -- ./bug.plain
says 'stopped after 1'
printf o9 > o9
status 10 "$tandem" explore --stdin-file o9 --execs 3 --out found ./bug
case=$(echo found/crashes/heap-overflow-*.tcase)
for line in '^kind bug$' '^bug "heap-overflow"$' '^place "main at bug.c:8' '^frame "main at bug.c:8' '^build [0-9a-f]{16}$'; do
    grep -qE "$line" "$case" || fail "not in the test case: $line"
done
status 0 "$tandem" replay --expect "$case"
status 0 "$tandem" replay --expect found/crashes
status 0 "$tandem" replay --expect "$case" -- ./bug.asan
status 1 "$tandem" replay --update "$case" -- ./bug.asan
status 5 "$tandem" replay --expect "$case" -- ./bug.plain
says 'does not show on a plain build'
status 10 "$tandem" replay --update --quiet seeds/a.tcase seeds/x.tcase
status 10 "$tandem" replay --time 1 --json seeds
[ "$(wc -l < out)" = 4 ] && grep -q '"case":"seeds/a.tcase".*"end":"signal","code":6.*"bug":"SIGABRT"' out || fail "JSON: $(cat out)"
status 0 "$tandem" replay --expect --json seeds/a.tcase seeds/x.tcase
[ "$(grep -c '"expected":"same"' out)" = 2 ] || fail "JSON: $(cat out)"
status 5 "$tandem" replay --time 1 --expect seeds
says '^4 test cases: 2 as expected, .*without an answer'
cat > eat.c <<'C'
#include <stdlib.h>
#include <string.h>
int main(void) { char *p = malloc(200 << 20); if (!p) return 3; memset(p, 1, 200 << 20); return p[1 << 20]; }
C
clang-19 eat.c -o eat && "$tandem" record -o eat.tcase ./eat
status 0 "$tandem" replay eat.tcase
says 'exit 1 '
status 0 "$tandem" replay --memory 50 eat.tcase
says 'exit 3 '

# --- exported ---
status 0 "$tandem" export --format sh -o scripts file.tcase pipe.tcase null.tcase closed.tcase masked.tcase
if command -v shellcheck > /dev/null; then shellcheck scripts/*.sh > lint || fail "shellcheck: $(head -n 5 lint)"; fi
LC_ALL=C grep -qP '[^\x01-\x7f]' scripts/*.sh && fail "a script is not ASCII"
for name in file pipe null closed masked; do
    for shell in dash bash; do
        TMPDIR=$dir $shell "scripts/$name.sh" ./show.plain > out 2> err
        [ $? = 45 ] || fail "$name.sh by $shell: other status: $(cat err)"
        same "$name.real" out "$name.sh by $shell"
    done
done
ls -d "$dir"/tmp.* 2> /dev/null && fail "a script leaves its directory behind"
mkdir -p twice/a twice/b
cp file.tcase twice/a; cp pipe.tcase twice/b/file.tcase
status 0 "$tandem" export --format sh -o scripts2 twice
same scripts/file.sh scripts2/file.sh "the first of two of one name"
same scripts/pipe.sh scripts2/file-2.sh "the second"
status 0 "$tandem" export --format raw -o raw file.tcase
cmp -s raw/file/stdin world/binary && cmp -s raw/file/files/binary world/binary && [ "$(readlink raw/file/files/link)" = 'a b/c.txt' ] || fail "raw files: $(find raw)"
[ "$(tr '\0' '|' < raw/file/args)" = "-x|$odd||it's \$HOME|" ] || fail "raw arguments"

# --- AFL++ ---
status 0 "$tandem" export --format afl -o queue seeds
says "^afl-fuzz -i queue/queue -o OUT -- ./bug$"
[ "$(cat queue/queue/id:000000,*orig:a)" = a ] && [ "$(ls queue/queue | wc -l)" = 4 ] || fail "queue: $(ls queue/queue)"
mkdir -p afl/default/{queue/.state,crashes}
cp queue/queue/* afl/default/queue/ && printf a > afl/default/crashes/id:000000,sig:06,src:000001 && echo text > afl/default/crashes/README.txt && : > afl/default/queue/.hidden
status 0 "$tandem" import afl -o fromafl -- ./bug
says '^5 test cases in fromafl'
status 10 "$tandem" replay fromafl/id_000000_sig_06_src_000001.tcase
status 0 "$tandem" import --file in.txt queue -o fromfile -- ./show --file=@@ @@
grep -q '^arg "in.txt"$' fromfile/id_000001*.tcase && grep -q '^file "in.txt" .*size' fromfile/id_000001*.tcase || fail "@@: $(cat fromfile/id_000001*.tcase)"
status 0 "$tandem" export --format afl -o back fromfile
says "^afl-fuzz -i back/queue -o OUT -- ./show .*@@$"
for f in queue/queue/*; do cat "$f"; done > all1
for f in back/queue/*; do cat "$f"; done > all2
same all1 all2 "a queue imported and exported"

# arguments in front of standard input
printf 'a b\0-x\0\0in\0put' > with && printf 'open' > without && printf '\0in' > none
status 0 "$tandem" import --argv with without none -o fromargv -- ./show first
grep -h '^arg\|^stdin\||' fromargv/{with,without,none}.tcase > got
cat > wanted <<'C'
arg "./show"
arg "first"
arg "a b"
arg "-x"
stdin file size 6 text
|in\x00put\
arg "./show"
arg "first"
arg "open"
stdin file size 0
arg "./show"
arg "first"
stdin file size 2 text
|in\
C
same wanted got "arguments in front of standard input"

# --- coverage by gcc ---
gcc --coverage -O0 -o counted bug.c 2> err || fail "gcc --coverage: $(cat err)"
mkdir counts
status 0 "$tandem" replay --gcov counts fromargv --program ./counted
[ "$(find counts -name '*.gcda' | wc -l)" = 1 ] || fail "counts: $(find counts)"
status 1 "$tandem" replay --gcov nowhere fromargv --program ./counted

# --- KLEE ---
be() { printf '%b' "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)))"; }
text() { be ${#1}; printf %s "$1"; }
object() { text "$1"; be "$2"; printf '%b' "$3"; }
arguments() { be $#; for a; do text "$a"; done; }
# --sym-args 0 2 3 gave one, --sym-arg another; a file and standard input.
{
    printf KTEST; be 3; arguments show.bc --sym-args 0 2 3 fixed -sym-arg 2 A --sym-files 1 4 --sym-stdin 5; be 0; be 0; be 7
    object n_args 4 '\001\000\000\000'; object arg00 4 'ab\000\000'; object arg01 3 '-\377\000'
    object A-data 4 'f\000\001g'; object stdin 5 'hello'; object stdin-stat 3 'abc'; object model_version 4 '\001\000\000\000'
} > posix.ktest
{ printf 'BOUT\n'; be 1; arguments prog; be 2; object x 4 '\001\002\003\004'; object 'y z' 0 ''; } > old.ktest
mkdir klee-out-0 && cp posix.ktest klee-out-0/test000001.ktest && echo text > klee-out-0/info
status 0 "$tandem" import klee-out-0 old.ktest -o klee
says '^2 test cases in klee'
cat > wanted <<'C'
arg "show.bc"
arg "ab"
arg "fixed"
arg "-\xff"
arg "A"
stdin file size 5 text
|hello\
file "A" mode 0644 mtime 1577836800 size 4 text
|f\x00\x01g\
C
sed -n '/^arg/,/^end/p' klee/test000001.ktest.tcase | sed '$d' > is
same wanted is "KLEE's test case"
printf 'mark "x" size 4 text\n|\\x01\\x02\\x03\\x04\\\nmark "y z" size 0\n' > wanted
sed -n '/^mark/,/^end/p' klee/old.ktest.tcase | sed '$d' > is
same wanted is "marks of KLEE"
status 0 "$tandem" replay klee/test000001.ktest.tcase -- ./show.plain
says '^argument 3: 2d ff'
says '^stdin: 68 65 6c 6c 6f'
status 1 "$tandem" replay klee/old.ktest.tcase -- ./show.plain
says "mark 'x'.*only a build of tandem cc"

[ "$failures" = 0 ] && echo "cases: ok"
[ "$failures" = 0 ]
