#!/bin/bash
# Who links: objects of tandem-cc in programs and shared libraries that others link run natively and right, what tandem-cc links
# is traced whatever it is made of, and `tandem trace` says what is wrong with a program that has no runtime. All inputs are
# those written here.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "links: $*"; failures=$((failures + 1)); }

# runs TEXT COMMAND...: it prints exactly that and ends with status 0.
runs() {
    local text=$1 said status
    shift
    said=$(timeout 10 "$@" 2>&1 < /dev/null)
    status=$?
    [ "$status" = 0 ] && [ "$said" = "$text" ] || fail "$case: $*: status $status, said: $said"
}

# traces PATTERN PROGRAM ARGUMENT...: a line of its trace matches, and the terms agree with their values.
traces() {
    local pattern=$1
    shift
    timeout 20 "$tandem" trace --verify "$@" > trace 2>&1 < /dev/null || fail "$case: tandem trace $*: status $?: $(head -n 3 trace)"
    grep -qE "$pattern" trace || fail "$case: not in the trace of $*: $pattern: $(head -n 8 trace)"
}

# refuses TEXT PROGRAM: one line that says so.
refuses() {
    "$tandem" trace "$2" > out 2> err < /dev/null && fail "$case: tandem trace $2 has nothing against it"
    [ "$(wc -l < err)" = 1 ] && grep -q "$1" err || fail "$case: tandem trace $2 says: $(cat err)"
}

# builds COMMAND...: without a word.
builds() { "$@" > log 2>&1 && [ ! -s log ] || fail "$case: $*: $(head -n 5 log)"; }

cat > word.h <<'C'
#ifdef __cplusplus
extern "C" {
#endif
int word_kind(const char *word);
int (*word_compare(void))(const char *, const char *);
#ifdef __cplusplus
}
#endif
C
cat > word.c <<'C'
#include "word.h"
#include <string.h>
static int (*const compare)(const char *, const char *) = strcmp;
int word_kind(const char *word)
{
	if (strlen(word) != 4)
		return 1;
	if (compare(word, "word") != 0) {
		__asm__ volatile(""); /* a branch, and not a choice of values */
		return 3;
	}
	return 2;
}
int (*word_compare(void))(const char *, const char *) { return compare; }
C
cat > main.c <<'C'
#include "word.h"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
	printf("%d %d\n", word_kind(argc > 1 ? argv[1] : ""), word_compare() == strcmp);
	return 0;
}
C
cp main.c main.cc
cxx=g++
command -v g++ > /dev/null || cxx=clang++-19
$cxx -c main.cc -o main_cxx.o || exit 2
case=objects
for f in main word; do
    builds "$cc" -O2 -c $f.c
    builds "$cc" -O2 -fPIC -c $f.c -o $f.pic.o
    builds "$cc" -O2 -fno-pie -c $f.c -o $f.nopie.o
done

case="C++ main, linked by $cxx"
builds $cxx main_cxx.o word.o -o program
runs "2 1" ./program word
runs "1 1" ./program other
refuses 'was compiled by tandem cc but linked without it' ./program

case="main by tandem-cc, linked by clang-19 and gcc"
for flags in "" "-no-pie" "-static" "-static-pie" "-Wl,--gc-sections,-z,now"; do
    objects="main.o word.o"
    [ "$flags" = -no-pie ] && objects="main.nopie.o word.nopie.o"
    for linker in clang-19 gcc; do
        # shellcheck disable=SC2086
        builds $linker $flags $objects -o program
        runs "2 1" ./program word
        runs "3 1" ./program work
        refuses 'was compiled by tandem cc but linked without it' ./program
    done
done

case="ld -r, linked by tandem-cc"
builds ld -r main.o word.o -o both.o
builds "$cc" both.o -o program
runs "2 1" ./program word
traces 'word_kind +taken .*argv\[1\]\[0\]' ./program work
builds clang-19 both.o -o program
runs "2 1" ./program word
builds "$cc" -r main.o word.o -o both.o
objcopy --localize-hidden both.o
builds "$cc" both.o -o program
traces 'word_kind +taken .*argv\[1\]\[0\]' ./program work

