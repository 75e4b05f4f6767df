// Symbolic data written to a pipe and read back: its terms are gone, and the trace says so. A file that was there before is no such thing.
// tandem: trace @
// stdin: ab
// expect: main +not taken +stdin\[1\] != 'y'
// expect: reads what it may have written itself
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	int p[2];
	char c = (char)getchar(), d = 0;
	FILE *f = fopen("/etc/hostname", "r");
	if (f && fgetc(f) == 'x' && getchar() == 'x')
		puts("there before");
	if (getchar() == 'y')
		puts("y");
	if (pipe(p) || write(p[1], &c, 1) != 1 || read(p[0], &d, 1) != 1)
		return 1;
	if (d == 'x')
		puts("pipe");
	return 0;
}
