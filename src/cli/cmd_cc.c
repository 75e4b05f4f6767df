/* tandem cc: the compiler is a program of its own beside this one, so that CC=tandem-cc works as well. */
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int cmd_cc(int argc, char **argv)
{
	static const char name[] = "tandem-cc";
	char path[PATH_MAX + sizeof name];
	struct err err = {0};
	(void)argc;
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	if (n <= 0) {
		err_errno(&err, "cannot find out where tandem is installed");
		return cli_fail(CLI_INTERNAL, &err);
	}
	path[n] = '\0';
	char *slash = strrchr(path, '/');
	strcpy(slash + 1, name);
	argv[0] = path; /* by its path: it looks for its libraries beside itself */
	execv(path, argv);
	err_errno(&err, "cannot start %s", path);
	return cli_fail(CLI_INTERNAL, &err);
}
