// Options through the library's getopt, which has no model: it reads the strings behind argv, so what it saw of them is fixed from then on.
// args: -w 12 -v name -n rest
// stdin: one two three
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int width = 4, verbose = 0, number = 0, c, column = 0;
	while ((c = getopt(argc, argv, "w:vn")) != -1) {
		switch (c) {
		case 'w': width = atoi(optarg); break;
		case 'v': verbose++; break;
		case 'n': number = 1; break;
		default: return 2;
		}
	}
	for (int i = optind; i < argc; i++)
		if (strcmp(argv[i], "rest") == 0)
			puts("rest");
	while ((c = getchar()) != EOF) {
		if (c == ' ' && ++column > width)
			return 3;
		if (verbose && c == '\t')
			puts("tab");
		if (number && c >= '0' && c <= '9')
			width -= c - '0';
	}
	return width < 0;
}
