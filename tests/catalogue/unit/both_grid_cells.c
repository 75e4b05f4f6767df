/* crash: argv "2 4" */
/* tests: argv "0 0" | argv "2 3" | argv "1 2" | argv "3 0" */
/* A grid in one flat array: the check of rows is right, that of columns off by one. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 3
#define COLUMNS 4

static int cells[ROWS * COLUMNS] = {5, 3, 0, 1, 2, 8, 7, 6, 4, 9, 1, 2};

static unsigned row_start(unsigned row)
{
	assert(row < ROWS); /* FALSE: assert; guarded two levels up */
	return row * COLUMNS;
}

static int cell(unsigned row, unsigned column)
{
	return cells[row_start(row) + column]; /* TRUE: upper */
}

static int look(unsigned row, unsigned column)
{
	if (row >= ROWS || column > COLUMNS)
		return -1;
	return cell(row, column);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	printf("%d\n", look((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2])));
	return 0;
}
