/* tandem check: a suite is run as it is, and every run of an instrumented program in it recorded. */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/recordings.h"

#include "run/suite.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define FILES_MAX 10000

struct request {
	const char *out;
	bool record_only, all_env;
	VEC(const char *) env;
	uint64_t megabytes;
	char **command;
};

enum { KEY_ENV = 256, KEY_ALL_ENV, KEY_RECORD_ONLY, KEY_SIZE };

static const struct argp_option options[] = {
	{ "out", 'o', "DIR", 0, "where recordings and results are put (default: tandem-check)", 0 },
	{ "record-only", KEY_RECORD_ONLY, NULL, 0, "run and record the suite, and no more", 0 },
	{ "env", KEY_ENV, "NAME", 0, "keep this variable of the environment too", 0 },
	{ "env-all", KEY_ALL_ENV, NULL, 0, "keep the whole environment", 0 },
	{ "files-size", KEY_SIZE, "M", 0, "at most M MiB of files for each run (default 16)", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	size_t ignored;
	switch (key) {
	case 'o': r->out = arg; break;
	case KEY_RECORD_ONLY: r->record_only = true; break;
	case KEY_ENV: vec_push(&r->env, arg); break;
	case KEY_ALL_ENV: r->all_env = true; break;
	case KEY_SIZE: r->megabytes = cli_number(state, arg, 1 << 14); break;
	case ARGP_KEY_ARG: r->command = cli_program(state, &ignored); break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which command runs the tests?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "[--] COMMAND [ARGUMENT...]",
	.doc = "Runs COMMAND, which runs tests, as if it were called without tandem, and records every run of a program in it that was built with tandem cc.",
};

static void recorded(void *context, struct recording *r)
{
	recordings_add(context, r);
}

static int exit_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void tell(const struct recordings *r)
{
	fprintf(stderr, "tandem: %" PRIu64 " runs of %zu programs recorded: %" PRIu64 " test cases (%" PRIu64 " KiB), %" PRIu64 " the same as others",
	        r->runs, r->programs.count, r->kept, (r->bytes + 1023) >> 10, r->merged);
	if (r->troubled)
		fprintf(stderr, ", %" PRIu64 " left out (%s)", r->troubled, r->trouble);
	fputc('\n', stderr);
	if (r->failed)
		fprintf(stderr, "tandem: %" PRIu64 " recordings could not be written: %s\n", r->failed, r->error.text);
}

static int check(const struct request *r, struct err *err)
{
	int status = 0;
	struct str directory = {0};
	struct recordings all = { .rule = { .all = r->all_env, .names = r->env.at, .names_count = r->env.count } };
	str_printf(&directory, "%s/recordings", r->out);
	struct suite_spec spec = { .argv = r->command, .limits = { FILES_MAX, (size_t)r->megabytes << 20 }, .recorded = recorded, .note = cli_note, .context = &all };
	bool ok = recordings_open(&all, str_text(&directory), err) && suite_run(&spec, &status, err);
	if (ok)
		tell(&all);
	recordings_close(&all);
	str_free(&directory);
	return ok ? exit_of(status) : CLI_USAGE;
}

int cmd_check(int argc, char **argv)
{
	struct request r = { .out = "tandem-check", .megabytes = 16 };
	struct err err = {0};
	argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &r);
	int status = check(&r, &err);
	if (err.text[0])
		cli_fail(CLI_USAGE, &err);
	vec_free(&r.env);
	return status;
}
