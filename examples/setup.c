/* What a program does may depend on more than its input: here on a file, on who may write to it, and on a variable of the environment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int main(void)
{
	char line[32];
	struct stat s;
	const char *mode = getenv("MODE");
	FILE *f = fopen("app.conf", "r");
	if (!f || !fgets(line, sizeof line, f) || fstat(fileno(f), &s) != 0)
		return 1;
	if (strcmp(line, "debug\n") == 0 && s.st_mode & S_IWOTH && mode && strcmp(mode, "test") == 0)
		abort();
	return 0;
}
