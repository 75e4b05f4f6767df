// A comparison jumps out of qsort, which had been given an array in a struct: the struct is whole again. So it is when more such calls
// are under way than there is room to remember.
// tandem: trace @
// stdin: ab
// expect: main +taken +stdin\[0\] == 'a'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct record {
	char keys[8];
	int count;
};

static struct record inner = { "hgfedcb", 1 };
static jmp_buf out;
static int depth;

static int jumps(const void *a, const void *b) { (void)a; (void)b; longjmp(out, 1); }
static int descends(const void *a, const void *b);

static int sum(const char *bytes, size_t n)
{
	int total = 0;
	while (n--)
		total += *bytes++;
	return total;
}

static void sort(struct record *r) { qsort(r->keys, 7, 1, descends); }

static int descends(const void *a, const void *b)
{
	struct record own = { "cba", 2 };
	if (depth < 40) {
		depth++;
		sort(&own);
		depth--;
	}
	return *(const char *)a - *(const char *)b + (own.count - 2);
}

int main(void)
{
	struct record r = { "gfedcba", 3 }, *volatile whole = &r;
	if (getchar() == 'a')
		puts("a");
	if (setjmp(out) == 0)
		qsort(r.keys, 7, 1, jumps);
	printf("%d %d\n", whole->count, sum((const char *)whole, sizeof r));
	depth = 37;
	sort(&inner);
	printf("%s %d\n", inner.keys, sum((const char *)&inner, sizeof inner));
	return 0;
}
