// Standard input by other ways than read(0): readv, pread, a duplicate, a stream over it. Its bytes are symbolic, or said to be lost.
// tandem: trace @
// stdin: abcdefgh
// expect: main +not taken .*stdin\[1\]
// expect: main +not taken .*stdin\[3\]
// expect: main +not taken .*stdin\[4\]
// expect: main +not taken .*stdin\[6\]
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
	char a[2] = { 0 }, b[2] = { 0 };
	struct iovec v[2] = { { a, 2 }, { b, 2 } };
	if (readv(0, v, 2) != 4)
		return 1;
	if (a[1] == 'x')
		puts("readv");
	if (b[1] == 'x')
		puts("readv, second part");
	int fd = dup(0);
	if (read(fd, a, 2) != 2)
		return 2;
	if (a[0] == 'x')
		puts("dup");
	if (pread(fd, a, 1, 6) != 1)
		return 3;
	if (a[0] == 'x')
		puts("pread");
	return 0;
}
