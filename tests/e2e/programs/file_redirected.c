// Standard input may be closed and opened anew, or be another name of a file: what is read is known by the file.
// tandem: trace @
// stdin: input
// file: data file
// expect: main +not taken .*stdin\[0\]
// expect: main +not taken .*data\[0\]
// expect: main +not taken .*data\[3\]
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	char c;
	if (read(0, &c, 1) != 1)
		return 1;
	if (c == 'x')
		puts("stdin");
	close(0);
	if (open("data", O_RDONLY | O_APPEND) != 0)
		return 2;
	if (getchar() == 'x')
		puts("file");
	if (lseek(0, 3, SEEK_SET) != 3 || read(0, &c, 1) != 1)
		return 3;
	if (c == 'x')
		puts("file, later");
	return 0;
}
