/* git diff -U0 names files and lines as they are now; a function has all lines from its own to the next one's. The source tree is where the facts say that files are seen from. */
#include "cli/changed.h"

#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct hunk {
	char *file;
	uint32_t first, last;
};

typedef VEC(struct hunk) hunk_list;

/* Where its files are seen from; NULL: it does not say. */
static const char *root_of(const struct unit_program *p)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (p->functions[i].block)
			return facts_string(p->functions[i].block, p->functions[i].block->head->directory);
	return NULL;
}

static FILE *open_diff(const char *root, const char *revision, pid_t *pid)
{
	int ends[2];
	if (pipe(ends) != 0)
		return NULL;
	*pid = fork();
	if (*pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		execlp("git", "git", "-C", root, "diff", "--relative", "--no-color", "--no-ext-diff", "--no-prefix", "-U0", revision, "--", (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	return *pid > 0 ? fdopen(ends[0], "r") : NULL;
}

/* "+++ FILE", then "@@ -1,2 +3,4 @@" for each piece of it. Where lines were only taken out, those around are meant. */
static void read_line(const char *line, char **file, hunk_list *out)
{
	unsigned first = 0, count = 1;
	if (strncmp(line, "+++ ", 4) == 0) {
		free(*file);
		*file = strndup(line + 4, strcspn(line + 4, "\t\n"));
	}
	const char *plus = strncmp(line, "@@ ", 3) == 0 ? strchr(line, '+') : NULL;
	if (!plus || !*file || sscanf(plus, "+%u,%u", &first, &count) < 1)
		return;
	vec_push(out, (struct hunk){ strdup(*file), first, count ? first + count - 1 : first + 1 });
}

static bool read_diff(const char *root, const char *revision, hunk_list *out, struct err *err)
{
	pid_t pid = 0;
	int status = 0;
	char *line = NULL, *file = NULL;
	size_t room = 0;
	FILE *diff = open_diff(root, revision, &pid);
	if (!diff)
		return err_errno(err, "git could not be started");
	while (getline(&line, &room, diff) > 0)
		read_line(line, &file, out);
	free(line);
	free(file);
	fclose(diff);
	waitpid(pid, &status, 0);
	return (WIFEXITED(status) && WEXITSTATUS(status) == 0) || err_set(err, "--changed-since %s: git cannot tell what has changed in %s since then", revision, root);
}

/* The line of the next function of its file. */
static uint32_t end_of(const struct unit_program *p, uint32_t function)
{
	const struct unit_function *f = &p->functions[function];
	uint32_t end = UINT32_MAX;
	for (uint32_t i = 0; i < p->count; i++)
		if (p->functions[i].block && p->functions[i].line > f->line && p->functions[i].line < end && strcmp(p->functions[i].file, f->file) == 0)
			end = p->functions[i].line;
	return end;
}

static bool is_changed(const struct unit_program *p, uint32_t function, const hunk_list *hunks)
{
	const struct unit_function *f = &p->functions[function];
	uint32_t end = end_of(p, function);
	for (size_t i = 0; i < hunks->count; i++)
		if (strcmp(hunks->at[i].file, f->file) == 0 && hunks->at[i].last >= f->line && hunks->at[i].first < end)
			return true;
	return false;
}

bool changed_find(const struct unit_program *p, const char *revision, bool *changed, struct err *err)
{
	const char *root = root_of(p);
	hunk_list hunks = {0};
	bool ok = root && *root ? read_diff(root, revision, &hunks, err) : err_set(err, "the program does not say where its source is");
	for (uint32_t i = 0; ok && i < p->count; i++)
		changed[i] = p->functions[i].block && is_changed(p, i, &hunks);
	for (size_t i = 0; i < hunks.count; i++)
		free(hunks.at[i].file);
	vec_free(&hunks);
	return ok;
}
