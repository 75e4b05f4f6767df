// Variables of the environment: their values are symbolic, by getenv and by environ, with exact bounds; those that were not given are not.
// tandem: trace @
// env: LEVEL=low
// env: EMPTY=
// expect: main +not taken .*\$LEVEL\[0\]
// expect: not taken .*\$LEVEL\[2\]
// expect: main +not taken .*\$EMPTY\[0\]
// never: \$PATH
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(void)
{
	const char *level = getenv("LEVEL"), *empty = getenv("EMPTY"), *path = getenv("PATH");
	if (!level || !empty || !path || getenv("NOT_THERE"))
		return 1;
	if (level[0] == 'h')
		puts("high");
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "LEVEL=", 6) == 0 && (*e)[8] == 't')
			puts("lot");
	if (*empty)
		puts("not empty");
	if (path[0] != '/' && path[0] != '.')
		puts("odd path");
	return 0;
}
