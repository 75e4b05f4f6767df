// strtol with a base that is none: EINVAL, and the end pointer is left alone, as glibc does.
// tandem: trace @ 5
// expect: main +taken .*argv\[1\]\[0\]
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static const int bases[] = { -1, 1, 37, 1000 };
	for (int i = 0; i < 4; i++) {
		char *end = NULL;
		errno = 0;
		long l = strtol(argv[1], &end, bases[i]);
		printf("%ld %d %d\n", l, errno, end == NULL);
	}
	if (argv[1][0] == '5')
		puts("5");
	return 0;
}
