/* crash: argv "--" */
/* tests: argv "ab,c" | argv "one,two" | argv "x" | argv "-x-" */
/* Two pointers, to the first character and behind the last, of a block without a null. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_blank(char c)
{
	return c == ' ' || c == ',' || c == '-';
}

static const char *word_end(const char *ptr, const char *end)
{
	while (ptr < end && !is_blank(*ptr)) /* FALSE: upper; whoever calls it has the end of what the first one leads to */
		ptr++;
	return ptr;
}

static const char *next_word(const char *ptr, const char *end)
{
	while (ptr != end && is_blank(*ptr)) /* FALSE: upper; likewise */
		ptr++;
	return ptr;
}

static char initial(const char *ptr, const char *end)
{
	ptr = next_word(ptr, end);
	return *ptr; /* TRUE: upper */
}

static int count(const char *ptr, const char *end)
{
	int words = 0;

	while (ptr < end) {
		ptr = word_end(next_word(ptr, end), end);
		words++;
	}
	return words;
}

int main(int argc, char **argv)
{
	size_t length;
	char *text;

	if (argc < 2 || !argv[1][0])
		return 1;
	length = strlen(argv[1]);
	text = malloc(length);
	if (!text)
		return 1;
	memcpy(text, argv[1], length);
	printf("%c %d\n", initial(text, text + length), count(text, text + length));
	free(text);
	return 0;
}
