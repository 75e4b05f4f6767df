// Symbolic data written to a pipe and a file and read back: symbolic still, or said to be lost; never taken for constant.
// tandem: trace @
// stdin: ab
// expect: (taken|lost) .*stdin\[0\]
// expect: (taken|lost) .*stdin\[1\]
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	int p[2];
	char c = (char)getchar(), d = 0;
	if (pipe(p) || write(p[1], &c, 1) != 1 || read(p[0], &d, 1) != 1)
		return 1;
	if (d == 'x')
		puts("pipe");
	FILE *f = fopen("round-trip", "w+");
	if (!f)
		return 2;
	fputc(getchar(), f);
	rewind(f);
	if (fgetc(f) == 'x')
		puts("file");
	return 0;
}
