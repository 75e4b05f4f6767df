/* crash: none */
/* tests: argv "12 abc" | argv "word" | argv "5 6 seven" | argv "x 1" */
/* The text of a value is set whenever its tag says text, and only then read. */
#include <stdio.h>
#include <stdlib.h>

enum tag { NUMBER, TEXT };

struct value {
	enum tag tag;
	int number;
	const char *text;
};

static struct value parse(const char *word)
{
	struct value value = {NUMBER, atoi(word), NULL};

	if (word[0] < '0' || word[0] > '9') {
		value.tag = TEXT;
		value.text = word;
	}
	return value;
}

static int first_letter(const struct value *value)
{
	return value->text[0]; /* FALSE: null; a type tag */
}

static int weight(const struct value *value)
{
	if (value->tag == TEXT)
		return first_letter(value);
	return value->number % 100;
}

int main(int argc, char **argv)
{
	struct value value;

	for (int i = 1; i < argc; i++) {
		value = parse(argv[i]);
		printf("%d\n", weight(&value));
	}
	return 0;
}
