/* What the tests of src/run share: each test program is also the program it runs. Started as
 * `test --do NAME ARGUMENTS` it does that one thing and exits; started by root it runs all tests once more as
 * an ordinary user (65534). */
#ifndef TANDEM_TESTS_RUN_COMMON_H
#define TANDEM_TESTS_RUN_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "run/scratch.h"
#include "run/target.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char common_self[PATH_MAX];

static inline void common_init(void)
{
	ssize_t n = readlink("/proc/self/exe", common_self, sizeof common_self - 1);
	if (n <= 0)
		exit(99);
	common_self[n] = '\0';
	unsetenv("TMPDIR");
}

/* A spec that runs `self --do NAME ARGUMENT`; words lives as long as the spec. */
static inline struct target_spec common_spec(const struct scratch *s, const char *words[4], const char *name,
	const char *argument)
{
	words[0] = "target";
	words[1] = "--do";
	words[2] = name;
	words[3] = argument ? argument : "";
	return (struct target_spec){
		.program = common_self, .argv = words, .argc = 4, .policy = sandbox_policy_default(s->path),
		.wall_ms = 10000, .output_max = 1 << 16, .trace_fd = -1,
	};
}

static inline void common_ok(bool ok, const struct err *err)
{
	if (!ok)
		print_error("%s\n", err->text);
	assert_true(ok);
}

/* All tests again as nobody, in a fresh process, as the probe's answer is remembered. */
static inline void common_again_as_user(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	pid_t pid = fork();
	if (pid == 0) {
		if (setgid(65534) || setuid(65534) || access(common_self, X_OK) || chdir("/"))
			_exit(77);
		execl(common_self, common_self, (char *)NULL);
		_exit(77);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip(); /* it cannot reach this program */
	assert_int_equal(status, 0);
}

#endif
