// The ways a program is linked: PIE, not PIE, static, sections collected, no debug information, -O0 to -O3.
// cc: -fPIE -pie
// cc: -fno-pie -no-pie -O1
// cc: -static -O2
// cc: -ffunction-sections -fdata-sections -Wl,--gc-sections -g0 -Os
// cc: -s -O2 -std=c99 -D_GNU_SOURCE
// tandem: trace @ word
// stdin: 42
// expect: digits +taken .*stdin\[0\]
// expect: main +taken .*stdin\[1\]
// expect: main +not taken .*argv\[1\]\[0\]
#include <stdio.h>
#include <string.h>

int unused(int x) { return x > 5 ? 1 : 2; }
static int digits(const char *s) { return *s >= '0' && *s <= '9' ? *s - '0' + 10 * digits(s + 1) : 0; }

int main(int argc, char **argv)
{
	char line[32] = "";
	if (!fgets(line, sizeof line, stdin) || digits(line) == 0)
		return 1;
	if (digits(line) == 24)
		puts("42");
	if (argc > 1 && strcmp(argv[1], "work") == 0)
		puts("work");
	printf("%s\n", strrchr(argv[0], '/') ? "path" : "name");
	return 5;
}
