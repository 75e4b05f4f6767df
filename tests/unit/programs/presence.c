/* Pointers of which tests have seen something, and pointers of which they have not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	const char *name;
	int weight;
	struct item *next, *home;
};

static const char *title;            /* set once */
static const char *chosen = "first"; /* and this one may be set to NULL */
static int (*order)(const void *, const void *);

int by_name(struct item **a, struct item **b) { return strcmp((*a)->name, (*b)->name); }
int by_weight(struct item **a, struct item **b) { return (*a)->weight - (*b)->weight; }
int in_use(struct item *i) { return title[0] + chosen[0] + i->weight + i->next->weight + i->home->weight; }
int unused(struct item *i) { return title[0] + chosen[0] + i->weight + i->next->weight + i->home->weight; }
int early(int x) { return title ? x : -x; }
int below(int x) { return early(x) + (title ? unused(0) : 0); }

int main(int argc, char **argv)
{
	struct item *items[4] = {0}, a = {"a", 1, &a, &a};
	items[0] = &a;
	if (argc > 100) {
		order = argc > 200 ? (int (*)(const void *, const void *))by_name : (int (*)(const void *, const void *))by_weight;
		qsort(items, 1, sizeof *items, order);
	}
	early(1);
	title = argv[0];
	if (argc > 2)
		chosen = argc > 3 ? argv[2] : NULL;
	return in_use(&a) + (argc > 300 ? below(argc) : 0);
}
