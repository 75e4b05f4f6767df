// read(2) in small pieces, a lseek back, and the length of the input as conditions of its own.
// tandem: trace @
// stdin: abcdef
// never: len\(stdin\) <= 0
// expect: length +len\(stdin\) > 
// expect: main +taken .*stdin\[1\]
// expect: length +len\(stdin\) <= 
// expect: main +not taken .*stdin\[5\]
// expect: main +taken .*stdin\[2\]
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void)
{
	char b[4] = { 0 };
	ssize_t n = read(0, b, 2);
	if (b[1] == 'b')
		puts("b");
	n = read(0, b, 3);
	n = read(STDIN_FILENO, b, 4);
	printf("%zd\n", n);
	if (b[0] == '!')
		puts("!");
	printf("%zd\n", read(0, b, 4));
	struct iovec part = {b, 4};
	printf("%zd\n", readv(0, &part, 1)); /* at the end as well: as long as read said */
	if (lseek(0, 2, SEEK_SET) != 2 || read(0, b, 1) != 1)
		return 1;
	if (b[0] == 'c')
		puts("c");
	return 0;
}
