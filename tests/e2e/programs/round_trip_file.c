// The same through a file, which may be opened anew.
// cc: -DAGAIN=0
// cc: -DAGAIN=1
// tandem: trace @
// stdin: ab
// never: stdin\[0\]
// expect: reads what it may have written itself
#include <stdio.h>

int main(void)
{
	FILE *f = fopen("round-trip", "w+");
	if (!f)
		return 2;
	fputc(getchar(), f);
	if (AGAIN) {
		fclose(f);
		f = fopen("round-trip", "r");
	}
	rewind(f);
	if (fgetc(f) == 'x')
		puts("file");
	return 0;
}
