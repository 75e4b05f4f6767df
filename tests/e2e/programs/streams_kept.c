// What a run makes of its standard streams is not there in the next one.
// tandem: trace @
// stdin: abc
// expect: main +taken +stdin\[0\] == 'a'
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
	for (int fd = 0; fd < 3; fd++) {
		int flags = fcntl(fd, F_GETFL);
		if (flags < 0 || flags & O_NONBLOCK)
			return 2;
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	}
	if (getchar() == 'a')
		puts("a");
	return 0;
}
