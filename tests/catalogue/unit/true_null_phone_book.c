/* crash: argv "5" */
/* tests: argv "1" | argv "3" | argv "7" | argv "-4" */
/* A search of a linked list ends with NULL, and its caller does not look. */
#include <stdio.h>
#include <stdlib.h>

struct entry {
	int person, phone;
	struct entry *next;
};

static struct entry last = {7, 444, NULL};
static struct entry middle = {3, 555, &last};
static struct entry first = {1, 666, &middle};

static const struct entry *find(const struct entry *list, int person)
{
	while (list && list->person != person)
		list = list->next;
	return list;
}

static int phone_of(int person)
{
	const struct entry *entry = find(&first, person);

	return entry->phone; /* TRUE: null */
}

static void answer(int person)
{
	if (person <= 0)
		puts("not a person");
	else
		printf("%d\n", phone_of(person));
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 1;
	answer(1);
	answer(atoi(argv[1]));
	return 0;
}
