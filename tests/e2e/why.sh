#!/bin/bash
# tandem why: a program that has every verdict, and what it is told about each. Its tests are a few inputs written here, so what they take is known.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "why: $*"; failures=$((failures + 1)); }

cat > puzzle.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int plain(int x);
void leave(void);
static int mode = 3;

static void deep(const unsigned char *b)
{
	if (b[3] == 'z')                        /* FAR */
		puts("deep");
}

void orphan(int x)
{
	if (x == 5)                             /* ORPHAN */
		puts("never called");
}

int main(void)
{
	unsigned char b[24];
	uint32_t p, q;
	if (read(0, b, sizeof b) != (ssize_t)sizeof b)
		return 1;
	if (b[0] == 'x')                        /* TAKEN */
		puts("x");
	if (b[0] < 'k' && b[1] < 'k')
		if (b[0] + b[1] > 250)              /* REFUTED */
			puts("never");
	if (mode == 4)                          /* CONCRETE */
		puts("four");
	int y = plain(b[2]);
	if (y == 77)                            /* LOST */
		puts("lucky");
	if (b[2] + y == 400)                    /* ASTRAY */
		puts("never: 4 * b[2] + 1 is odd");
	unsigned n = b[4] | b[5] << 8;
	if (n * n == 1522756u)                  /* POSSIBLE */
		puts("1234");
	if (b[6] == 'q' && b[7] == 'w')         /* GATE */
		deep(b);
	switch (b[8] & 3) {                     /* SWITCH */
	case 0: puts("zero"); break;
	case 1: puts("one"); break;
	case 7: puts("seven"); break;
	default: break;
	}
	if (b[9] == 'c')                        /* CRASH */
		__builtin_trap();
	memcpy(&p, b + 12, 4);
	memcpy(&q, b + 16, 4);
	if (p > 1 && q > 1 && (uint64_t)p * q == 7024814783739428729u) /* HARD: 3141592661 * 2236067989 */
		puts("factors");
	if (b[20] == 'e') {
		leave();
		if (b[21] == 'f')                   /* BEHIND */
			puts("never");
	}
	return 0;
}
C
cat > plain.c <<'C'
#include <stdlib.h>
int plain(int x) { return x * 3 + 1; }
void leave(void) { exit(3); }
C
clang-19 -O1 -c plain.c -o plain.o && "$cc" -g -O1 puzzle.c plain.o -o puzzle || exit 1
mkdir inputs
printf 'aaaabbbbcdddddddeeeeffff' > inputs/1
printf 'xaaabbbbaddd\001\002\003\004\005\006\007\010effff' > inputs/2
"$tandem" explore --seeds inputs --execs 2 --no-progress --out camp ./puzzle > explored 2>&1
[ "$(find camp/seeds -name '*.tcase' | wc -l)" = 2 ] || fail "the campaign: $(cat explored)"

