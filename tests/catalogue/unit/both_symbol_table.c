/* crash: argv "one four" */
/* tests: argv "one" | argv "two one" | argv "three" | argv "two two" */
/* A hash table of linked lists: the bucket is always in range, the symbol may be missing. */
#include <stdio.h>
#include <string.h>

#define BUCKETS 5

struct symbol {
	const char *name;
	int value;
	struct symbol *next;
};

static struct symbol symbols[3] = {{"one", 1, NULL}, {"two", 2, NULL}, {"three", 3, NULL}};
static struct symbol *buckets[BUCKETS];

static unsigned hash(const char *name)
{
	unsigned sum = 0;

	while (*name != '\0')
		sum = sum * 3 + (unsigned char)*name++;
	return sum % BUCKETS;
}

static struct symbol *chain(const char *name)
{
	unsigned bucket = hash(name);

	return buckets[bucket]; /* FALSE: upper; what a callee can return */
}

static int value_of(const char *name)
{
	const struct symbol *symbol = chain(name);

	while (symbol && strcmp(symbol->name, name) != 0)
		symbol = symbol->next;
	return symbol->value; /* TRUE: null */
}

static void define(struct symbol *symbol)
{
	symbol->next = chain(symbol->name);
	buckets[hash(symbol->name)] = symbol;
}

int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++)
		define(&symbols[i]);
	for (int i = 1; i < argc; i++)
		printf("%d\n", value_of(argv[i]));
	return 0;
}
