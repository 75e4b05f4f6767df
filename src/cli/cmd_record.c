/* tandem record: a test case of one real run. The program runs as it would without us, on our own descriptors and in our directory, and we exit as it does; what is
 * written down is what a replay needs: arguments, standard input, the files it names as they were when it first did, and what of the environment
 * changes the behaviour of most programs. The whole environment is written only if asked for: there may be secrets in it, and test cases are given away. */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/environment.h"

#include "base/vec.h"
#include "engine/replay.h"
#include "run/watch.h"
#include "testcase/snapshot.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILES_MAX 10000

struct request {
	const char *out;
	bool all_env, no_files;
	VEC(const char *) env;    /* names */
	VEC(const char *) files;
	uint64_t megabytes;
	char **program;
	size_t argc;
};

enum { KEY_ENV = 256, KEY_ALL_ENV, KEY_FILE, KEY_NO_FILES, KEY_SIZE };

static const struct argp_option options[] = {
	{ "out", 'o', "FILE", 0, "the test case; a directory: it gets a name there (default: the current one)", 0 },
	{ "env", KEY_ENV, "NAME", 0, "keep this variable too", 0 },
	{ "env-all", KEY_ALL_ENV, NULL, 0, "keep the whole environment", 0 },
	{ "file", KEY_FILE, "FILE", 0, "keep this file or directory too, as it is before the run", 0 },
	{ "no-files", KEY_NO_FILES, NULL, 0, "do not watch the program: no files but those of --file", 0 },
	{ "files-size", KEY_SIZE, "M", 0, "at most M MiB of files (default 64)", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	switch (key) {
	case 'o': r->out = arg; break;
	case KEY_ENV: vec_push(&r->env, arg); break;
	case KEY_ALL_ENV: r->all_env = true; break;
	case KEY_FILE: vec_push(&r->files, arg); break;
	case KEY_NO_FILES: r->no_files = true; break;
	case KEY_SIZE: r->megabytes = cli_number(state, arg, 1 << 14); break;
	case ARGP_KEY_ARG: r->program = cli_program(state, &r->argc); break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which program?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "PROGRAM [ARGUMENT...]",
	.doc = "Runs PROGRAM, any program, as if it were called without tandem, and makes a test case of the run: arguments, standard input, the files it names in the current directory "
	       "and elsewhere (but for the system's own), variables of language and time zone, umask, exit status.",
};

/* --- what can be known beforehand --- */

/* As execvp would find it. */
static const char *find_program(const char *name, struct arena *a)
{
	const char *from = getenv("PATH");
	if (strchr(name, '/'))
		return name;
	for (from = from ? from : "/usr/bin:/bin"; from;) {
		size_t n = strcspn(from, ":");
		const char *path = arena_printf(a, "%.*s/%s", n ? (int)n : 1, n ? from : ".", name);
		struct stat st;
		if (access(path, X_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode))
			return path;
		from = from[n] ? from + n + 1 : NULL;
	}
	return name;
}

static void keep_environment(const struct request *r, struct testcase *t, struct arena *a)
{
	size_t n = 0;
	while (environ[n])
		n++;
	environment_keep((const char *const *)environ, n, &(struct environment_rule){ .all = r->all_env, .names = r->env.at, .names_count = r->env.count }, t, a);
}

/* True: it has to pass through us. */
static bool look_at_stdin(struct testcase *t, struct arena *a, struct err *err)
{
	struct stat st;
	if (fcntl(0, F_GETFD) != 0 || fstat(0, &st)) { /* one that the program will not get is main's: it was closed */
		t->input = TESTCASE_CLOSED;
	} else if (S_ISREG(st.st_mode)) {
		off_t at = lseek(0, 0, SEEK_CUR);
		size_t size = st.st_size > at ? (size_t)(st.st_size - at) : 0;
		uint8_t *bytes = arena_alloc(a, size + 1);
		ssize_t n = pread(0, bytes, size, at);
		if (n < 0)
			err_errno(err, "cannot read standard input");
		t->bytes = n > 0 ? bytes : NULL;
		t->size = n > 0 ? (size_t)n : 0;
	} else if (S_ISCHR(st.st_mode)) {
		t->input = TESTCASE_NULL;
		if (st.st_rdev != makedev(1, 3))
			fputs("tandem: note: what comes from a terminal or another device is not recorded\n", stderr);
	} else {
		t->input = TESTCASE_PIPE;
	}
	return t->input == TESTCASE_PIPE;
}

/* --- the run --- */

static void named(void *context, const char *path, enum name_use use)
{
	snapshot_take(context, path, use == NAME_LIST ? SNAPSHOT_NAMES : SNAPSHOT_ITSELF);
	if (use == NAME_OPEN_ABSOLUTE)
		snapshot_take_absolute(context, path);
}

static void take_given(const struct request *r, struct snapshot *s, const char *here)
{
	for (size_t i = 0; i < r->files.count; i++) {
		struct str path = {0};
		str_printf(&path, "%s/%s", r->files.at[i][0] == '/' ? "" : here, r->files.at[i]);
		snapshot_take(s, str_text(&path), SNAPSHOT_ENTRIES);
		str_free(&path);
	}
}

static void set_end(struct casefile *c, int status)
{
	c->end = WIFEXITED(status) ? CASE_END_EXIT : CASE_END_SIGNAL;
	c->code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
	c->kind = WIFEXITED(status) ? CASE_SEED : CASE_BUG;
}

static const char *file_for(const struct request *r, const struct casefile *c, struct arena *a)
{
	struct stat st;
	const char *out = r->out ? r->out : ".";
	if (stat(out, &st) || !S_ISDIR(st.st_mode))
		return out;
	return arena_printf(a, "%s/%s-%016" PRIx64 CASEFILE_SUFFIX, out, cases_stem(c->program, a), testcase_hash(&c->input));
}

static bool save(const struct request *r, struct casefile *c, struct snapshot *s, struct arena *a, struct err *err)
{
	const char *left_out;
	struct facts facts;
	struct str class = {0};
	c->input.files = snapshot_files(s, &c->input.files_count, &left_out);
	if (left_out)
		fprintf(stderr, "tandem: note: not in the test case, for want of room or of the right to read it: %s\n", left_out);
	if (facts_open(&facts, c->program, NULL)) {
		c->build = facts.modules[0].build;
		facts_close(&facts);
	}
	if (c->kind == CASE_BUG) {
		casefile_put_signal(c->code, &class);
		c->bug = str_text(&class);
	}
	bool ok = casefile_write(file_for(r, c, a), c, err);
	str_free(&class);
	return ok;
}

static int record(const struct request *r, struct arena *a, struct err *err)
{
	char here[PATH_MAX];
	struct str fed = {0};
	int status = 0;
	struct casefile c = { .kind = CASE_SEED, .purpose = "recorded", .program = find_program(r->program[0], a),
	                      .input = { .args = (const char *const *)r->program, .args_count = r->argc } };
	if (!getcwd(here, sizeof here))
		return err_errno(err, "cannot find the current directory"), CLI_INTERNAL;
	mode_t mask = umask(0);
	umask(mask);
	c.input.umask = TESTCASE_UMASK | (uint32_t)mask;
	c.input.directory = here;
	keep_environment(r, &c.input, a);
	bool piped = look_at_stdin(&c.input, a, err);
	if (err->text[0])
		return CLI_USAGE;
	struct snapshot *s = snapshot_new(here, (struct snapshot_limits){ FILES_MAX, (size_t)r->megabytes << 20 });
	take_given(r, s, here);
	struct watch_spec spec = { .program = c.program, .argv = r->program, .named = r->no_files ? NULL : named, .context = s, .fed = piped ? &fed : NULL };
	bool ran = watch_run(&spec, &status, err), ok = ran;
	if (ran) {
		if (piped) {
			c.input.bytes = fed.length ? (const uint8_t *)fed.text : NULL;
			c.input.size = fed.length;
		}
		set_end(&c, status);
		ok = save(r, &c, s, a, err);
	}
	snapshot_free(s);
	str_free(&fed);
	if (!ok)
		return ran ? CLI_INTERNAL : CLI_USAGE;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cmd_record(int argc, char **argv)
{
	struct request r = { .megabytes = 64 };
	struct err err = {0};
	argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &r);
	struct arena *a = arena_new();
	int status = record(&r, a, &err);
	if (err.text[0])
		cli_fail(CLI_INTERNAL, &err);
	arena_free(a);
	vec_free(&r.env);
	vec_free(&r.files);
	return status;
}
