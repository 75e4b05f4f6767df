/* See jobs.h. A job is a line that starts with a space and a quote; arguments are quoted, with backslash escapes. */
#include "compile/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Reads one quoted argument at *p; NULL at the end of the line or on anything else. */
static char *parse_argument(const char **p)
{
	LIST(char) text = {0};
	while (**p == ' ')
		(*p)++;
	if (**p != '"')
		return NULL;
	for ((*p)++; **p && **p != '"'; (*p)++) {
		if (**p == '\\' && (*p)[1])
			(*p)++;
		list_push(&text, **p);
	}
	if (**p == '"')
		(*p)++;
	list_push(&text, '\0');
	return text.at;
}

static struct job parse_job(const char **p)
{
	LIST(char *) arguments = {0};
	for (char *a; (a = parse_argument(p));)
		list_push(&arguments, a);
	struct job job = {NULL, (int)arguments.count};
	list_push(&arguments, NULL);
	job.argv = arguments.at;
	return job;
}

bool jobs_parse(struct jobs *jobs, const char *text)
{
	for (const char *p = text; *p;) {
		if (p[0] == ' ' && p[1] == '"') {
			struct job job = parse_job(&p);
			list_push(&jobs->list, job);
		}
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
	return jobs->list.count > 0;
}

static char *read_all(int fd)
{
	LIST(char) text = {0};
	char buffer[4096];
	for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;)
		for (ssize_t i = 0; i < n; i++)
			list_push(&text, buffer[i]);
	list_push(&text, '\0');
	return text.at;
}

/* ---- signals ---- */

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t interrupted, under_way;

static void on_signal(int number)
{
	interrupted = number;
	if (under_way > 0)
		kill(under_way, number);
}

void jobs_catch_signals(void)
{
	for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
		struct sigaction old, action = {.sa_handler = on_signal};
		if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
	}
}

int jobs_interrupted(void)
{
	return interrupted;
}

int jobs_wait(pid_t pid)
{
	int status;
	under_way = pid;
	if (interrupted) /* before it was known here */
		kill(pid, interrupted);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	under_way = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- running ---- */

bool jobs_plan(struct jobs *jobs, char *const *command, struct err *err)
{
	int ends[2];
	if (pipe(ends) < 0)
		return err_errno(err, "cannot make a pipe");
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclose(&actions, ends[0]);
	pid_t pid;
	int failed = posix_spawnp(&pid, command[0], &actions, NULL, command, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (failed) {
		close(ends[0]);
		errno = failed;
		return err_errno(err, "cannot run %s", command[0]);
	}
	char *text = read_all(ends[0]);
	close(ends[0]);
	int status = jobs_wait(pid);
	if (status == 127)
		return err_set(err, "cannot run %s: is it installed?", command[0]);
	jobs->failed = status != 0 || !jobs_parse(jobs, text);
	jobs->said = text;
	return true;
}

int jobs_run(char *const *argv, struct err *err)
{
	pid_t pid;
	int failed = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);
	if (failed) {
		errno = failed;
		err_errno(err, "cannot run %s", argv[0]);
		return -1;
	}
	return jobs_wait(pid);
}
