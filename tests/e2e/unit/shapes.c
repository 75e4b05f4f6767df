/* Functions that take all kinds of data. As in wild.c, lines marked so have a fault and no others. */
#include <stdlib.h>
#include <string.h>

int few[4] = { 1, 2, 3, 4 };

union either { int i; float f; char *text; unsigned char bytes[8]; };

int unions(union either e, union either *p)
{
	return e.bytes[0] == 3 && e.bytes[3] == 9 && p->bytes[7] == 200 ? few[e.i & 7] * few[p->i & 3] + few[e.bytes[3]] : 0; /* DEFECT global-overflow */
}

struct bits { unsigned a : 3; int b : 5; unsigned long c : 33; signed d : 2; };

int bit_fields(const struct bits *p, struct bits v)
{
	if (p->a == 5 && p->b == -7 && p->c == 0x123456789ul && v.d == -2)
		return few[p->a]; /* DEFECT global-overflow */
	return 0;
}

struct flexible { int n; int data[]; };

int flexible(struct flexible *p)
{
	return p->n == 11 && p->data[2] == 12 ? few[p->data[1] == 13 ? 4 : 3] : 0; /* DEFECT global-overflow */
}

struct node { int value; struct node *next, *other; };

int long_list(struct node *n)
{
	int length = 0;
	for (; n && length < 10; n = n->next)
		length++;
	return length == 3 ? few[length + 1] : 0; /* DEFECT global-overflow */
}

int round_list(struct node *n)
{
	return n->next && n->next->other == n ? few[4] : 0; /* DEFECT global-overflow */
}

int end_of_list(struct node *n)
{
	return n->next->value; /* DEFECT null-dereference */
}

/* It takes twenty rounds of one of the loops, and none covers anything new. */
int leading_ones(const unsigned *words)
{
	int sum = 0;
	for (int i = 0; i < 8; i++) {
		int ones = 0;
		for (unsigned left = words[i]; left >> 31; left <<= 1)
			ones++;
		sum += few[ones / 5]; /* DEFECT global-overflow */
	}
	return sum;
}

int pointers(int **p, char ***q)
{
	return *p && **p == 41 && *q && **q && ***q == 'z' ? few[**p] : 0; /* DEFECT global-overflow */
}

struct table { int (*apply)(int); int (*other)(int, int); const char *name; };
int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }
int (*chosen[2])(int) = { twice, thrice };

int through_table(struct table *t, int x)
{
	return t->apply && t->apply(x) == 21 ? few[x] : 0; /* DEFECT global-overflow */
}

const int limit = 10;
int level;

void set_level(int to)
{
	level = to;
}
static struct { int depth; char name[8]; } state;

int constants(int x)
{
	if (limit != 10)
		return few[9];
	return level == 5 && x == limit ? few[level] : 0; /* DEFECT global-overflow */
}

int globals(void)
{
	return state.depth == 3 && strcmp(state.name, "ab") == 0 ? few[state.depth + 1] : 0; /* DEFECT global-overflow */
}

int statics(int x)
{
	static int calls = 3;
	if (x == 7) {
		static long inner = 5;
		return inner++ == 40 && calls == 9 ? few[x] : 0; /* DEFECT global-overflow */
	}
	return calls++;
}

int texts(const char *a, const char *b)
{
	return strcmp(a, "key") == 0 && b[0] == a[0] && strlen(b) == 3 ? few[strlen(b) + 1] : 0; /* DEFECT global-overflow */
}

int same_object(int *p, int *q)
{
	return p == q && *p == 3 ? few[*q + 1] : 0; /* DEFECT global-overflow */
}

int sizes(const int *v, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += v[i];
	return sum;
}

int sizes_off(const int *v, int n)
{
	int sum = 0;
	for (int i = 0; i <= n; i++)
		sum += v[i]; /* DEFECT heap-overflow */
	return sum;
}

enum color { RED = 2, GREEN = -5, BLUE = 70000 };

int enumerated(enum color c)
{
	return few[c == BLUE ? 4 : 0]; /* DEFECT global-overflow */
}

struct opaque;

int hidden(struct opaque *o, int x)
{
	return o ? few[100] : x == 4 ? few[x] : 0; /* DEFECT global-overflow */
}

int matrix(int m[3][4], int (*rows)[4])
{
	return m[0][3] == 6 && rows[0][2] == 7 ? few[4] : 0; /* DEFECT global-overflow */
}

int wide(__int128 x, unsigned long long y)
{
	return x == ((__int128)5 << 70) && y == 1ull << 63 ? few[4] : 0; /* DEFECT global-overflow */
}

int small(_Bool a, signed char b, unsigned short c)
{
	return a && b == -100 && c == 60000 ? few[b + 104] : 0; /* DEFECT global-overflow */
}

int main(int argc, char **argv)
{
	(void)argv;
	return argc == 2 ? twice(3) : 0;
}
