#!/bin/bash
# Every search finds what stands behind a few bytes, in as few runs as there are branches where its order allows no fewer; two explorations with one seed run the same
# inputs; bugs are told once when the search goes on; a name that is none is answered with those that are.
set -uo pipefail
. "$(dirname "$0")/../workshop.sh"

fail() { echo "searches: $*"; failures=$((failures + 1)); }
build() { "$cc" -O1 -g "$1.c" -o "$1" || { fail "$1 does not build"; exit 1; }; }

searches="auto random dfs dfs-deep cfds cgs generational"

cat > bytes.c <<'C1'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	char b[5];
	if (fread(b, 1, sizeof b, stdin) != sizeof b)
		return 1;
	if (b[0] == 'm' && b[1] == 'a' && b[2] == 'g' && b[3] == 'i' && b[4] == 'c')
		abort();
	return 0;
}
C1
cat > word.c <<'C1'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char b[6] = "";
	if (fread(b, 1, 5, stdin) == 5 && strcmp(b, "magic") == 0)
		abort();
	return 0;
}
C1
sed 's/strcmp(b, "magic")/memcmp(b, "magic", 5)/' word.c > block.c
# A bug behind a loop, a call through a pointer and a switch, and another on the way.
cat > maze.c <<'C1'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int letter(int state, int c) { if (state == 0 && c == 'x') return 1; return c == 'y' && state == 2 ? 3 : state; }
static int digit(int state, int c)
{
	switch (c) {
	case '3': return state == 1 ? 2 : state;
	case '7': return state == 3 ? 4 : state;
	default: return 0;
	}
}
static int (*volatile classes[2])(int, int) = { letter, digit };
int main(void)
{
	unsigned char b[6];
	int state = 0;
	if (read(0, b, sizeof b) != sizeof b)
		return 1;
	for (int i = 0; i < 6; i++)
		if (b[i] >= '0' && b[i] <= '9')
			state = classes[1](state, b[i]);
		else
			state = classes[0](state, b[i]);
	if (state == 4)
		abort();
	if (b[5] == '3' && b[4] == 'q')
		*(volatile int *)0 = 0;
	return 0;
}
C1
build bytes
build word
build block
build maze

# runs_of PROGRAM OPTIONS...: how many runs until the bug.
runs_of() { rm -rf found; "$tandem" explore --time 40 --out found "${@:2}" "./$1" 2> /dev/null | sed -n 's/^bug: .* after \([0-9]*\) runs.*/\1/p' | head -n 1; }

for s in $searches; do
    n=$(runs_of bytes --search "$s" --stdin 5)
    [ "$n" = 6 ] || fail "$s: five bytes one by one in ${n:-no} runs and not in 6"
    n=$(runs_of word --search "$s" --stdin 5)
    [ "$n" = 2 ] || fail "$s: five bytes by strcmp in ${n:-no} runs and not in 2"
    n=$(runs_of block --search "$s" --stdin 5)
    [ "$n" = 2 ] || fail "$s: five bytes by memcmp in ${n:-no} runs and not in 2"
    n=$(runs_of bytes --search "$s")
    [ -n "$n" ] && [ "$n" -le 40 ] || fail "$s: ${n:-no} runs from an empty input"
    n=$(runs_of maze --search "$s" --stdin 6 --execs 3000)
    [ -n "$n" ] || fail "$s does not get out of the maze"
done
n=$(runs_of bytes --stdin 9)
[ "$n" = 6 ] || fail "${n:-no} runs from an input that is longer than what is read"

# The same seed, the same inputs; another seed, others.
for s in $searches; do
    for k in 1 2 3; do
        rm -rf found
        "$tandem" explore --search "$s" --stdin 6 --go-on --execs 250 --time 0 --seed $((k / 3 + 5)) --log-inputs "$s.$k" --out found ./maze > "$s.$k.text" 2>&1
        sed -i 's/ in [0-9.]* s ([0-9]* runs\/s)//' "$s.$k.text"
    done
    [ "$(wc -l < "$s.1")" = 250 ] || fail "$s: $(wc -l < "$s.1") inputs in the log"
    [ "$(sort -u "$s.1" | wc -l)" = 250 ] || fail "$s ran an input twice"
    cmp -s "$s.1" "$s.2" || fail "$s: one seed, two explorations"
    cmp -s "$s.1.text" "$s.2.text" || fail "$s: one seed, two reports"
    grep -q "^search $s: [0-9]* restarts" "$s.1.text" || fail "$s: no statistics"
    case $s in dfs*) ;; *) ! cmp -s "$s.1" "$s.3" || fail "$s: two seeds, one exploration" ;; esac
