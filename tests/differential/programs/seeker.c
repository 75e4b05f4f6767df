// A file of numbers with an index at its end, by a stream: ftell for its size, seeks to and fro, ungetc, a second stream over
// the same file, feof.
// file: numbers 12 7 300 -4 x 99\n@8 3 0\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long number_at(FILE *f, long at)
{
	char text[8];
	int n = 0, c;
	if (fseek(f, at, SEEK_SET) != 0)
		return -1;
	while ((c = getc(f)) != EOF && c != ' ' && c != '\n' && n < 7)
		text[n++] = (char)c;
	if (c != EOF)
		ungetc(c, f);
	text[n] = 0;
	if (getc(f) == '\n')
		puts("last of its line");
	return atol(text);
}

int main(void)
{
	char line[16];
	FILE *f = fopen("numbers", "r"), *g = fopen("numbers", "r");
	if (!f || !g)
		return 1;
	fseek(f, 0, SEEK_END);
	long size = ftell(f), sum = 0;
	if (size > 40)
		puts("large");
	int c, lines = 0;
	while ((c = fgetc(g)) != EOF)
		if (c == '@')
			break;
		else
			lines += c == '\n';
	if (c == EOF || feof(g)) {
		puts("no index");
		return 2;
	}
	if (!fgets(line, sizeof line, g))
		return 3;
	for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
		long at = atol(word);
		if (at < 0 || at >= size) {
			puts("outside");
			continue;
		}
		if (at == 8 || at == 3 || at == 0)
			sum += number_at(f, at);
	}
	rewind(g);
	if (fgetc(g) == '1' && fgetc(g) == '3')
		puts("thirteen");
	printf("%d lines, %ld\n", lines, sum);
	return 0;
}
