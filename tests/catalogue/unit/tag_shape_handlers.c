/* crash: none */
/* tests: argv "0 5" | argv "1 3" | argv "1 0" | argv "0 0" | argv "1 9" */
/* Handlers are called through a table by tag; a shape tagged GRID has at least 1 column. */
#include <stdio.h>
#include <stdlib.h>

enum tag { LINE, GRID };

struct shape {
	enum tag tag;
	unsigned cells, columns;
};

static unsigned line_rows(const struct shape *shape)
{
	return shape->cells > 0;
}

static unsigned grid_rows(const struct shape *shape)
{
	return shape->cells / shape->columns; /* FALSE: division; a type tag */
}

static unsigned (*const handlers[2])(const struct shape *) = {line_rows, grid_rows};

static struct shape make_shape(int wanted, unsigned columns)
{
	struct shape shape = {LINE, 24, 0};

	if (wanted == GRID && columns > 0) {
		shape.tag = GRID;
		shape.columns = columns;
	}
	return shape;
}

static unsigned rows(const struct shape *shape)
{
	return handlers[shape->tag == GRID](shape);
}

int main(int argc, char **argv)
{
	struct shape shape;

	if (argc < 3)
		return 1;
	shape = make_shape(atoi(argv[1]), (unsigned)atoi(argv[2]));
	printf("%u rows\n", rows(&shape));
	return 0;
}
