// What the program has written to its own input is no longer the input's, and that is said.
// cc: -DHOW=0
// cc: -DHOW=1
// cc: -DHOW=2
// tandem: trace @
// file: data abcdef
// expect: main +not taken .*data\[0\]
// expect: reads what it may have written itself
// never: data\[[23]\]
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	char c;
	int fd = open("data", O_RDWR);
	if (fd < 0 || pread(fd, &c, 1, 0) != 1)
		return 1;
	if (c == 'x')
		puts("first");
	if (HOW == 0 && pwrite(fd, "ABCD", 4, 0) != 4)
		return 2;
	if (HOW == 1) {
		FILE *f = fopen("data", "a");
		if (!f || fputs("more", f) < 0 || fclose(f) != 0)
			return 3;
	}
	if (HOW == 2) {
		char *m = mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd, 0);
		if (m == MAP_FAILED)
			return 4;
		m[2] = 'X';
		msync(m, 4096, MS_SYNC);
	}
	if (pread(fd, &c, 1, 2) != 1)
		return 5;
	if (c == 'x')
		puts("second");
	if (pread(fd, &c, 1, 3) != 1)
		return 6;
	if (c == 'x')
		puts("third");
	return 0;
}
