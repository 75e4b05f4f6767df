/* crash: argv "ab -" */
/* tests: argv "ab cde" | argv "12 word" | argv "x" | argv "7 yes 9" */
/* A value has three tags; the caller keeps only one of the two wrong ones away. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum tag { NOTHING, NUMBER, TEXT };

struct value {
	enum tag tag;
	const char *text;
};

static struct value parse(const char *word)
{
	struct value value = {TEXT, word};

	if (word[0] == '-')
		value.tag = NOTHING;
	else if (word[0] >= '0' && word[0] <= '9')
		value.tag = NUMBER;
	return value;
}

static size_t length_of(struct value value)
{
	assert(value.tag == TEXT); /* TRUE: assert */
	return strlen(value.text);
}

static size_t add_length(size_t total, struct value value)
{
	if (value.tag == NUMBER)
		return total + 4;
	return total + length_of(value);
}

int main(int argc, char **argv)
{
	size_t total = 0;

	for (int i = 1; i < argc; i++)
		total = add_length(total, parse(argv[i]));
	printf("%zu\n", total);
	return 0;
}
