// A small archive, by descriptors and by a mapping: a header with a checksum, entries with offset and size, which are read by
// pread; size and mode of the file count.
// file: data.arc TARC\002\052\020\004\024\005DATAabcdhello
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry { uint8_t offset, size; };

static int check(const uint8_t *m, size_t n, unsigned count, uint8_t sum)
{
	uint8_t s = 0;
	for (unsigned i = 0; i < count && 6 + 2 * i + 1 < n; i++)
		s = (uint8_t)(s + m[6 + 2 * i] + m[6 + 2 * i + 1]);
	return s == sum;
}

int main(void)
{
	struct stat s;
	struct entry e;
	char text[16];
	int fd = open("data.arc", O_RDONLY), second = open("data.arc", O_RDONLY);
	if (fd < 0 || second < 0 || fstat(fd, &s) != 0)
		return 1;
	if (s.st_size < 12 || s.st_size > 200) {
		puts("size");
		return 2;
	}
	if (s.st_mode & (S_IWGRP | S_IWOTH))
		puts("anybody can write to it");
	if (s.st_mtime > 2000000000)
		puts("from the future");
	const uint8_t *m = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (m == MAP_FAILED || memcmp(m, "TARC", 4) != 0) {
		puts("no archive");
		return 3;
	}
	unsigned count = m[4];
	if (!check(m, (size_t)s.st_size, count, m[5]))
		puts("checksum");
	for (unsigned i = 0; i < count && i < 4; i++) {
		if (pread(second, &e, 2, 6 + 2 * (off_t)i) != 2)
			break;
		if (e.offset + e.size > s.st_size || e.size >= sizeof text) {
			printf("entry %u is outside\n", i);
			continue;
		}
		ssize_t n = pread(fd, text, e.size, e.offset);
		text[n > 0 ? n : 0] = 0;
		printf("%u: %s\n", i, strcmp(text, "hello") == 0 ? "greeting" : text);
	}
	if (lseek(second, 0, SEEK_END) != s.st_size)
		puts("never");
	return access("data.arc", X_OK) == 0;
}
