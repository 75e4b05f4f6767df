// What a library function writes is no longer symbolic, and nothing else of it is touched, or fixed.
// tandem: trace @
// stdin: 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789abcdefghijklmnopqrst
// expect: main +.*taken .*stdin\[129\] .= 'b'
// expect: main +.*taken .*stdin\[141\] .= 'n'
// never: lost
// never: stdin\[5\]
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct all {
	sigset_t set;
	char name[8];
	int status;
	char more[8];
};

int main(void)
{
	struct all x;
	if (read(0, &x, sizeof x) < 148)
		return 1;
	sigemptyset(&x.set);
	if (((char *)&x.set)[5])
		return 2;
	if (x.name[1] == 'b')
		puts("b");
	if (wait(&x.status) != -1)
		return 3;
	if (x.more[1] == 'n')
		puts("n");
	return 0;
}
