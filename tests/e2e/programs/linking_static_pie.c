// A static program that is position independent all the same.
// cc: -static-pie -fPIE
// tandem: trace @ word
// stdin: 42
// expect: main +taken .*stdin\[0\]
// expect: main +not taken .*argv\[1\]\[3\]
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (getchar() == '4')
		puts("4");
	if (argc > 1 && memcmp(argv[1], "work", 4) == 0)
		puts("work");
	return 5;
}
