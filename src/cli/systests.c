/* See systests.h. A directory of recordings may be of several programs: what was made by another one is left out. */
#include "cli/systests.h"

#include "cli/cli.h"
#include "engine/runner.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WALL_MS = 10000 };

struct session {
	struct systests *all;
	const struct unit_program *program;
	const char *path;
	struct runner *runner;
	struct arena *arena;
};

/* A build that is gone may have been the same program: its name decides then. */
static bool is_of(const struct session *s, const struct casefile *c)
{
	char its[PATH_MAX], ours[PATH_MAX];
	if (!c->program || (c->build && c->build == s->program->facts.modules[0].build))
		return true;
	if (realpath(c->program, its) && realpath(s->path, ours))
		return strcmp(its, ours) == 0;
	const char *name = strrchr(c->program, '/'), *own = strrchr(s->path, '/');
	return strcmp(name ? name + 1 : c->program, own ? own + 1 : s->path) == 0;
}

static void add_coverage(struct session *s, const struct trace *t)
{
	uint8_t *taken = coverage_taken(t, &s->program->facts);
	coverage_add(&s->all->coverage, taken, t->edges_count);
	free(taken);
}

static bool run_case(struct session *s, const char *file, struct err *err)
{
	struct casefile c;
	struct outcome out;
	struct trace t;
	struct err why = {0};
	if (!cases_read(&c, file, s->arena, err))
		return false;
	if (!is_of(s, &c)) {
		s->all->others++;
		return true;
	}
	if (!runner_run(s->runner, &c.input, &out, &t, &why)) {
		s->all->failed++;
		return true;
	}
	outcome_free(&out);
	s->all->runs++;
	vec_push(&s->all->feeds, c.input);
	if (t.header) {
		profile_add(s->all->profile, &t);
		add_coverage(s, &t);
	}
	return true;
}

bool systests_run(struct systests *all, const struct unit_program *p, const char *path, const struct cases *cases, bool sandbox, struct arena *arena, struct err *err)
{
	struct runner_options o = { .program = path, .flags = TD_CALLS, .sandbox = sandbox, .wall_ms = WALL_MS };
	struct session s = { .all = all, .program = p, .path = path, .arena = arena, .runner = runner_open(&o, err) };
	bool ok = s.runner;
	all->profile = profile_new(p);
	for (size_t i = 0; ok && i < cases->count && !cli_stopped; i++)
		ok = run_case(&s, cases->at[i], err);
	runner_close(s.runner);
	return ok;
}

void systests_free(struct systests *s)
{
	profile_free(s->profile);
	coverage_free(&s->coverage);
	vec_free(&s->feeds);
}

static int record(char **command, const char *directory)
{
	static char name[] = "tandem check", only[] = "--record-only", out[] = "--out", end[] = "--";
	VEC(char *) words = {0};
	char *copy = strdup(directory);
	char *first[] = { name, only, out, copy, end };
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		vec_push(&words, first[i]);
	for (; *command; command++)
		vec_push(&words, *command);
	vec_push(&words, NULL);
	dup2(STDERR_FILENO, STDOUT_FILENO); /* what the tests say is no result of ours */
	int status = cmd_check((int)words.count - 1, words.at);
	free(copy);
	vec_free(&words);
	return status;
}

bool systests_record(char **command, const char *directory, struct err *err)
{
	int status = 0;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		exit(record(command, directory));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return err_errno(err, "%s could not be run", command[0]);
	if (WIFEXITED(status) && WEXITSTATUS(status))
		fprintf(stderr, "tandem unit: note: %s ended with status %d; what it ran before counts\n", command[0], WEXITSTATUS(status));
	return true;
}
