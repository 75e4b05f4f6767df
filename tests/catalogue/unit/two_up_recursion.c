/* crash: none */
/* tests: argv "3 1" | argv "0 0" | argv "8 5" | argv "6 2" */
/* A recursive walk writes one element per level; the number of levels is checked two levels up. */
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 8

static int path[LEVELS];

static int descend(unsigned level, unsigned levels, int value)
{
	if (level >= levels)
		return value;
	path[level] = value; /* FALSE: upper; guarded two levels up */
	return descend(level + 1, levels, value / 2 + 1);
}

static int walk(unsigned levels, int value)
{
	return descend(0, levels, value);
}

static int check_and_walk(unsigned levels, int value)
{
	if (levels > LEVELS)
		return -1;
	return walk(levels, value);
}

static void print_path(void)
{
	for (int i = 0; i < LEVELS; i++)
		printf("%d ", path[i]);
}

int main(int argc, char **argv)
{
	int end;

	if (argc < 3)
		return 1;
	end = check_and_walk((unsigned)atoi(argv[1]), atoi(argv[2]));
	print_path();
	printf("-> %d\n", end);
	return 0;
}
