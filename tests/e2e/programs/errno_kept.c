// What the runtime asks the kernel is not the program's business: errno stays, also where a pointer leads nowhere or a stream has no descriptor.
// tandem: trace @
// stdin: ab
// expect: main +taken +stdin\[0\] == 'a'
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static const unsigned char kind[256] = { ['a'] = 1, ['b'] = 2 };
struct half { int n; unsigned char kind[256]; };

int main(void)
{
	static char memory[] = "m";
	FILE *stream = fmemopen(memory, 1, "r");
	char other[64], text[4] = { (char)getchar(), (char)getchar() };
	errno = 0;
	swab((void *)0x10000000, other, 0);
	if (text[0] == 'a')
		puts("a");
	struct half *h = (void *)(kind - sizeof(int));
	int k = h->kind[(unsigned char)text[1]] + kind[(unsigned char)text[1]];
	printf("%d %d\n", k == 4, errno);
	errno = 0;
	int c = fgetc(stream);
	printf("%c %d\n", c, errno);
	fclose(stream);
	return 0;
}
