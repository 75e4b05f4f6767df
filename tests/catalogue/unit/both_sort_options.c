/* crash: argv "g u 3 5" */
/* tests: argv "n 3 1 2" | argv "g n 3 3 1" | argv "n 5" */
/* Orders that an option chooses. No test asks for all of them: elements of what is sorted are never null in those that none asks for either, but the order itself is where the program says so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { char *name; int weight; struct item *next; };

static const struct { char letter; const char *text; } names[] = { { 'n', "by name" }, { 'w', "by weight" }, { 0, NULL } };
static char *separator = " ";
static int (*order)(const void *, const void *);
static FILE *out;

static int by_name(const void *x, const void *y)
{
	struct item *const *a = x, *const *b = y;
	return strcmp((*a)->name, (*b)->name);
}

static int by_weight(const void *x, const void *y)
{
	struct item *const *a = x, *const *b = y;
	if ((*a)->weight != (*b)->weight) /* FALSE: null; no element is */
		return (*a)->weight < (*b)->weight ? -1 : 1;
	return strcmp((*a)->name, (*b)->name); /* FALSE: null; every item has a name */
}

static int grouped(const void *x, const void *y)
{
	struct item *const *a = x, *const *b = y;
	if (((*a)->weight & 1) != ((*b)->weight & 1))
		return (*a)->weight & 1 ? 1 : -1;
	return order(x, y); /* TRUE: null */
}

static int backwards(const void *x, const void *y)
{
	struct item *const *a = x, *const *b = y;
	if (((*a)->weight & 2) != ((*b)->weight & 2)) /* FALSE: null; no element is */
		return (*a)->weight & 2 ? 1 : -1;
	return order(y, x); /* TRUE: null */
}

static void describe(char letter)
{
	for (int i = 0; names[i].letter; i++) /* FALSE: upper; the table ends */
		if (names[i].letter == letter)
			fprintf(out, "%c%s%s\n", letter, separator, names[i].text + (separator[0] == ' ')); /* FALSE: null; nobody changes either */
}

static struct item *new_item(char *name)
{
	struct item *i = calloc(1, sizeof *i);
	if (!i)
		exit(1);
	i->name = name;
	i->weight = atoi(name);
	return i;
}

static void drop(struct item *i)
{
	if (i->next)
		drop(i->next); /* FALSE: free; a list has no circles, and no item is in it twice */
	free(i);
}

static void verbose(struct item **items, int n)
{
	for (int i = 0; i < n; i++)
		fprintf(out, "%s: %d\n", items[i]->name, items[i]->weight);
	describe(items[0]->name[0]);
}

int main(int argc, char **argv)
{
	struct item *items[16];
	int n = 0, first = 1, (*top)(const void *, const void *) = NULL, loud = 0;
	out = stdout;
	order = by_name;
	for (; first < argc && argv[first][0] >= 'a' && argv[first][0] <= 'z'; first++)
		switch (argv[first][0]) {
		case 'n': order = by_name; break;
		case 'w': order = by_weight; break;
		case 'u': order = NULL; break;
		case 'g': top = grouped; break;
		case 'b': top = backwards; break;
		case 'v': loud = 1; break;
		}
	for (; first < argc && n < 16; first++)
		items[n++] = new_item(argv[first]);
	for (int i = 0; i + 1 < n; i++)
		items[i]->next = items[i + 1];
	if (top || order)
		qsort(items, n, sizeof *items, top ? top : order);
	for (int i = 0; i < n; i++)
		printf("%s\n", items[i]->name);
	if (loud && n)
		verbose(items, n);
	if (n == 15)
		drop(items[0]);
	return 0;
}
