// realloc carries terms along, in place or not; reallocarray and a growing buffer too.
// tandem: trace @
// stdin: abcdefghijklmnopqrstuvwxyz
// expect: main +taken .*stdin\[1\]
// expect: main +not taken .*stdin\[20\]
// never: lost
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *t = malloc(4);
	t[0] = (char)getchar();
	t[2] = (char)getchar();
	t = realloc(t, 100000);
	if (t[2] == 'b')
		puts("b");
	t = realloc(t, 3);
	size_t n = 0, room = 2;
	char *line = NULL;
	for (int c; (c = getchar()) != EOF; line[n++] = (char)c)
		if (!line || n == room)
			line = reallocarray(line, room *= 2, 1);
	if (line[18] == 'U' && t[0] == 'a')
		puts("U");
	free(line);
	free(t);
	return 0;
}
