#!/bin/bash
# What an exploration starts from: counts and sizes, KLEE's spellings of them, test cases, raw files, AFL++'s queues; and --once, which stops after the first.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "seeds: $*"; failures=$((failures + 1)); }

cat > args.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "-x") == 0 && strcmp(argv[2], "boom") == 0)
		abort();
	FILE *f = fopen("in.txt", "r");
	if (f && getc(f) == 'Q' && getc(f) == 'R')
		puts("QR");
	if (argc > 3)
		puts("many");
	return 0;
}
C
cat > reader.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	FILE *f = argc > 1 ? fopen(argv[1], "r") : stdin;
	char b[8] = "";
	if (!f || fread(b, 1, 4, f) < 2)
		return 1;
	if (b[0] == 'o' && b[1] == 'k' && b[2] == '!')
		abort();
	return 0;
}
C
"$cc" -g -O1 args.c -o args && "$cc" -g -O1 reader.c -o reader || exit 1

# finds WHAT TEXT ARGUMENT...: explore finds a bug, whose line has the text.
finds() {
    rm -rf found
    "$tandem" explore --out found --time 20 "${@:3}" > out.txt 2>&1
    [ $? = 10 ] || { fail "$1: $(cat out.txt)"; return; }
    grep -q "^bug: .*$2" out.txt || fail "$1: $(cat out.txt)"
}
# refuses WHAT TEXT ARGUMENT...: explore does not begin, and says why.
refuses() {
    rm -rf found
    "$tandem" explore --out found --time 5 "${@:3}" > out.txt 2>&1
    [ $? = 1 ] && grep -q -- "$2" out.txt || fail "$1: $(cat out.txt)"
    [ ! -e found/campaign.db ] || fail "$1: leaves a campaign"
}

# --- out of nothing ---
finds "--args" 'argv\[1\] = "-x", argv\[2\] = "boom"' --args 0..3x8 ./args
finds "--args, twice" 'argv\[1\] = "-x", argv\[2\] = "boom"' --args 1x2 --args 0..2x6 ./args
finds "--sym-args" 'argv\[2\] = "boom"' --sym-args 0 2 8 ./args
finds "--sym-arg" 'argv\[2\] = "boom"' --sym-arg 4 --sym-arg 5 ./args
finds "--args behind those given" 'argv\[2\] = "boom"' --args 1x4 ./args -x
finds "an argument more" 'argv\[2\] = "boom"' ./args x
finds "--stdin" 'stdin = "ok!' --stdin 4 ./reader
finds "--sym-stdin" 'stdin = "ok!' --sym-stdin 4 ./reader
finds "--file NAME:SIZE" 'in (mode' --file in:4 ./reader in
finds "--sym-files" 'A (mode' --sym-files 2 4 ./reader A
rm -rf found
"$tandem" explore --out found --time 10 --go-on --args 0..4x2 --file in.txt:4 --execs 200 ./args > out.txt 2>&1
"$tandem" cov --missed found/tests -- ./args > cov.txt 2>&1
grep -q 'args.c:1[03]:.*not' cov.txt && fail "a file of four bytes, up to four arguments: $(cat cov.txt)"
refuses "too many" 'more than 256' --args 0..20x1 --args 0..20x1 ./args
refuses "none" 'that is none' --args 3..1x1 ./args
refuses "no counts" 'should be' --args 0-3 ./args
refuses "a word where a number should be" 'x' --sym-args 0 x 8 ./args
refuses "a name that leads out" 'not the name' --file ../in:4 ./args

# --- seeds ---
mkdir -p raw queue/queue queue/crashes empty
echo 'ok?' > raw/close
echo 'no' > raw/far
echo 'ok?' > queue/queue/id:000000,orig:a
echo 'readme' > queue/crashes/README.txt
finds "raw files" 'stdin = "ok!' --execs 5 --seeds raw ./reader
finds "raw files for @@" 'input (mode 0644, 3 bytes) = "ok!' --execs 5 -i raw ./reader @@
finds "AFL++'s queue" 'stdin = "ok!' --execs 8 -i queue ./reader
finds "one file" 'stdin = "ok!' --execs 8 -i raw/close ./reader
"$tandem" import --out cases raw -- ./reader > /dev/null
finds "test cases" 'stdin = "ok!' --execs 5 --seeds cases ./reader
"$tandem" explore --out first --stdin 4 --execs 2 ./reader > /dev/null 2>&1
finds "a campaign" 'stdin = "ok!' --seeds first ./reader
head -c 40 cases/close.tcase > cases/broken.tcase
finds "test cases, one of them damaged" 'stdin = "ok!' --seeds cases ./reader
grep -q '^tandem: .*broken.tcase: it is cut short' out.txt || fail "a damaged test case is not told: $(cat out.txt)"
refuses "nothing there" 'No such file' --seeds nowhere ./reader
refuses "an empty directory" 'none of the 0' --seeds empty ./reader
refuses "both" 'do not go together' --seeds raw --args 1x1 ./reader

# --- once ---
rm -rf found
printf 'okay' > okay
"$tandem" explore --once --stdin-file okay --out found ./reader > once.txt 2>&1 || fail "--once: $(cat once.txt)"
[ "$(find found/flips -name '*.tcase' | wc -l)" -ge 4 ] || fail "--once: $(cat once.txt)"
[ ! -e found/campaign.db ] || fail "--once leaves a campaign"
"$tandem" replay found/flips > replay.txt 2>&1
[ "$(grep -c 'SIGABRT' replay.txt)" = 1 ] || fail "one of the flips crashes: $(cat replay.txt)"
grep -hq 'purpose "takes the other side at .*reader.c:9' found/flips/*.tcase || fail "--once does not say what they are for: $(grep -h purpose found/flips/*.tcase)"

[ "$failures" = 0 ] && echo "seeds: ok"
[ "$failures" = 0 ]
