// What the kernel says in /proc is not what the program has written: nothing is unseen.
// tandem: trace @
// stdin: abc
// expect: main +taken +stdin\[0\] == 'a'
// never: written itself
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	char line[64];
	int c = getchar(), fd = open("/proc/self/status", O_RDONLY);
	if (fd < 0 || read(fd, line, sizeof line) <= 0)
		return 2;
	if (c == 'a')
		puts("a");
	return 0;
}
