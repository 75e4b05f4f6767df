/* crash: none */
/* tests: argv "banana 1" | argv "apple 0" | argv "kiwi 9" | argv "aa 2" */
/* A slice, passed by value, holds a heap pointer and the number of bytes behind it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slice {
	char *data;
	size_t length;
};

static struct slice make_slice(const char *text)
{
	struct slice slice = {NULL, strlen(text)};

	slice.data = malloc(slice.length + 1);
	if (!slice.data)
		exit(1);
	memcpy(slice.data, text, slice.length + 1);
	return slice;
}

static struct slice skip(struct slice slice, size_t count)
{
	if (count > slice.length)
		count = slice.length;
	slice.data += count;
	slice.length -= count;
	return slice;
}

static int count_of(struct slice slice, char wanted)
{
	int count = 0;

	for (size_t i = 0; i < slice.length; i++)
		count += slice.data[i] == wanted; /* FALSE: upper; a length that goes with a pointer */
	return count;
}

int main(int argc, char **argv)
{
	struct slice whole;

	if (argc < 3)
		return 1;
	whole = make_slice(argv[1]);
	printf("%d\n", count_of(skip(whole, (size_t)atoi(argv[2])), 'a'));
	free(whole.data);
	return 0;
}
