/* crash: argv "2 5" */
/* tests: argv "0 5" | argv "1 7" | argv "9 1" | argv "0 0" */
/* A handler called through a table gets its target from the same table, where one is missing. */
#include <stdio.h>
#include <stdlib.h>

static unsigned counter, total;

struct action {
	unsigned *target;
	void (*apply)(unsigned *, unsigned);
};

static void add(unsigned *target, unsigned by)
{
	*target += by; /* TRUE: null */
}

static void set(unsigned *target, unsigned to)
{
	if (target)
		*target = to;
}

static const struct action actions[3] = {{&counter, add}, {&total, set}, {NULL, add}};

static int perform(unsigned which, unsigned value)
{
	if (which > 2)
		return 1;
	actions[0].apply(actions[0].target, 1);
	actions[which].apply(actions[which].target, value);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3 || perform((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2])))
		return 1;
	printf("%u %u\n", counter, total);
	return 0;
}