line() { grep -n "/\* $1" puzzle.c | cut -d: -f1; }
# why KIND [OPTION...]: what is told about that line.
why() { "$tandem" why "puzzle.c:$(line "$1")" --out camp "${@:2}" > said 2> err || fail "$1: status $?: $(cat err)"; }
says() { grep -q -- "$1" said || fail "$(cat said)
does not say: $1"; }
never() { ! grep -q -- "$1" said || fail "$(cat said)
says: $1"; }

why TAKEN
says "^puzzle.c:$(line TAKEN):6 in main: a branch, reached by 2 of 2 test cases; in 2 of them its condition depends on the input$"
says '^    true: taken by 1 test case, such as camp/seeds/000002.tcase$'
says '^    false: taken by 1 test case, such as camp/seeds/000001.tcase$'

why REFUTED
says '^    true: refuted: impossible on 1 of 1 way to get here. On that of camp/seeds/000001.tcase it would take$'
says '^        .*stdin\[0\].*stdin\[1\].* > '
says "^        puzzle.c:$(($(line REFUTED) - 1)):17 main .*stdin\[0\] < 'k'"
says "^        puzzle.c:$(($(line REFUTED) - 1)):6 main .*stdin\[1\] < 'k'"
[ "$(grep -c '^        puzzle.c:' said)" = 2 ] || fail "what refutes it is not just two conditions: $(cat said)"

why CONCRETE
says '^    true: concrete: the condition does not depend on the input'
never lost

why LOST
says '^    true: concrete: the condition did not depend on the input\. What was lost'
says '^        argument of an unmodelled function (once)$'
says '^        neither instrumented nor modelled, and given data of the input in this run: plain$'

why ASTRAY
says '^    true: went elsewhere: '

why POSSIBLE --save kept.tcase
says '^    true: can be taken: the input below, made from camp/seeds/000001.tcase, was run and takes it\.$'
says 'stdin = "aaaa\\xd2\\x04bb'
says '^written to kept.tcase$'
"$tandem" cov --missed kept.tcase > covered 2>&1
! grep -q "^puzzle.c:$(line POSSIBLE):6 main: taken" covered && grep -q "^puzzle.c:$(line POSSIBLE):6 main: not taken" covered || fail "what was saved does not take it: $(cat covered)"

why GATE
says "^puzzle.c:$(line GATE):6 in main: a branch, never reached by any of 2 test cases$"
says "^        puzzle.c:$(line GATE):18 in main, side true$"
says "^puzzle.c:$(line GATE):18 in main: a branch, reached by "
says '^    true: can be taken: '

why FAR
says 'in deep: a branch, never reached by any of 2 test cases'
says "^        puzzle.c:$(line GATE):18 in main, side true (and 1 more branch behind it)$"
[ "$(grep -c '^        ' said)" = 1 ] || fail "more ways to it than there are: $(cat said)"

why ORPHAN
says 'never reached by any of 2 test cases'
says 'No branch that was reached leads here'

why BEHIND
says 'never reached by any of 2 test cases'
says 'All branches on the way were taken'
says "^        puzzle.c:$(($(line BEHIND) - 2)):6 in main, side true$"

why SWITCH
says '^    default: taken by '
says '^    case 1: taken by '
says '^    case 0: can be taken: '
says '^    case 7: refuted: '
says '^        (.*stdin\[8\] & 3.*) == 7$'
says '^      which is impossible by itself'

why CRASH
says '^    true: can be taken: .*; the run ends in a bug ('

why HARD --paths 1 --time 30
says '^    true: gave up: the solver did not come to an answer'

# One of several on a line; as JSON.
"$tandem" why "puzzle.c:$(line GATE):18" --out camp > said 2>&1
[ "$(grep -c '^puzzle.c' said)" = 1 ] || fail "one column: $(cat said)"
why REFUTED --json
python3 - <<'P' || fail "as JSON: $(cat said)"
import json
j = json.load(open('said'))
sides = {s['side']: s for s in j['branches'][0]['sides']}
assert sides['false']['verdict'] == 'taken' and sides['false']['tests'] == 1
assert sides['true']['verdict'] == 'refuted' and len(sides['true']['because']) == 2 and j['tests'] == 2
P
why FAR --json
python3 -c "import json; j = json.load(open('said'))['branches'][0]; assert j['sides'][0]['verdict'] == 'never reached' and j['on_the_way'][0]['line'] == $(line GATE)" || fail "as JSON: $(cat said)"

# The campaign is left as it was.
"$tandem" explore --resume --execs 1 --out camp > resumed 2>&1
grep -q '^going on with camp: 2 runs' resumed || fail "it changed the campaign: $(cat resumed)"

# An exploration may be at work on it.
cp -r camp busy
"$tandem" explore --resume --go-on --time 20 --out busy > busy.txt 2>&1 &
pid=$!
for ((i = 0; i < 100; i++)); do [ "$(find busy/tests -name '*.tcase' | wc -l)" -gt 2 ] && break; sleep 0.05; done
"$tandem" why "puzzle.c:$(line CONCRETE)" --out busy > said 2>&1 || fail "while it is explored: $(cat said)"
says '^    true: concrete: '
kill -INT "$pid"
wait "$pid"

# Names of the file, and what is wrong with them.
for name in ./puzzle.c "$dir/puzzle.c"; do
    "$tandem" why "$name:$(line TAKEN)" --out camp > said 2>&1 || fail "$name: $(cat said)"
done
wrong() { "$tandem" why "${@:2}" > said 2> err; [ $? = 1 ] && [ "$(wc -l < err)" = 1 ] && [ ! -s said ] && grep -q -- "$1" err || fail "${*:2}: $(cat said err)"; }
wrong "there is no branch in puzzle.c:$(($(line TAKEN) + 1)); the nearest is in line $(line TAKEN)" "puzzle.c:$(($(line TAKEN) + 1))" --out camp
wrong "no branch of .* is in a file 'zzle.c'; there are branches in puzzle.c" zzle.c:3 --out camp
wrong 'begins in column 99' "puzzle.c:$(line TAKEN):99" --out camp
wrong 'there is no exploration in it' puzzle.c:3 --out nowhere
wrong 'tandem-out: there is no exploration' puzzle.c:3
"$tandem" why puzzle.c --out camp > said 2> err
[ $? = 1 ] && grep -q "'puzzle.c' is no FILE:LINE" err || fail "no line: $(cat err)"
sed 's/1234/12345/' puzzle.c > changed.c && "$cc" -g -O2 changed.c plain.o -o puzzle
wrong 'another build' puzzle.c:3 --out camp
rm puzzle
wrong 'the program that camp is about' puzzle.c:3 --out camp

[ "$failures" = 0 ] && echo "why: ok"
[ "$failures" = 0 ]
