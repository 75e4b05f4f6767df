// getopt_long on symbolic arguments: long and short options, one that is not the first of all; messages are the library's.
// cc: -O1
// cc: -static
// tandem: trace @ file --verb -n12 --name=x -q
// expect: stdin|argv\[2\]
// never: lost
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static const struct option longs[] = {{"verbose", 0, NULL, 'v'}, {"name", 1, NULL, 'm'}, {NULL, 0, NULL, 0}};
	int (*next)(int, char *const *, const char *, const struct option *, int *) = getopt_long, c, result = 0;
	while ((c = optind < 3 ? getopt_long(argc, argv, "vn:", longs, NULL) : next(argc, argv, "vn:", longs, NULL)) != -1) {
		switch (c) {
		case 'v': result += 1; break;
		case 'n': result += atoi(optarg); break;
		case 'm': result += optarg[0] == 'x' ? 100 : 0; break;
		default: result += 50; break;
		}
	}
	printf("%d %d %s\n", result, optind, argv[optind] ? argv[optind] : "-");
	return result == 163;
}
