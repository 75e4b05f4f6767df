/* Integers of which it is known between which bounds they are, and others, for unit_ranges.c, which never runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int level = 3;
static int steps[4];
int given_away = 2;
static unsigned char small = 200;
long never_set;

struct point { int x, y; struct { short inner; } in; unsigned char flag; };
typedef struct { int size; } box;

int constant(int x) { return x; }
int several(int x) { return x; }
int in_loop(int i) { return i; }
int masked(int x) { return x; }
int rest(unsigned x) { return (int)x; }
int halves(int x) { return x; }
int guarded(int x) { return x; }
int refused(int x) { return x; }
int anything(int x) { return x; }
int nobody_calls(int x) { return x; }
int of_texts(size_t n) { return (int)n; }
int of_characters(int c) { return c; }
int two(int a, long b) { return a + (int)b; }
int counts_down(int n) { return n > 0 ? counts_down(n - 1) : 0; }
int grows(int n) { return grows(n + 1); }
int grade(int x) { return x > 3 ? 1 : 7; }
int passes_on(int x) { return x; }
int wraps(unsigned char x) { return x; }
int narrow(signed char x) { return x; }

int by_pointer(int x) { return x; }
int by_pointer_too(int x) { return x + 1; }
long pointed_elsewhere(long x) { return x; }
int (*chosen)(int) = by_pointer;
long (*volatile not_called)(long) = pointed_elsewhere;

void change(int *p) { *p = 99; }

/* Pointers: what is put into them in so many words. */
static int here;
int *set_once, *set_to_null, *lent, *from_library, *begins_somewhere = &here;
int (*handler)(int);
struct calls { int (*call)(int), (*other)(int); int *at; } calls = { by_pointer_too, 0, 0 };
int never_stored(int x) { return x; }
int (*volatile taken)(int) = never_stored;

void lend(int **p) { *p = 0; }

int point_to(int c)
{
	set_once = &here;
	set_to_null = c ? &here : 0;
	from_library = (int *)(void *)getenv("HERE");
	lend(&lent);
	handler = c > 2 ? calls.call : by_pointer;
	calls.at = from_library ? from_library : &here;
	return handler(4) + taken(5) + *begins_somewhere + *set_once + (calls.other ? 1 : 0);
}

int points(struct point *p, box *b, int c)
{
	p->x = 5;
	if (c)
		p->x = -1;
	p->in.inner = 77;
	b->size = 10;
	return p->y + p->flag;
}

int main(int argc, char **argv)
{
	struct point p;
	box b;
	int v = argc > 1 ? atoi(argv[1]) : 0, sum = 0;
	memset(&b, 0, sizeof b);
	sum += constant(42) + several(1) + several(-2) + several(5) + anything(v);
	for (int i = 0; i < 10; i++) {
		sum += in_loop(i);
		steps[i & 3] = i * 2;
	}
	sum += masked(v & 15) + rest((unsigned)v % 8) + halves((v & 255) / 2);
	if (v > 0 && v < 100)
		sum += guarded(v);
	if (v != 0)
		sum += refused(v);
	sum += of_texts(strlen(argv[0])) + of_characters(getchar()) + two(v & 1, 7) + counts_down(10) + passes_on(grade(v)) + wraps((unsigned char)v) + narrow((signed char)(v & 3));
	level = v > 5 ? 9 : 4;
	small++;
	change(&given_away);
	chosen = argc > 3 ? by_pointer_too : by_pointer;
	sum += chosen(4) + chosen(6) + points(&p, &b, argc);
	if (argc > 40)
		sum += point_to(argc);
	if (argc > 50)
		sum += grows(1) + (int)never_set + (int)pointed_elsewhere(5);
	return sum + level + small + given_away + steps[0];
}
