// fork and vfork in the program: the child computes and reports by its status; it writes nothing into the trace.
// tandem: trace @
// stdin: ab
// expect: the program forked
// expect: main +taken .*stdin\[0\]
// expect: main +not taken .*stdin\[1\]
// never: child_only
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int child_only(int c)
{
	if (c == 'a')
		return 17;
	return 18;
}

int main(void)
{
	int a = getchar(), b = getchar(), status = 0;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0)
		_exit(child_only(a));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 1;
	printf("%d\n", WEXITSTATUS(status));
	pid = vfork();
	if (pid == 0)
		_exit(3);
	waitpid(pid, &status, 0);
	printf("%d\n", WEXITSTATUS(status));
	if (a == 'a')
		puts("a");
	if (b == 'B')
		puts("B");
	return 0;
}
