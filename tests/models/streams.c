/* Reading. The input is what is read. */
// case: lines = one\ntwo three\n\nlast line
// case: high-bytes = \0377\0376\n\0200\0\0377abc\n
// case: embedded-nul = a\0b\nc\0\0d\n
// case: one-byte = x
#define _GNU_SOURCE
#define STREAM
#include "harness.h"

#include <sys/uio.h>

char *__fgets_chk(char *, size_t, int, FILE *), *__fgets_unlocked_chk(char *, size_t, int, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *), __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
ssize_t __read_chk(int, void *, size_t, size_t), __pread_chk(int, void *, size_t, off_t, size_t);

#define READS_BYTES(name, call) TEST(name) { for (int i = 0; i < 30; i++) give((uint64_t)(call)); give_truth(feof(stdin)); give_truth(ferror(stdin)); }
READS_BYTES(fgetc, fgetc(stdin))
READS_BYTES(fgetc_unlocked, fgetc_unlocked(stdin))
READS_BYTES(getc, getc(stdin))
READS_BYTES(getc_unlocked, getc_unlocked(stdin))
READS_BYTES(getchar, getchar())
READS_BYTES(getchar_unlocked, getchar_unlocked())

#define READS_LINES(name, call) \
	TEST(name) \
	{ \
		for (int i = 0; i < 6; i++) { \
			char line[8] = "#######"; \
			give_at(call, line); \
			give_bytes(line, 8); \
		} \
		give_truth(feof(stdin)); \
	}
READS_LINES(fgets, fgets(line, 8, stdin))
READS_LINES(fgets_unlocked, fgets_unlocked(line, 8, stdin))
READS_LINES(__fgets_chk, __fgets_chk(line, 8, 6, stdin))
READS_LINES(__fgets_unlocked_chk, __fgets_unlocked_chk(line, 8, 8, stdin))

#define READS_ITEMS(name, call) \
	TEST(name) \
	{ \
		for (int i = 0; i < 4; i++) { \
			char items[12] = "###########"; \
			give(call); \
			give_bytes(items, 12); \
		} \
		give_truth(feof(stdin)); \
	}
READS_ITEMS(fread, fread(items, 3, 4, stdin))
READS_ITEMS(fread_unlocked, fread_unlocked(items, 4, 2, stdin))
READS_ITEMS(__fread_chk, __fread_chk(items, 12, 1, 7, stdin))
READS_ITEMS(__fread_unlocked_chk, __fread_unlocked_chk(items, 12, 5, 2, stdin))
READS_ITEMS(read, (uint64_t)read(0, items, 7))
READS_ITEMS(__read_chk, (uint64_t)__read_chk(0, items, 7, 12))
READS_ITEMS(pread, (uint64_t)pread(0, items, 7, 2 * i))
READS_ITEMS(__pread_chk, (uint64_t)__pread_chk(0, items, 7, i, 12))
READS_ITEMS(readv, (uint64_t)readv(0, (struct iovec[]){{items, 3}, {items + 5, 6}}, 2))

TEST(ungetc)
{
	int c = getc(stdin), d = getc(stdin);
	give((uint64_t)ungetc(d, stdin));
	give((uint64_t)getc(stdin));
	give((uint64_t)ungetc('x', stdin));
	give((uint64_t)getc(stdin));
	give((uint64_t)getc(stdin));
	give((uint64_t)ungetc(EOF, stdin));
	give((uint64_t)c);
}

#define READS_TEXT(name, call) \
	TEST(name) \
	{ \
		char *line = NULL; \
		size_t room = 0; \
		for (int i = 0; i < 4; i++) { \
			ssize_t n = call; \
			give((uint64_t)n); \
			if (n > 0) \
				give_bytes(line, (size_t)n + 1); \
		} \
		give(room); \
		free(line); \
	}
READS_TEXT(getline, getline(&line, &room, stdin))
READS_TEXT(getdelim, getdelim(&line, &room, i & 1 ? 'b' : ' ', stdin))
