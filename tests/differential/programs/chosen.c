// What a library function is given is chosen by the input: blocks, streams, numbers. Its result is another one then.
// stdin: \0001\0002\0001\0000\0003\0001
#include <libintl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int a[5] = { 1, 2, 3, 4, 5 }, b[5] = { 6, 7, 8, 9, 10 };
static int *const rows[2] = { a, b };

int main(void)
{
	unsigned char in[6];
	if (fread(in, 1, sizeof in, stdin) != sizeof in)
		return 1;
	char *blocks[4];
	for (int i = 0; i < 4; i++) {
		blocks[i] = malloc((size_t)(8 + 100 * i));
		memset(blocks[i], 'a' + i, 8);
	}
	if (malloc_usable_size(blocks[in[0] & 3]) > 200)
		puts("large");
	char *grown = realloc(blocks[in[1] & 3], 4096);
	if (grown && grown[0] == 'c')
		puts("third");
	FILE *streams[2] = { stdin, stdout };
	if (fileno(streams[in[2] & 1]) == 1)
		puts("output");
	if (ngettext("file", "things", in[3])[0] == 't')
		puts("several");
	if (rows[in[5] & 1][in[4] % 5] == 9)
		puts("nine");
	return 0;
}
