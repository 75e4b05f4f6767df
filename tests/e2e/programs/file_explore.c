// Magic bytes in a file that has to become longer for them, a variable that does, permissions and time of the file, all found.
// tandem: explore --time 25 --out found @
// file: conf/main x
// env: LEVEL=a
// expect: ^bug: SIGABRT .*\$LEVEL = "deep", conf/main \(mode 0671, 6 bytes\) = "magic\\n"
// expect: ^status 10$
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int main(void)
{
	char line[64];
	struct stat s;
	FILE *f = fopen("conf/main", "r");
	const char *level = getenv("LEVEL");
	if (!f || !fgets(line, sizeof line, f) || !level || stat("conf/main", &s) != 0)
		return 1;
	if (strcmp(line, "magic\n") == 0 && strcmp(level, "deep") == 0 && (s.st_mode & 0777) == 0671 && s.st_mtime == 7)
		abort();
	return 0;
}
