// A file is one object of bytes, whatever way it is read: streams, descriptors, at offsets, in parts, mapped, twice at once.
// tandem: trace @
// file: data abcdefghijklmnopqrstuvwxyz
// expect: main +not taken .*data\[0\]
// expect: main +not taken .*data\[1\]
// expect: main +not taken .*data\[5\]
// expect: main +not taken .*data\[2\]
// expect: main +not taken .*data\[7\]
// expect: main +not taken .*data\[9\]
// expect: main +not taken .*data\[12\]
// expect: main +not taken .*data\[13\]
// expect: main +not taken .*data\[20\]
// expect: main +not taken .*data\[10\]
// expect: main +not taken .*data\[3\]
// expect: main +not taken .*data\[25\]
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define ASK(c, what) do { if ((c) == '!') puts(what); } while (0)

int main(void)
{
	char a[4] = "", b[4] = "", *line = NULL;
	size_t room = 0;
	FILE *f = fopen("data", "r");
	int fd = open("./data", O_RDONLY);
	if (!f || fd < 0)
		return 1;
	ASK(fgetc(f), "fgetc");
	if (read(fd, a, 2) != 2)
		return 2;
	ASK(a[1], "read");
	fseek(f, 5, SEEK_SET);
	ASK(fgetc(f), "fseek");
	int other = dup(fd);
	if (read(other, a, 1) != 1)
		return 3;
	ASK(a[0], "dup");
	lseek(fd, 4, SEEK_CUR);
	if (read(other, a, 1) != 1)
		return 4;
	ASK(a[0], "lseek");
	if (pread(fd, a, 2, 8) != 2)
		return 5;
	ASK(a[1], "pread");
	struct iovec parts[2] = { { a, 3 }, { b, 2 } };
	if (preadv(fd, parts, 2, 10) != 5)
		return 6;
	ASK(a[2], "preadv");
	ASK(b[0], "preadv, second part");
	char *m = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, openat(AT_FDCWD, "data", O_RDONLY), 0);
	if (m == MAP_FAILED)
		return 7;
	ASK(m[20], "mmap");
	FILE *g = fdopen(dup(fd), "r"); /* shares the position of fd, which is 8 */
	fseek(g, 10, SEEK_SET);
	if (getline(&line, &room, g) < 1)
		return 8;
	ASK(line[0], "getline");
	rewind(g);
	if (fread(b, 1, 4, g) != 4)
		return 9;
	ASK(b[3], "fread");
	fseek(g, -1, SEEK_END);
	ASK(fgetc(g), "from the end");
	free(line);
	return 0;
}
