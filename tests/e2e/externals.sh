#!/bin/bash
# Functions without a model. A link tells of them if it was asked to, and says nothing else, since scripts that probe a compiler take any line for a
# warning; a run counts what symbolic data they got, by name; `tandem trace` shows both. What has a model or a row of effects, and what the
# program defines itself, in whatever file, is not among them.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "externals: $*"; failures=$((failures + 1)); }

cat > other.c <<'C'
#include <regex.h>
int own(const char *s) { regex_t r; return regcomp(&r, s, 0) == 0; }
C
cat > main.c <<'C'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int own(const char *s);
int main(int argc, char **argv)
{
	char b[16] = "", c[16] = "", d[16] = "", e[16] = "";
	struct in_addr a;
	char *(*fry)(char *) = argc > 5 ? NULL : strfry;
	if (read(0, b, 3) != 3)
		return 1;
	memcpy(c, b, 4), memcpy(d, b, 4), memcpy(e, b, 4);
	if (own(b))
		printf("%s\n", b);
	for (int i = 0; i < 2; i++)
		inet_aton(c, &a);
	srand((unsigned)d[0]);
	fry(d);
	return access(e, F_OK) == 0;
}
C

"$cc" -w main.c other.c -o program > said 2>&1 && [ ! -s said ] || fail "an ordinary link says: $(cat said)"
"$cc" -w main.c other.c -o program --tandem-externals 2> said
[ "$(cat said)" = 'tandem-cc: note: 3 functions without a model: inet_aton regcomp srand' ] || fail "asked for: $(cat said)"
"$cc" -w -c main.c other.c --tandem-externals 2> said && [ ! -s said ] || fail "nothing was linked: $(cat said)"
"$cc" -w -static main.c other.c -o static --tandem-externals=all 2> said
grep -q ' 3 functions without a model: inet_aton regcomp srand$' said || fail "static: $(cat said)"

# More than a few: the line ends, the option lists all.
for i in 1 2 3 4 5 6 7 8 9; do echo "void many$i(void);"; done > many.c
for i in 1 2 3 4 5 6 7 8 9; do echo "void many$i(void) {}"; done > plain.c
{ echo 'int main(void) {'; for i in 1 2 3 4 5 6 7 8 9; do echo "many$i();"; done; echo 'return 0; }'; } >> many.c
clang-19 -w -c plain.c && "$cc" -w many.c plain.o -o many --tandem-externals 2> said
grep -q ': 9 functions without a model: many1 .* many8 \.\.\.$' said || fail "a few of many: $(cat said)"
"$cc" -w many.c plain.o -o many --tandem-externals=all 2> said
grep -q ' many8 many9$' said || fail "all of many: $(cat said)"

# row NAME: its line of the table.
row() { sed -n "s/^$1  *//p" trace | tr -s ' '; }
for program in program static; do
    printf 'ab[' > input
    timeout 20 "$tandem" trace --stats --stdin=input "./$program" > trace 2> stats
    [ "$(row inet_aton)" = '1 0 3' ] || fail "$program: inet_aton, whose second call gets what the first has had: $(row inet_aton)"
    [ "$(row regcomp)" = '1 0 3' ] || fail "$program: regcomp: $(row regcomp)"
    [ "$(row srand)" = '1 1 0' ] || fail "$program: srand: $(row srand)"
    [ "$(row access)" = '1 0 3' ] || fail "$program: access, whose effects are known: $(row access)"
    [ "$(row '(through a pointer)')" = '1 0 3' ] || fail "$program: a pointer: $(row '(through a pointer)')"
    grep -qx 'symbolic data went to srand: calls 1, values 1, bytes 0' stats || fail "$program: --stats: $(grep went stats)"
    grep -qx 'functions without a model: 3: inet_aton regcomp srand' stats || fail "$program: --stats: $(grep model: stats)"
    timeout 20 "$tandem" trace --json --stdin=input "./$program" 2> /dev/null > json
    grep -q '"calls":1,"values":1,"bytes":0,"function":"srand"' json || fail "$program: --json: $(grep unmodelled json)"
done

# A call that a model hands on to the library as a whole, and a conversion that it does.
cat > handed.c <<'C'
#include <stdio.h>
#include <wchar.h>
int main(int argc, char **argv)
{
	char b[64];
	wchar_t w[8] = L"";
	sscanf(argv[1], "%5ls", w);
	snprintf(b, sizeof b, "%ls %s", w, argv[2]);
	return 0;
}
C
"$cc" -w handed.c -o handed
timeout 20 "$tandem" trace ./handed abc def > trace 2>&1
[[ "$(row vsscanf)" == '1 0 '* ]] || fail "a format that is not understood, scanned: $(row vsscanf)"
[[ "$(row vsnprintf)" == '1 0 '* ]] || fail "a format that is not understood, printed: $(row vsnprintf)"
timeout 20 "$tandem" trace --nothing-symbolic --stdin=input ./program > trace 2>&1
! grep -q 'symbolic data went to' trace || fail "nothing is symbolic, and yet: $(grep -A3 went trace)"
[ $failures = 0 ]
