// What the library finds out about files, or reads of input, by itself is not followed, and that is said.
// cc: -DHOW=0
// cc: -DHOW=1
// tandem: trace @
// stdin: abc
// file: data abcdef
// expect: read by a function without a model
#define _GNU_SOURCE
#include <ftw.h>
#include <stdio.h>
#include <wchar.h>

static int found;

static int visit(const char *path, const struct stat *s, int kind, struct FTW *where)
{
	(void)kind, (void)where;
	if (path[2] == 'd' && path[3] == 'a' && s->st_size == 7)
		found++;
	return 0;
}

int main(void)
{
	if (HOW == 0 && nftw(".", visit, 4, 0) != 0)
		return 1;
	if (HOW == 1 && getwchar() == L'x')
		found++;
	printf("%d\n", found);
	return 0;
}
