// The size of a file, found out by going to its end.
// cc: -DHOW=0
// cc: -DHOW=1
// cc: -DHOW=2
// tandem: trace @
// file: data abcdef
// expect: len\(data\) (<= 6|!= 8)
// expect: main +not taken .*data\[5\]
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
	FILE *f = fopen("data", "r");
	int fd = open("data", O_RDONLY);
	long n = 0;
	if (!f || fd < 0)
		return 1;
	if (HOW == 0) {
		fseek(f, 0, SEEK_END);
		n = ftell(f);
		fseek(f, 0, SEEK_SET);
	} else if (HOW == 1) {
		n = lseek(fd, 0, SEEK_END);
	} else {
		lseek(fd, 0, SEEK_END);
		n = lseek(fd, 0, SEEK_CUR);
	}
	if (n == 8)
		puts("eight");
	char *all = malloc((size_t)n);
	if (fread(all, 1, (size_t)n, f) != (size_t)n)
		return 2;
	if (all[n - 1] == 'x')
		puts("x");
	free(all);
	return 0;
}