done

# Also where a run has to be stopped: how far it came is chance, but what is left to be tried is not.
cat > endless.c <<'C1'
#include <unistd.h>
#define EIGHT(x) x x x x x x x x
int main(void)
{
	unsigned char b[8];
	volatile unsigned n = 0;
	if (read(0, b, sizeof b) != sizeof b || b[0] != 'x')
		return 1;
	for (unsigned i = 0;; i++) {
		for (volatile unsigned wait = 0; wait < 9999; wait++)
			;
		EIGHT(EIGHT(if (b[i % 8] + n++ == 500) n += 8;))
	}
}
C1
build endless
for k in 1 2; do
    rm -rf found
    "$tandem" explore --search dfs --stdin 8 --go-on --execs 2 --time 0 --run-time 1 --out found --json ./endless 2> /dev/null | jq -c '[.timeouts, .open]' > "endless.$k"
done
case $(cat endless.1) in "[1,"????*) ;; *) fail "endless: $(cat endless.1)" ;; esac
cmp -s endless.1 endless.2 || fail "one seed, two explorations, where a run is stopped: $(cat endless.1 endless.2)"

# On and on: all bugs, each once.
cat > three.c <<'C1'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void write_to(int *p) { *p = 1; }
int main(void)
{
	char b[4] = "", *copy = malloc(3);
	if (fread(b, 1, 3, stdin) != 3)
		return 1;
	if (b[0] == 'p')
		write_to(b[1] == 'q' ? NULL : (int *)b);
	if (b[1] == 'z')
		abort();
	if (b[2] == 'c')
		((volatile char *)copy)[b[0] == 'q' ? 3 : 0] = 1;
	return 0;
}
C1
build three
for s in $searches; do
    rm -rf three.found
    "$tandem" explore --search "$s" --go-on --stdin 3 --execs 300 --time 0 --out three.found ./three > three.txt 2>&1
    [ $? = 10 ] || fail "$s --go-on: no bug"
    [ "$(grep -c '^bug: ' three.txt)" = 3 ] || fail "$s --go-on: $(cat three.txt)"
done

# Whether a number has a sign is in the address of what is looked at next, so on the path of one without it there is none to be had; nor is there room for one in its place.
cat > sign.c <<'C1'
#include <stdlib.h>
#include <string.h>
static int is_number(const char *s)
{
	s += *s == '-';
	do
		if (*s < '0' || *s > '9')
			return 0;
	while (*++s);
	return 1;
}
int main(int argc, char **argv)
{
	if (argc != 2 || strlen(argv[1]) > 3)
		return 1;
	char *word = strtok(argv[1], ",");
	if (word && is_number(word) && word[0] == '-')
		abort();
	return 0;
}
C1
build sign
for seed in 3 5 8; do # which take 32, more than 300 and 73 runs if nothing is inserted
    "$tandem" explore --seed $seed --execs 20 --time 0 --out sign.$seed ./sign 1 > sign.txt 2>&1
    [ $? = 10 ] || fail "a sign is not put in front of a number: $(cat sign.txt)"
done

# A program that has been gone through is left, and said to be clean.
printf '#include <stdio.h>\nint main(void) { int c = getchar(); return c == 3 ? 1 : c == 5 ? 2 : c > 100; }\n' > small.c
build small
for s in $searches; do
    "$tandem" explore --search "$s" --stdin 1 --time 20 ./small > small.txt 2>&1
    [ $? = 0 ] || fail "$s: not everything of a small program: $(cat small.txt)"
done

"$tandem" explore --search nonesuch ./bytes > none.txt 2>&1
[ $? = 1 ] && grep -q 'cfds, cgs' none.txt || fail "an unknown search: $(cat none.txt)"
"$tandem" explore --help | grep -q '^  cfds  ' || fail "the help does not tell of searches"

# A condition that does not hold in the run of a bug is asked to hold: that nothing is reported then is no wonder, and not counted.
"$cc" -O2 "$root/examples/record.c" -o record
"$tandem" explore --search dfs --go-on --stdin 1 --execs 60 --time 0 --out record.found ./record > record.txt 2>&1
grep -q '^bug: member-overflow' record.txt && ! grep -q unreported record.txt || fail "record --go-on: $(cat record.txt)"

[ "$failures" = 0 ] && echo "searches: ok"
[ "$failures" = 0 ]