case="shared library by tandem-cc in a program by $cxx"
builds "$cc" -shared -Wl,-z,defs word.pic.o -o libword.so
builds $cxx main_cxx.o -L. -lword -Wl,-rpath,"$dir" -o program
runs "2 1" ./program word
runs "2 1" env TANDEM=7 ./program word
refuses 'was not built with tandem cc' ./program
builds $cxx main.o -L. -lword -Wl,-rpath,"$dir" -o program
runs "2 1" ./program word
refuses 'was compiled by tandem cc but linked without it' ./program

# The library finds the runtime of the program, whatever its linker was told about symbols.
case="shared library by others in a program by tandem-cc"
echo '{ global: word_*; local: *; };' > script
for flags in "" "-Wl,-Bsymbolic" "-Wl,--version-script=script" "-Wl,-z,defs,-z,now"; do
    for linker in "$cc" $cxx; do
        # shellcheck disable=SC2086
        builds $linker -shared $flags word.pic.o -o libword.so
        builds "$cc" main.o -L. -lword -Wl,-rpath,"$dir" -o program
        runs "2 1" ./program word
        traces 'word_kind +taken .*argv\[1\]\[0\]' ./program work
    done
done

case="functions of a library's own under a library name"
cat > own.c <<'C'
int getline(char *to, int max) { return to[0] == 'q' ? max : -max; }
C
cat > uses.c <<'C'
#include <string.h>
int getline(char *to, int max);
int word_kind(char *word) { return getline(word, 3); }
int (*word_compare(void))(const char *, const char *) { return strcmp; }
C
builds "$cc" -w -fPIC -shared own.c uses.c -o libword.so
builds "$cc" main.c -L. -lword -Wl,-rpath,"$dir" -o program
runs "3 1" ./program quick
traces 'taken .*argv\[1\]\[0\]' ./program quick
runs "3 1" "$tandem" trace --quiet ./program quick

case="libraries that come and go, and a child"
cat > loads.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static int kind(const char *word)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return -1;
	int (*f)(const char *) = (int (*)(const char *))dlsym(library, "word_kind");
	int result = f(word);
	dlclose(library);
	return result;
}
int main(int argc, char **argv)
{
	int sum = 0, status = 0;
	for (int i = 0; i < 100; i++)
		sum += kind(argv[argc - 1]);
	if (fork() == 0)
		_exit(kind(argv[argc - 1]));
	wait(&status);
	printf("%d %d\n", sum, WEXITSTATUS(status));
	return 0;
}
C
builds "$cc" -shared word.pic.o -o libword.so
builds "$cc" -DLIBRARY="\"$dir/libword.so\"" loads.c -o program
runs "200 2" ./program word
runs "200 2" "$tandem" trace --quiet ./program word
traces 'word_kind +taken .*argv\[1\]\[0\]' ./program work
builds clang-19 -DLIBRARY="\"$dir/libword.so\"" loads.c -o program
runs "200 2" ./program word

case="marks without a runtime"
cat > marks.c <<'C'
#include <stdio.h>
#include <tandem.h>
int main(int argc, char **argv)
{
	tandem_symbolic(&argc, sizeof argc, "argc");
	tandem_assume(argc < 3);
	puts(argv[argc - 1]);
	return 0;
}
C
builds "$cc" -I"$root/runtime" -c marks.c
builds clang-19 marks.o -o program
runs "a" ./program a
runs "" ./program a b

case="pointers, linked by clang-19"
clang-19 -c -fPIC "$programs/parts/pointers_plain.c" -o plain_part.o
builds "$cc" -w -c "$programs/pointers.c" "$programs/parts/pointers_other.c"
builds clang-19 pointers.o pointers_other.o plain_part.o -o program
runs $'1 1 1\n1 1\nwork\nk' ./program work Key

[ "$failures" = 0 ] && echo "links: ok"
[ "$failures" = 0 ]
