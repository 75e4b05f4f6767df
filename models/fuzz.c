/* The main of a program that has LLVMFuzzerTestOneInput and none of its own: it reads the file that its first argument names, or
 * standard input, into a block of just that size, and calls the function once. */
#include "model.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { BLOCK = 4096 };

/* All of it; NULL: there is no memory. */
static uint8_t *read_all(int fd, size_t *size)
{
	size_t room = BLOCK, n = 0;
	uint8_t *all = MODEL(malloc)(room);
	for (ssize_t got; all && (got = MODEL(read)(fd, all + n, room - n)) > 0;) {
		n += (size_t)got;
		if (n == room)
			all = MODEL(realloc)(all, room *= 2);
	}
	uint8_t *exact = all ? MODEL(malloc)(n) : NULL;
	if (exact)
		MODEL(memcpy)(exact, all, n);
	MODEL(free)(all);
	*size = n;
	return exact;
}

int main(int argc, char **argv)
{
	size_t size;
	int fd = 0;
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	if (argc > 1 && (fd = open(argv[1], O_RDONLY)) < 0) {
		perror(argv[1]);
		return 1;
	}
	uint8_t *data = read_all(fd, &size);
	if (!data) {
		fputs("no memory\n", stderr);
		return 1;
	}
	LLVMFuzzerTestOneInput(data, size);
	MODEL(free)(data);
	return 0;
}
