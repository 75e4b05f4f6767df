/* crash: argv "abcdefghijklmnop" */
/* tests: argv "abc" | argv "hello" | argv "abcdefghijklmno" | argv "abcdefghijklmnopq" */
/* A string that just fits into its heap buffer leaves no room for the final NUL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 16

static char *duplicate(const char *text, size_t length)
{
	char *copy = malloc(ROOM);

	if (!copy)
		return NULL;
	for (size_t i = 0; i < length && i < ROOM; i++)
		copy[i] = text[i];
	copy[length] = '\0'; /* TRUE: upper */
	return copy;
}

static char *keep(const char *text)
{
	size_t length = strlen(text);

	return length > ROOM ? NULL : duplicate(text, length);
}

static void show(const char *text)
{
	puts(text ? text : "too long");
}

int main(int argc, char **argv)
{
	char *copy;

	if (argc < 2)
		return 1;
	copy = keep(argv[1]);
	show(copy);
	free(copy);
	return 0;
}
