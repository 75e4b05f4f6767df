/* fork, exec, wait. The environment is ours, with the trace's variable added; the trace is passed on under its own
 * number. Used where every millisecond counts and the input is known, never for inputs that we invented. */
#include "engine/direct.h"

#include "base/mem.h"
#include "run/box.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char **environment(char *variable)
{
	size_t n = 0, to = 0;
	while (environ[n])
		n++;
	char **env = mem_alloc((n + 2) * sizeof *env);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], TD_ENV "=", sizeof TD_ENV) != 0)
			env[to++] = environ[i];
	env[to] = variable;
	return env;
}

/* In the child; says on `failure` why there is no program. */
static void become(const struct direct_spec *spec, char **env, int failure)
{
	for (int i = 0; i < 3; i++)
		if (spec->stdio[i] != i && dup2(spec->stdio[i], i) < 0)
			goto failed;
	if (fcntl(spec->trace_fd, F_SETFD, 0) == 0)
		execve(spec->program, spec->argv, env);
failed:;
	int why = errno;
	(void)!write(failure, &why, sizeof why);
	_exit(127);
}

static bool await(pid_t pid, int wall_ms, struct outcome *out)
{
	struct pollfd watch = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	uint64_t deadline = box_deadline(wall_ms);
	bool killed = false;
	int status = 0;
	while (wall_ms > 0 && watch.fd >= 0) {
		uint64_t at = box_now_us();
		int n = poll(&watch, 1, at < deadline ? (int)((deadline - at) / 1000 + 1) : 0);
		if (n < 0 && errno == EINTR)
			continue;
		killed = n == 0;
		if (killed)
			kill(pid, SIGKILL);
		break;
	}
	if (watch.fd >= 0)
		close(watch.fd);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	box_outcome(out, status, killed);
	return true;
}

bool direct_run(const struct direct_spec *spec, struct outcome *out, struct err *err)
{
	char variable[24];
	int failure[2], why = 0;
	uint64_t start = box_now_us();
	*out = (struct outcome){ .kind = OUTCOME_FAILED_TO_START };
	if (pipe2(failure, O_CLOEXEC))
		return err_errno(err, "cannot make a pipe");
	snprintf(variable, sizeof variable, TD_ENV "=%d", spec->trace_fd);
	char **env = environment(variable);
	pid_t pid = fork();
	if (pid == 0)
		become(spec, env, failure[1]);
	close(failure[1]);
	ssize_t n = pid > 0 ? read(failure[0], &why, sizeof why) : 0;
	close(failure[0]);
	free(env);
	bool ok = pid > 0 ? await(pid, spec->wall_ms, out) : err_errno(err, "cannot start a process");
	out->wall_us = box_now_us() - start;
	if (ok && n == (ssize_t)sizeof why)
		return err_set(err, "%s: cannot execute: %s", spec->program, strerror(why));
	return ok;
}
