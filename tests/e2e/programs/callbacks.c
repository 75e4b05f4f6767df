// Function pointers: tables, in structs, recursion through them; qsort and bsearch, which have models, and lfind, which has none, calling back.
// tandem: trace @ dbca
// stdin: +9
// expect: compare +not taken .*argv\[1\]\[0\] >=
// expect: sort.c.* not taken .*argv\[1\]\[0\]
// expect: lost +memory given to an unmodelled function: argv\[1\]\[3\]
// expect: lost +(function pointer|address of a read): .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int (*const table[128])(int, int) = { ['+'] = add, ['-'] = subtract };
struct node { int (*visit)(const struct node *, int); int value; };

static int visit(const struct node *n, int depth) { return depth == 0 ? n->value : n->visit(n, depth - 1) + 1; }

static int compare(const void *a, const void *b)
{
	char x = *(const char *)a, y = *(const char *)b;
	if (x < y)
		return -1;
	return x > y;
}

int main(int argc, char **argv)
{
	char text[8] = { 0 };
	strncpy(text, argc > 1 ? argv[1] : "", 7);
	qsort(text, strlen(text), 1, compare);
	char *c = bsearch("c", text, strlen(text), 1, compare);
	size_t count = strlen(text);
	char *d = lfind("d", text, &count, 1, compare);
	printf("%s %s %s\n", text, c ? c : "-", d ? d : "-");
	int (*f)(int, int) = table[getchar() & 127];
	int value = getchar();
	if (f && f(value, 1) == '5')
		puts("5");
	struct node n = { visit, value };
	printf("%d\n", n.visit(&n, 10));
	return 0;
}
