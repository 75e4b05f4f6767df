// String functions: the models decide as the library does, and each decision depends on the bytes.
// tandem: trace @ key=value
// stdin: one two three\n
// expect: strchr.* taken .*argv\[1\]\[3\] == '='
// expect: main +not taken .*argv\[1\]\[0\]
// expect: main +not taken .*argv\[1\]\[4\]
// expect: (strtok|strspn|strcspn|strchrnul).*stdin\[0\]
// expect: main +taken .*stdin\[4\]
// expect: main +not taken .*stdin\[
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(int argc, char **argv)
{
	char line[64], copy[64], *rest = NULL, *equals = strchr(argv[1], '=');
	if (!equals || strncmp(argv[1], "key", 3) != 0)
		return 1;
	if (strcmp(equals + 1, "other") == 0)
		puts("other");
	if (!fgets(line, sizeof line, stdin))
		return 2;
	strcpy(copy, line);
	strncat(copy, "tail", 2);
	char *first = strtok_r(line, " \n", &rest), *second = strtok_r(NULL, " \n", &rest), *third = strtok_r(NULL, " \n", &rest);
	if (!second || !third)
		return 3;
	if (memcmp(second, "two", 3) == 0)
		puts("second is two");
	if (strcasecmp(third, "FOUR") == 0)
		puts("four");
	char *again = strdup(copy), *found = strstr(again, "three");
	printf("%s %s %zu %zu %s %s\n", first, third, strlen(copy), strspn(copy, "eno"), found ? "found" : "-", strpbrk(again, "xyzw") + 1);
	if (memchr(copy, '#', strlen(copy)) || strrchr(copy, '~') || strnlen(copy, 5) < 5)
		puts("?");
	free(again);
	return 0;
}
