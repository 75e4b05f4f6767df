#!/bin/bash
# Sites in shared libraries have names: linked or loaded later, in whatever order, before the fork server forks or after. A library
# that is gone or was replaced has none, and that is said once; never is there a wrong name. All inputs are those written here.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "modules: $case: $*"; failures=$((failures + 1)); }
builds() { "$@" > log 2>&1 && [ ! -s log ] || fail "$*: $(head -n 5 log)"; }

# traced PROGRAM ARGUMENT...: its trace is in `trace`, what tandem says in `said`.
traced() { timeout 20 "$tandem" trace --verify "$@" > trace 2> said < stdin || fail "tandem trace $*: status $?: $(head -n 3 said)"; }
has() { grep -qE -- "$1" "${2:-trace}" || fail "not in the ${2:-trace}: $1: $(cat said; head -n 8 "${2:-trace}")"; }
has_not() { ! grep -E -- "$1" "${2:-trace}" > unwanted || fail "in the ${2:-trace}: $(head -n 3 unwanted)"; }
silent() { [ ! -s said ] || fail "tandem says: $(head -n 3 said)"; }

printf 'xp\n' > stdin

# Two libraries with functions and files of the same name, and a program that loads them late: in the order of its arguments.
mkdir one two
cat > one/check.c <<'C'
static int same(int c) { if (c == 'o') return 1; return 0; }
int one_check(const char *s) { return same(s[0]) + 10; }
C
cat > two/check.c <<'C'
/* Longer. */
static int unused(int c) { if (c == '?') return 1; if (c == '!') return 2; return 0; }
static int same(int c) { if (c == 't') return 1; return unused(c); }
int two_check(const char *s) { return same(s[0]) + 20; }
C
cat > late.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
static int use(const char *name, const char *text)
{
	char path[4096], function[64];
	snprintf(path, sizeof path, "%s/lib%s.so", DIR, name);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return -1;
	snprintf(function, sizeof function, "%s_check", name);
	int result = ((int (*)(const char *))dlsym(library, function))(text);
	dlclose(library);
	return result;
}
int main(int argc, char **argv)
{
	char line[16] = "";
	if (!fgets(line, sizeof line, stdin))
		return 1;
	for (int i = 1; i < argc; i++)
		printf("%d\n", use(argv[i], line));
	return 0;
}
C
cat > both.c <<'C'
#include <stdio.h>
int one_check(const char *s);
int two_check(const char *s);
int main(void)
{
	char line[16] = "";
	if (!fgets(line, sizeof line, stdin))
		return 1;
	if (line[1] == 'p')
		puts("program");
	printf("%d %d\n", one_check(line), two_check(line));
	return 0;
}
C
libraries() { # FLAGS...
    for l in one two; do builds "$cc" -O1 "$@" -fPIC -shared "$l/check.c" -o "lib$l.so"; done
}
# All three names, each with its own condition.
names() {
    has "one/check.c:1:[0-9]+ same +(not )?taken .*stdin\[0\].* 'o'"
    has "two/check.c:3:[0-9]+ same +(not )?taken .*stdin\[0\].* 't'"
    has_not '^(\?|site )'
    silent
}

case="two libraries, linked"
for flags in "" "-Wl,-Bsymbolic" "-s" "-Wl,--build-id=none,--gc-sections"; do
    # shellcheck disable=SC2086
    libraries $flags
    for order in "-lone -ltwo" "-ltwo -lone"; do
        # shellcheck disable=SC2086
        builds "$cc" both.c -L. $order -Wl,-rpath,"$dir" -o both
        traced ./both
        has "both.c:9:[0-9]+ main +taken .*stdin\[1\] == 'p'"
        names
    done
done
libraries

case="two libraries found through LD_LIBRARY_PATH, also a relative one"
builds "$cc" both.c -L. -lone -ltwo -o both
mkdir elsewhere
cp libone.so libtwo.so elsewhere
LD_LIBRARY_PATH=$dir/elsewhere traced --no-sandbox ./both
names
LD_LIBRARY_PATH=elsewhere traced --no-sandbox ./both
names
LD_LIBRARY_PATH=/nowhere:elsewhere traced ./both
names
LD_LIBRARY_PATH=$dir/elsewhere traced --no-sandbox --json ./both
has "\"path\":\"$dir/elsewhere/libtwo.so\""
has '"module":2,'

case="a path that is relative to where the program went"
cat > goes.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	char line[16] = "";
	void *library = chdir("elsewhere") || !fgets(line, sizeof line, stdin) ? 0 : dlopen("./libmoved.so", RTLD_NOW);
	return library ? ((int (*)(const char *))dlsym(library, "one_check"))(line) > 99 : 1;
}
C
cp libone.so elsewhere/libmoved.so
builds "$cc" goes.c -o goes
traced --no-sandbox ./goes
has "one/check.c:1:[0-9]+ same +not taken .*stdin\[0\].* 'o'"
silent

case="no libraries, static"
builds "$cc" -static both.c one/check.c two/check.c -o both
traced ./both
names

case="loaded late, in either order, more than once"
builds "$cc" -DDIR="\"$dir\"" late.c -o late
for order in "one two" "two one" "one two one two one"; do
    # shellcheck disable=SC2086
    traced ./late $order
    names
done

