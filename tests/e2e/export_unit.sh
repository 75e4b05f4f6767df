#!/bin/bash
# tandem export --format c: what tandem unit finds, as a driver that any compiler makes a program of. Each function of a small program has one bug, with something else in its way; its driver is to fail at the very same
# line, without Tandem.
set -uo pipefail
# shellcheck source=tests/workshop.sh disable=SC2154
. "$(dirname "$0")/../workshop.sh"

fail() { echo "export_unit: $*"; failures=$((failures + 1)); }
export ASAN_OPTIONS=detect_leaks=0

cat > shelf.h <<'C'
struct book;                                    /* shelf.c alone knows what it is made of */
struct pair { int first, second; };
typedef struct { short kind; char tag[6]; union { int number; float weight; } as; unsigned low : 3, high : 5; } label_t;
struct pair swap(struct pair p);
label_t *newest(int shelf);
int count(const struct book *b);
int weigh(int n);
void log_line(const char *text);
int title_of(const char *title);
int sorted(struct book *b, int k);
C
cat > shelf.c <<'C'
#include "shelf.h"
#include <stdio.h>
#include <string.h>
struct book { int pages; struct book *next; char *title; };
static int visits;
int far;
static label_t last;
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
int (*const both[])(int) = { twice, thrice };
struct pair swap(struct pair p) { struct pair q = { p.second, p.first }; return q; }
label_t *newest(int shelf) { last.kind = (short)shelf; return &last; }
static int hidden(int n) { return n + visits; }
int weigh(int n) { return visits == 41 && far == 7 ? hidden(n) + 100 : 0; }
int count(const struct book *b) { int n = 0; while (b) { b = b->next; n++; } return n; }
void log_line(const char *text) { puts(text); visits++; far++; }
static int action(int (*how)(int), int n) { return how ? how(n) : n; }
int title_of(const char *title)
{
	char copy[8];
	if (!title || title[0] != 'v' || title[1] != '?')
		return 0;
	strcpy(copy, title);                            // title_of
	return copy[2] + action(twice, 1);
}
int sorted(struct book *b, int k)
{
	int pages[4] = { 0 };
	if (!b || !b->next || !b->next->title || b->next->next != b)
		return 0;
	if (b->pages != 3 || b->next->title[2] != 'z' || k < 9)
		return 0;
	return pages[k];                                // sorted
}
C
cat > main.c <<'C'
#include "shelf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct shop;                                    /* nobody knows */
struct point { double x; long y; };
struct node { int value; struct node *next; const char *const name; label_t labels[2]; };
struct text { int length; char bytes[]; };
static int table[8];
static int start = 5;
static struct { int top; short *slot; } state;
static struct node *head;
static int field(struct node *n)
{
	if (!n || n->labels[1].low != 5 || n->labels[1].high != 17 || n->labels[1].as.number != 1234)
		return 0;
	return table[n->value & 15];                    // field
}
static int list(struct node *n)
{
	if (!n || !n->next || !n->next->next || n->next->next->next != n || !n->name)
		return 0;
	if (n->name[0] != 'a' || n->name[1] != '"' || n->next->value != -7 || n->next->next->value != 9)
		return 0;
	return *(volatile int *)(long)(n->value == 4);      // list
}
static int point(struct point p, int n)
{
	if (p.y != -1 || n < 20 || n > 24)
		return 0;
	return table[n];                                // point
}
static int globals(void)
{
	if (start != 0 || state.top != 12 || !head || head->value != 77 || !state.slot)
		return 0;
	return state.slot[state.top + 4];               // globals
}
static int kept(int n)
{
	static int calls;
	calls += n;
	if (calls != 4 || n != 1)
		return start;
	return table[calls + 4];                        // kept
}
static int decides(int n)
{
	struct pair p = swap((struct pair){ 1, 2 });
	label_t *one = newest(n), *two = newest(n + 1);
	log_line("decides");
	if (p.first != 3 || p.second != 4 || !one || !two || one->kind != 2 || two->tag[3] != 'k')
		return 0;
	return table[p.first + 5];                      // decides
}
static int depends(int n)
{
	int w = weigh(n);
	return w == 300 ? table[w - 291] : 0;           // depends
}
static int unknown(struct book *b)
{
	return count(b) == 12 ? table[8] : 0;           // unknown
}
static int flexible(struct text *t, char **words)
{
	if (!t || !words || !words[1] || words[1][0] != '-' || t->length != 40)
		return 0;
	return t->bytes[t->length];                     // flexible
}
static int chooses(int (*how)(struct point, int), int n)
{
	return how == point && n == 6 ? table[n + 2] : 0; // chooses
}
static int written(FILE *out, struct shop *shop, void *more, int n)
{
	if (!out || !shop || !more || n != 11 || fputs("written\n", out) < 0)
		return 0;
	return table[n];                                // written
}
int main(int argc, char **argv)
{
	struct node n = { argc, NULL, argv[0], { { 0 } } };
	struct point p = { 1, 2 };
	char *v[] = { argv[0], argv[0], NULL };
	head = &n; start -= argc; state.top += argc; state.slot = (short *)v;
	return field(&n) + list(&n) + point(p, 1) + globals() + kept(argc) + decides(1) + depends(2) + unknown(NULL) + flexible(NULL, v) + chooses(point, 3) + written(stdout, NULL, NULL, argc) + title_of(argv[0]) + sorted(NULL, 1);
}
C

