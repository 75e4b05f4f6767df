// The process has a number that does not change from run to run, by which it can reach itself; its children have their own.
// tandem: trace @
// stdin: b
// expect: main +not taken .*stdin\[0\] != 'a'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t arrived;
static void handler(int signal) { arrived = signal; }

int main(void)
{
	pid_t self = getpid();
	int status;
	signal(SIGUSR1, handler);
	if (kill(self, SIGUSR1) || arrived != SIGUSR1)
		return 1;
	pid_t child = fork();
	if (child == 0)
		_exit(getpid() == self);
	if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 0)
		return 2;
	srand((unsigned)getpid());
	if (getchar() == 'a' && rand() % 2)
		puts("a");
	return 0;
}