# The order of loading depends on the input, so sites must keep their numbers over the runs of the fork server: predict compares them.
case="loaded after the fork"
cat > choice.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
static int use(const char *path, const char *function, const char *text)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	return library ? ((int (*)(const char *))dlsym(library, function))(text) : -1;
}
int main(void)
{
	char line[16] = "";
	int sum = 0;
	if (!fgets(line, sizeof line, stdin))
		return 1;
	if (line[1] == 'A')
		sum = use(DIR "/libone.so", "one_check", line) * 100 + use(DIR "/libtwo.so", "two_check", line);
	else
		sum = use(DIR "/libtwo.so", "two_check", line) + use(DIR "/libone.so", "one_check", line) * 100;
	if (sum == 1021 && line[2] == 'x')
		abort();
	return 0;
}
C
builds "$cc" -DDIR="\"$dir\"" choice.c -o choice
printf 'oAx\n' > start
timeout 60 "$tandem" predict --pairs 40 --stdin-file start ./choice > trace 2> said || fail "predict: status $?: $(cat said trace)"
has '^wrong 0, bad traces 0'
timeout 60 "$tandem" explore --stdin 4 --time 30 ./choice > trace 2> said
[ $? = 10 ] || fail "explore: $(cat said trace)"
has '^bug: SIGABRT'
silent

# Each run loads one of the two libraries: both would be the first one if numbers were not kept.
case="either library after the fork"
cat > either.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
static int use(const char *path, const char *function, const char *text)
{
	return ((int (*)(const char *))dlsym(dlopen(path, RTLD_NOW | RTLD_LOCAL), function))(text);
}
int main(void)
{
	char line[16] = "";
	fgets(line, sizeof line, stdin);
	if (line[1] == 'A')
		return use(DIR "/libone.so", "one_check", line) > 99;
	return use(DIR "/libtwo.so", "two_check", line) > 99;
}
C
builds "$cc" -w -DDIR="\"$dir\"" either.c -o either
timeout 60 "$tandem" explore --stdin 4 --execs 200 ./either > trace 2> said
has ' 10 of 10 sides of branches taken'
silent

case="coverage counts libraries"
cat > count.c <<'C'
int one_check(const char *s);
int main(int argc, char **argv) { return one_check(argv[argc - 1]) > 99; }
C
builds "$cc" count.c -L. -lone -Wl,-rpath,"$dir" -o count
timeout 60 "$tandem" explore --time 10 ./count x > trace 2> said
has ' 2 of 2 sides of branches taken'
silent

case="a replaced library"
builds "$cc" both.c -L. -lone -ltwo -Wl,-rpath,"$dir" -o both
cat > swap.c <<'C'
#include <stdio.h>
int one_check(const char *s);
int two_check(const char *s);
int main(int argc, char **argv)
{
	char line[16] = "";
	if (argc < 3 || rename(argv[1], argv[2]) || !fgets(line, sizeof line, stdin))
		return 1;
	printf("%d %d\n", one_check(line), two_check(line));
	return 0;
}
C
builds "$cc" swap.c -L. -lone -ltwo -Wl,-rpath,"$dir" -o swap
sed 's/unused/edited/' two/check.c > two/other.c # a name of the same length
# other facts; no facts; half a file
builds "$cc" -O1 -fPIC -shared two/other.c -o changed.so
builds clang-19 -O1 -fPIC -shared two/check.c -o plain.so
head -c 3000 libtwo.so > cut.so
for new in changed.so plain.so cut.so; do
    libraries
    cp $new new.so
    traced --no-sandbox ./swap "$dir/new.so" "$dir/libtwo.so"
    has "one/check.c:1:[0-9]+ same +(not )?taken .*'o'"
    has "^\? libtwo.so +not taken .*stdin\[0\].*'t'"
    has_not 'two/check.c'
    [ "$(wc -l < said)" = 1 ] || fail "$new: not one note: $(cat said)"
    has "^tandem: note: branches in $dir/libtwo.so have no names: the file is not the one that was loaded\$" said
done
libraries
cp libtwo.so new.so
traced --no-sandbox ./swap "$dir/new.so" "$dir/libtwo.so" # another file, but the same build
names

case="a library that is gone"
traced --no-sandbox ./swap "$dir/libtwo.so" "$dir/moved.so"
has "^\? libtwo.so +not taken .*stdin\[0\].*'t'"
[ "$(wc -l < said)" = 1 ] || fail "not one note: $(cat said)"
has "^tandem: note: branches in $dir/libtwo.so have no names: No such file or directory\$" said
libraries
timeout 20 "$tandem" trace --json --no-sandbox ./swap "$dir/libtwo.so" "$dir/moved.so" > trace 2> said < stdin
has '"note":"branches in .*libtwo.so have no names: No such file or directory"'

case="the same objects, linked in another order"
libraries
builds "$cc" -O1 -c -fPIC one/check.c -o one.o
builds "$cc" -O1 -c -fPIC two/check.c -o two.o
builds "$cc" -shared one.o two.o -o libtwo.so
builds "$cc" -shared two.o one.o -o new.so
traced --no-sandbox ./swap "$dir/new.so" "$dir/libtwo.so"
has "^\? libtwo.so +not taken .*'t'"
has_not 'two/check.c'

[ "$failures" = 0 ] && echo "modules: ok"
[ "$failures" = 0 ]