"$cc" -g -w main.c shelf.c -o program || { fail "does not build"; exit 1; }
timeout 100 "$tandem" unit --unit=alone --no-filter --no-ranges --no-pointer-sizes --execs 400 --jobs 2 --no-progress -o alone ./program > out 2>&1
timeout 100 "$tandem" unit --unit=distance:3 --function depends --no-filter --no-ranges --execs 400 --no-progress -o near ./program >> out 2>&1
"$tandem" export --format c -o drivers alone/alarms near/alarms > said 2>&1 || fail "export: $(head -n 3 said)"
[ -s said ] && fail "export says: $(head -n 3 said)"

# --- each fails where it is to ---------------------------------------------------

# The objects of what a driver does not include.
for source in main shelf; do clang-19 -w -g -O0 -fsanitize=address,undefined -Dmain=program_main -c $source.c -o $source.o || fail "$source.c does not compile"; done
driver_of() { grep -l "ends with: .*, $1 at $2:" drivers/*.c 2> /dev/null | head -n 1; }

# one FUNCTION SOURCE OTHER: its driver fails at the line that says so in a comment.
one() {
    local line file
    line=$(grep -n "// $1\$" "$2.c" | cut -d: -f1)
    file=$(driver_of "$1" "$2.c:$line")
    [ -n "$file" ] || { echo "$1: tandem unit has not found it: $(grep "^alarm.*in $1 " out)"; return; }
    clang-19 -g -O0 -fsanitize=address,undefined "$file" "$3.o" -o "driver.$1" > "built.$1" 2>&1 || { echo "$1: $(grep -m 3 error "built.$1")"; return; }
    timeout 10 "./driver.$1" < /dev/null > "ran.$1" 2>&1
    grep -q "$2.c:$line" "ran.$1" || echo "$1 does not fail at $2.c:$line: $(tail -n 3 "ran.$1") $(grep -A 40 '^int main' "$file")"
}
export -f one driver_of
for f in field list point globals kept decides depends unknown flexible chooses written; do echo "$f main shelf"; done > wanted
for f in title_of sorted; do echo "$f shelf main"; done >> wanted
xargs -P 2 -L 1 bash -c 'one "$@"' bash < wanted > wrong
[ -s wrong ] && fail "$(cat wrong)"

# --- another compiler, without sanitizers; objects of the program, main and all -----

for source in main shelf; do gcc -w -g -O0 -c $source.c -o $source.o || fail "$source.c does not compile"; done
file=$(driver_of list main.c)
gcc -g -O0 "$file" main.o shelf.o -Wl,-z,muldefs -o plain > err 2>&1 || fail "gcc: $(head -n 3 err)"
{ timeout 10 ./plain; } > out 2>&1
[ $? = 139 ] || fail "gcc: $(cat out)"
file=$(driver_of decides main.c)
gcc -g -O0 -Dmain=program_main "$file" shelf.c -o plain > err 2>&1 || fail "gcc: $(head -n 3 err)"
timeout 10 ./plain > out 2>&1 < /dev/null
grep -q '^decides returned ' out || fail "no result: $(cat out)"
grep -q '^decides$' out && fail "the real log_line was called"

# --- how it reads ------------------------------------------------------------------

file=$(driver_of field main.c)
for text in 'struct node *n = __builtin_calloc(1, sizeof *n);' 'n->labels[1].low = 5;' 'n->labels[1].high = 17;' 'n->labels[1].as.number = 1234;' 'field(n);' '/main.c"'; do
    grep -qF "$text" "$file" || fail "there is no '$text' in $file: $(grep -A 20 '^int main' "$file")"
done
grep -q 'start = 0;' "$(driver_of globals main.c)" || fail "what is 0 and was not before is not set"
grep -q 'int \*program_calls = tandem_find_static(__FILE__, "calls", "kept", 4);' "$(driver_of kept main.c)" || fail "a static variable of a function is not looked for"
grep -q 'int \*program_visits = tandem_find_static("shelf.c", "visits", "", 4);' "$(driver_of depends main.c)" || fail "what is static in another source is not looked for"
grep -q '__builtin_calloc(16, sizeof \*title)' "$(driver_of title_of shelf.c)" || fail "a text has another size"

# --- what is no test of one function, and other formats ------------------------------

"$tandem" record -o whole.tcase ./program > /dev/null 2>&1
"$tandem" export --format c -o drivers whole.tcase > out 2>&1 && fail "a driver of a whole run"
grep -q 'it is no test of one function' out || fail "of a whole run: $(cat out)"
"$tandem" export --format sh -o scripts alone/alarms > out 2>&1 && fail "a script of a unit test"
grep -q 'tandem export --format c makes a driver of it' out || fail "as a script: $(head -n 2 out)"

[ $failures = 0 ] && echo "export_unit: all passed"
[ $failures = 0 ]
