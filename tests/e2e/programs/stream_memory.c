// What is written to a stream over memory comes back without terms: the trace says so. What is read from one is lost.
// tandem: trace @ abc
// expect: lost.*argv\[1\]\[0\]
// expect: reads what it may have written itself
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	char *text = NULL, *word = argc > 1 ? argv[1] : "none";
	size_t size = 0;
	FILE *from = fmemopen(word, strlen(word) + 1, "r");
	if (getc(from) == 'a')
		puts("a");
	FILE *f = open_memstream(&text, &size);
	fprintf(f, "%s", word);
	fclose(f);
	if (text[0] == 'a')
		puts("a");
	return (int)size;
}
