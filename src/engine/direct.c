/* fork, exec, wait. The environment is ours, with the trace's variable added; the trace is passed on under its own
 * number. Used where every millisecond counts and the input is known, never for inputs that we invented.
 *
 * Or just exec: then the program has the process that was started in its name, with the parent, the signals, the terminal and the exit status
 * it would have without us. Somebody else has to read the trace: a process that was forked off before, and waits. */
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

static char *variable_of(int trace_fd, char text[24])
{
	snprintf(text, 24, TD_ENV "=%d", trace_fd);
	return text;
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

/* Until the process has ended, or for so long; then it is killed. */
static bool outlast(int process, int wall_ms)
{
	struct pollfd watch = { .fd = process, .events = POLLIN };
	uint64_t deadline = box_deadline(wall_ms);
	for (;;) {
		uint64_t at = box_now_us();
		int left = wall_ms <= 0 ? -1 : at < deadline ? (int)((deadline - at) / 1000 + 1) : 0;
		int n = poll(&watch, 1, left);
		if (n == 0)
			syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
		if (n >= 0 || errno != EINTR)
			return n == 0;
	}
}

static bool await(pid_t pid, int wall_ms, struct outcome *out)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0), status = 0;
	bool killed = process >= 0 && wall_ms > 0 && outlast(process, wall_ms);
	if (process >= 0)
		close(process);
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
	char **env = environment(variable_of(spec->trace_fd, variable));
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

/* --- in our place --- */

/* In the process that stays. Standard input is the program's process; main has seen to it that all three are taken. */
static void watch(int process, int log, int wall_ms, direct_end *end, void *context)
{
	bool sound = dup2(process, 0) == 0 && dup2(log, 1) == 1 && dup2(log, 2) == 2 && close_range(3, ~0u, 0) == 0;
	if (sound)
		end(context, outlast(0, wall_ms));
	_exit(!sound);
}

bool direct_watch(int log, int wall_ms, direct_end *end, void *context, struct err *err)
{
	int process = (int)syscall(SYS_pidfd_open, getpid(), 0), status = -1;
	errno = 0;
	pid_t middle = process >= 0 ? fork() : -1;
	if (middle == 0) {
		setsid();
		pid_t watcher = fork();
		if (watcher == 0)
			watch(process, log, wall_ms, end, context);
		_exit(watcher < 0);
	}
	while (middle > 0 && waitpid(middle, &status, 0) < 0 && errno == EINTR)
		;
	if (middle > 0 && errno == ECHILD)
		status = 0; /* SIGCHLD is ignored, as it may be in a program's place: nobody knows */
	if (process >= 0)
		close(process);
	return status == 0 || err_errno(err, "cannot start a process");
}

void direct_become(const char *program, char *const *argv, int trace_fd, struct err *err)
{
	char variable[24];
	char **env = environment(trace_fd >= 0 ? variable_of(trace_fd, variable) : NULL);
	if (trace_fd < 0 || fcntl(trace_fd, F_SETFD, 0) == 0)
		execve(program, argv, env);
	err_errno(err, "%s: cannot execute", program);
	free(env);
}
