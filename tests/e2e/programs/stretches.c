// What the concrete side looks at together, at the head of a stretch of blocks, and what it hands over when it leaves there.
// cc: -O2
// cc: -O0
// tandem: trace @
// stdin: abcdefghijkl
// expect: branches +taken +stdin\[0\] == 'a'
// expect: after_call +taken .*stdin\[1\]
// expect: main +taken +stdin\[2\] == 'c'
// expect: far +taken +stdin\[3\] == 'd'
// expect: loop +taken +stdin\[4\] == 'e'
// expect: handed +taken +stdin\[5\] == 'f'
// expect: backwards +taken +stdin\[6\] == 'g'
// expect: behind_copy +taken +stdin\[7\] == 'h'
// never: stdin\[(8|9|10)\]
#include <stdio.h>
#include <string.h>

struct record { int kind, count; char text[8]; long tail; struct { short a; char b; } inner; };

static struct record one, two;
static char far_away[40000]; /* nothing else is near its middle */
static int mode = 1;

/* The load is in a block of its own; its head is in another. */
__attribute__((noinline)) static int branches(const struct record *r, int which)
{
	if (which > 3) return 1;
	if (r->kind == 1) {
		if (r->text[1] == 'a') return 2;
		return r->count;
	}
	return (int)r->tail;
}

__attribute__((noinline)) static void give(struct record *r, int c) { r->inner.b = (char)c; }

/* What is looked at before a call says nothing about what is there behind it. */
__attribute__((noinline)) static int after_call(struct record *r, const char *from)
{
	int n = r->inner.b;
	give(r, *from);
	if (r->inner.b == 'b') n++;
	return n;
}

/* A store on the way that is not taken must not clear anything. */
__attribute__((noinline)) static int kept(struct record *r)
{
	int n = mode ? 3 : 4;
	if (n == 4) r->text[2] = 'x';
	else n += r->count;
	return n;
}

/* More than a page apart. */
__attribute__((noinline)) static int far(const char *p)
{
	int n = p[0] + p[4] + p[6000];
	if (p[15000] == 'd') n++;
	return n;
}

/* Symbolic in one turn, concrete in the next, symbolic again: each turn is looked at anew. */
__attribute__((noinline)) static int loop(const char *p, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += i * 3;
		if (p[i] == 'e') sum += 100;
	}
	return sum;
}

/* All kinds of values are live when it leaves. */
__attribute__((noinline)) static double handed(const char *p, double d, float f, _Bool b, long double l, __int128 w, signed char c, unsigned short h, long g)
{
	d *= 2;
	f += 1;
	b = !b;
	l /= 4;
	w <<= 70;
	c = (signed char)(c * 2);
	h = (unsigned short)(h + 3);
	g = -g;
	if (mode) give(&two, 0);
	if (*p == 'f') d += 1;
	return d + (double)f + b + (double)l + (double)(long)(w >> 70) + c + h + (double)g;
}

__attribute__((noinline)) static int backwards(const struct record *end)
{
	int n = end[-1].count + end[-2].kind;
	if (end[-1].text[7] == 'g') n++;
	return n;
}

__attribute__((noinline)) static int behind_copy(struct record *to, const struct record *from)
{
	int n = to->text[3];
	memcpy(to, from, sizeof *to);
	if (to->text[3] == 'h') n++;
	return n;
}

/* Stores that no head can see: at an address that was just loaded, behind a call, on one of two ways. They write what is there
 * already, but it no longer depends on the input. */
__attribute__((noinline)) static void late(char **where, int n)
{
	if (n > 2) **where = 'i';
}

__attribute__((noinline)) static void behind_call(char *p)
{
	give(&two, 0);
	*p = 'j';
}

__attribute__((noinline)) static void one_way(char *p, int n)
{
	if (n == 3) p[0] = 'x';
	else p[0] = 'k';
}

int main(void)
{
	static char input[16];
	struct record pair[2] = {{0}};
	if (fread(input, 1, 12, stdin) != 12) return 1;
	one.kind = 1;
	one.count = 7;
	one.text[1] = input[0];
	printf("%d\n", branches(&one, 2));
	printf("%d\n", after_call(&two, input + 1));
	one.text[2] = input[2];
	printf("%d\n", kept(&one));
	if (one.text[2] == 'c') puts("c");
	far_away[27000] = input[3];
	printf("%d\n", far(far_away + 12000));
	char mixed[6] = {'x', input[4], 'y', 'z', input[4], 'e'};
	printf("%d\n", loop(mixed, 6));
	printf("%g\n", handed(input + 5, 1.5, 2.5f, 0, 10.0L, 5, 20, 40, 9));
	pair[1].text[7] = input[6];
	printf("%d\n", backwards(pair + 2));
	memset(&two, 0, sizeof two);
	two.text[3] = input[7];
	printf("%d\n", behind_copy(&one, &two));
	char left[3] = {input[8], input[9], input[10]}, *first = left;
	late(&first, 3);
	behind_call(left + 1);
	one_way(left + 2, 4);
	if (left[0] == 'I' || left[1] == 'J' || left[2] == 'K') puts("never");
	return 0;
}
