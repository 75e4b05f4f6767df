#!/bin/bash
# Coverage tells of every branch, symbolic or not: on all programs of tests/differential it is the same whichever side of a function runs (as it comes, all on
# the concrete side, all on the symbolic side), what the recorded branches say, and what a build says in which each edge has a mark of its own. Their inputs are those written in them, in the sandbox.
set -uo pipefail
given=$(realpath "$(dirname "$0")/../given.sh")
. "$(dirname "$0")/../workshop.sh"
. "$given"

fail() { echo "coverage: $*"; failures=$((failures + 1)); }
failures=0 compared=0

# sides TRACE: "place function: side" of each branch of the program that was recorded, once. Switches are seen to by place alone.
recorded() {
    sed -n 's/^\([^ ]*:[0-9]*:[0-9]*\) \([^ ]*\)  *\(taken\|not taken\) .*/\1 \2: \3/p; s/^\([^ ]*:[0-9]*:[0-9]*\) \([^ ]*\)  *switch .*/\1 \2: switch/p' "$1" |
        grep -v '^models/' | sort -u
}
# the same of what coverage says; selects are no events
covered() {
    sed '1,/--- coverage ---$/d' "$1" | grep -v ' (select): ' |
        awk -F': ' '{ n = split($2, sides, ", "); for (i = 1; i <= n; i++) print $1 ": " (sides[i] ~ /^(case|default)/ ? "switch" : sides[i]) }' | sort -u
}
only_coverage() { sed '1,/--- coverage ---$/d' "$1"; }

for source in "$root"/tests/differential/programs/*.c; do
    name=$(basename "$source" .c)
    eval "set -- $(sed -n 's|^// args: \{0,1\}||p' "$source")"
    printf '%b' "$(sed -n 's|^// stdin: \{0,1\}||p' "$source")" > input
    given_read "$source"
    "$cc" -O2 -w "$source" -o program -lm 2> log || { fail "$name does not compile: $(head -n 2 log)"; continue; }
    run() { timeout 60 "$tandem" trace --coverage "${given_options[@]}" --stdin=input "${@:2}" > "$1" 2> /dev/null; }
    run all --all-branches ./program "$@"
    run mixed --quiet ./program "$@"
    run concrete --quiet --nothing-symbolic ./program "$@"
    [ -n "$(only_coverage all)" ] || fail "$name: no coverage"
    [ "$(only_coverage all)" = "$(only_coverage mixed)" ] || fail "$name: not as with all branches: $(diff <(only_coverage all) <(only_coverage mixed) | head -n 3)"
    [ "$(only_coverage all)" = "$(only_coverage concrete)" ] || fail "$name: not as on the concrete side: $(diff <(only_coverage all) <(only_coverage concrete) | head -n 3)"
    recorded all > events
    covered all > taken
    "$cc" -O2 -w --tandem-mark-all "$source" -o program -lm 2> log || fail "$name does not compile with all marks: $(head -n 2 log)"
    run marked --quiet ./program "$@"
    [ "$(only_coverage all)" = "$(only_coverage marked)" ] || fail "$name: not as with all marks: $(diff <(only_coverage all) <(only_coverage marked) | head -n 3)"
    cmp -s events taken || fail "$name: not what was recorded: $(diff events taken | head -n 3)"
    compared=$((compared + $(wc -l < taken)))
done
[ "$compared" -gt 500 ] || fail "only $compared sides compared"

case="a library"
cat > part.c <<'C'
int part(int c) { return c == 'x' ? 1 : c > 'y' && c < 127; }
C
cat > whole.c <<'C'
#include <stdio.h>
int part(int c);
int main(void) { int n = 0, c; while ((c = getchar()) != EOF) if (part(c)) n++; return n == 7; }
C
printf 'axz' > input
"$cc" -O2 -shared -fPIC part.c -o libpart.so && "$cc" -O2 whole.c -o whole -L. -lpart -Wl,-rpath,"$dir" || fail "$case does not build"
timeout 20 "$tandem" trace --quiet --coverage --stdin=input ./whole > said 2> /dev/null
for line in 'part.c:1:[0-9]* part: not taken, taken' 'whole.c:3:[0-9]* main: not taken, taken'; do
    grep -qx "$line" said || fail "$case: no '$line' in: $(cat said)"
done

# A function that is inlined on the concrete side and called with constants: its branches are folded there, but were taken all the same.
case="constant arguments"
cat > folded.c <<'C'
#include <stdio.h>
static int scale(int c, int by) {
	if (by > 3) {
		if (c > 'a') return 1;
		return 7;
	}
	int n = by ? c : 2;
	switch (by) { case 1: n++; break; case 2: n--; }
	return n;
}
/* What is asked here is what the caller has asked already. */
static int twice(int yes) { if (yes) return puts("x"); return 5; }
int main(void) { int c = getchar(); return scale(c, 5) + scale(c, 1) + twice(c > 'b' ? 1 : 0) == 0; }
C
printf 'b' > input
"$cc" -O2 folded.c -o folded || fail "$case: does not build"
timeout 20 "$tandem" trace --quiet --coverage --all-branches --stdin=input ./folded > all 2> /dev/null
timeout 20 "$tandem" trace --quiet --coverage --nothing-symbolic --stdin=input ./folded > concrete 2> /dev/null
grep -q 'scale: not taken, taken$' all && grep -q 'twice: not taken$' all || fail "$case: $(cat all)"
cmp -s all concrete || fail "$case: not as on the concrete side: $(diff all concrete | head -n 3)"

