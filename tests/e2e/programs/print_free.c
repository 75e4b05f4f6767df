// What is printed constrains nothing: the number is still free when it is asked about. Only a length that is used is decided.
// tandem: trace @ 4711
// never: lost
// expect: main.*taken
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	size_t bytes = (size_t)n % 4;
	printf("%d %x %5.2s %c\n", n, (unsigned)n, argc > 1 ? argv[1] : "", n % 26 + 'a');
	fprintf(stdout, "%s\n", argc > 1 ? argv[1] : "");
	putchar(argc > 1 ? argv[1][0] : '-');
	puts(argc > 1 ? argv[1] : "");
	fwrite("abcdef", 1, bytes, stdout);
	fflush(stdout);
	if (write(1, "xyz\n", 4 - bytes) < 0)
		return 9;
	puts("");
	if (n == 4711)
		return 3;
	return printf("%d\n", n) > 5;
}
