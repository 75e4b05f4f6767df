// Records `name age score` sorted by an own merge sort of a linked list with a comparison chosen by an argument; structs by
// value, function pointers, unions, bit-fields, duplicates removed.
// args: as
// stdin: bob 31 -5\nann 27 300\neve 31 70\nbob 31 -5\nkim 9 12\n
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { char name[8]; unsigned age : 7; int score : 12; unsigned is_adult : 1; };
struct node { struct node *next; struct person p; };
typedef int order(const struct person *, const struct person *);

static int by_name(const struct person *a, const struct person *b) { return strcmp(a->name, b->name); }
static int by_age(const struct person *a, const struct person *b) { return (int)a->age - (int)b->age; }
static int by_score(const struct person *a, const struct person *b) { return a->score < b->score ? -1 : a->score > b->score; }

static struct node *merge(struct node *a, struct node *b, order *compare)
{
	struct node head = { NULL, { "", 0, 0, 0 } }, *last = &head;
	while (a && b) {
		struct node **from = compare(&a->p, &b->p) <= 0 ? &a : &b;
		last = last->next = *from;
		*from = (*from)->next;
	}
	last->next = a ? a : b;
	return head.next;
}

static struct node *sort(struct node *list, order *compare)
{
	if (!list || !list->next)
		return list;
	struct node *slow = list, *fast = list->next;
	while (fast && fast->next) {
		slow = slow->next;
		fast = fast->next->next;
	}
	struct node *second = slow->next;
	slow->next = NULL;
	return merge(sort(list, compare), sort(second, compare), compare);
}

static struct person make(const char *name, long age, long score)
{
	struct person p;
	memset(&p, 0, sizeof p); /* all bits: what was never set differs from run to run */
	p.age = (unsigned)age & 127;
	p.is_adult = age >= 18;
	strncpy(p.name, name, sizeof p.name - 1);
	p.score = score > 2047 ? 2047 : score < -2048 ? -2048 : (int)score;
	return p;
}

static int parse(char *line, struct person *p)
{
	char *rest = line, *name = strsep(&rest, " "), *age = strsep(&rest, " "), *score = strsep(&rest, " \n"), *end;
	if (!name || !*name || !age || !score)
		return 0;
	long a = strtol(age, &end, 10);
	if (*end || a < 0 || a > 120)
		return 0;
	*p = make(name, a, strtol(score, &end, 10));
	return !*end;
}

int main(int argc, char **argv)
{
	char line[40];
	struct node *list = NULL;
	int bad = 0;
	while (fgets(line, sizeof line, stdin)) {
		struct node *n = calloc(1, sizeof *n);
		if (!n)
			return 9;
		if (parse(line, &n->p)) {
			n->next = list;
			list = n;
		} else {
			free(n);
			bad++;
		}
	}
	for (const char *key = argc > 1 ? argv[1] : "n"; *key; key++)
		list = sort(list, *key == 'a' ? by_age : *key == 's' ? by_score : by_name);
	for (struct node *n = list; n; n = n->next) {
		while (n->next && by_name(&n->p, &n->next->p) == 0 && n->p.score == n->next->p.score)
			n->next = n->next->next;
		printf("%s%s %d\n", n->p.name, n->p.is_adult ? "" : " (minor)", n->p.score);
	}
	return bad;
}