# Many cases that lead to the same place: one mark in front of the switch, by a table of what lies close together.
case="cases"
cat > cases.c <<'C'
#include <stdio.h>
int main(void) {
	int c, n = 0;
	while ((c = getchar()) != EOF) {
		switch ((signed char)c) { case 'a': case 'b': case 'c': case 'd': case 'e': n++; break; case 'x': n += 2; break; case -3: case -5: case -7: n--; }
		switch (c) { case 'a': case 'b': case 'd': case 'e': case 'f': n++; break; case 'h': n += 2; break; default: n--; }
		switch ((long)c << 40) { case 97L << 40: case (97L << 40) + 1: case (97L << 40) + 2: case (97L << 40) + 3: case (97L << 40) + 5: n += 7; }
	}
	return n == 99;
}
C
"$cc" -O2 --tandem-dump=cases.ll cases.c -o few && "$cc" -O2 --tandem-mark-all cases.c -o every || fail "$case: does not build"
grep -q '@td.cases' cases.ll || fail "$case: there is no table"
for input in 'abxh\375g' 'f' 'cz' 'gh\373'; do
    printf "$input" > input
    for side in --quiet --nothing-symbolic --all-branches; do
        for program in few every; do
            timeout 20 "$tandem" trace --quiet --coverage $side --stdin=input ./$program > $program.said 2> /dev/null
        done
        cmp -s few.said every.said || fail "$case ($input, $side): not as with all marks: $(diff few.said every.said | head -n 3)"
    done
done
grep -q ' main: default, case 104$' every.said || fail "$case: $(cat every.said)"

# Runs that end between an edge and the site that tells of it.
case="a run that ends"
cat > ends.c <<'C'
#include <stdlib.h>
struct list { int n; struct list *next; };
int main(int argc, char **argv) {
	int zero = argc - 1, few[4] = {0}, *at = few;
	struct list end = {0, 0}, *l = &end;
	char which = argv[1][0];
	for (int i = 0; i < 3; i++)
		if (which == 'n' && i == 2 && l->next->n == 7) return 1;
	if (which == 'b') {
		if (at[zero + 5] == 7) return 1;
	} else if (which == 'd') {
		if (3 / (zero - 1) == 7) return 1;
	} else if (which == 'c') {
		if (which != 'd') exit(3);
		if (zero == 5) return 2;
	}
	return 0;
}
C
"$cc" -O2 ends.c -o few && "$cc" -O2 --tandem-mark-all ends.c -o every || fail "$case: does not build"
for which in n b d c; do
    for side in --quiet --nothing-symbolic --all-branches; do
        for program in few every; do
            timeout 20 "$tandem" trace --quiet --coverage $side ./$program $which > $program.said 2> /dev/null
        done
        grep -q ' main: ' few.said || fail "$case: no coverage: $(cat few.said)"
        cmp -s few.said every.said || fail "$case ($which, $side): not as with all marks: $(diff few.said every.said | head -n 3)"
    done
done

[ "$failures" = 0 ] && echo "coverage: ok ($compared sides)"
exit $((failures > 0))
