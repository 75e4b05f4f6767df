// The ways to read standard input, one after the other on one stream: each byte keeps its place in the input.
// tandem: trace @
// stdin: first line\nsecond\nxyz0123456789tail:end
// expect: main +not taken .*stdin\[0\]
// expect: main +taken .*stdin\[11\]
// expect: main +taken .*stdin\[18\]
// expect: main +not taken .*stdin\[20\]
// expect: main +taken .*stdin\[24\]
// expect: main +not taken .*stdin\[31\]
// expect: main +not taken .*stdin\[36\]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
	char *line = NULL, small[4], buffer[16];
	size_t room = 0;
	if (getline(&line, &room, stdin) < 0)
		return 1;
	if (line[0] == 'F')
		puts("F");
	if (!fgets(buffer, sizeof buffer, stdin))
		return 2;
	if (buffer[0] == 's')
		puts("s");
	int c = getc(stdin);
	ungetc(c, stdin);
	if (getchar() == 'x')
		puts("x");
	ungetc('q', stdin);
	if (!fgets(small, sizeof small, stdin))
		return 3;
	if (small[2] == 'Z')
		puts("Z");
	size_t n = fread(buffer, 2, 5, stdin);
	if (buffer[3] == '3')
		printf("%zu\n", n);
	n = (size_t)getdelim(&line, &room, ':', stdin);
	if (line[0] == 'T')
		printf("%zu\n", n);
	if (fgetc(stdin) == 'E')
		puts("E");
	while ((c = getchar_unlocked()) != EOF)
		putchar(c);
	printf(" %d %d %zd\n", feof(stdin) != 0, ferror(stdin), read(0, buffer, 4));
	free(line);
	return 0;
}
