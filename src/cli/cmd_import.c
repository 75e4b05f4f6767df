/* tandem import: test cases from what others have (foreign.c). What others call a crash is a seed here: nobody has seen it fail yet (tandem replay). */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/foreign.h"

#include <argp.h>
#include <stdio.h>

struct request {
	const char *out;
	struct foreign foreign;
	struct cases files, names; /* of the test cases */
	size_t written;
};

enum { KEY_STDIN = 256, KEY_FILE, KEY_ARGV };

static const struct argp_option options[] = {
	{ "stdin", KEY_STDIN, NULL, 0, "each file is a standard input (default, unless an argument is @@)", 0 },
	{ "file", KEY_FILE, "NAME", 0, "each file is the content of a file NAME in the program's directory; @@ among the arguments stands for it (default " FOREIGN_FILE ")", 0 },
	{ "argv", KEY_ARGV, NULL, 0, "each file begins with arguments, each ended by a NUL, the last of them by two; standard input follows", 0 },
	{ "out", 'o', "DIR", 0, "where to (default: tandem-cases)", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	struct err err = {0};
	switch (key) {
	case KEY_STDIN: r->foreign.force_stdin = true; break;
	case KEY_FILE: r->foreign.file = arg; break;
	case KEY_ARGV: r->foreign.with_arguments = true; break;
	case 'o': r->out = arg; break;
	case ARGP_KEY_ARG:
		if (!foreign_list(&r->files, arg, &err))
			argp_failure(state, CLI_USAGE, 0, "%s", err.text);
		break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which files?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "FILE... -- PROGRAM [ARGUMENT...]",
	.doc = "Makes test cases for PROGRAM of raw inputs, of AFL++'s queues (directories with queue/ or crashes/ in them) and of KLEE's .ktest, or of directories full of them.",
};

static bool import_one(struct request *r, const char *path, struct err *err)
{
	const char *left;
	struct casefile c;
	if (!foreign_read(&r->foreign, path, &c, &left, err))
		return false;
	c.kind = CASE_SEED;
	c.program = r->foreign.words ? r->foreign.words[0] : c.program;
	c.purpose = arena_printf(r->foreign.arena, "imported from %s", path);
	if (left)
		fprintf(stderr, "tandem: note: %s: system calls that fail (%s) cannot be replayed\n", path, left);
	bool ok = casefile_write(arena_printf(r->foreign.arena, "%s/%s" CASEFILE_SUFFIX, r->out, cases_name(&r->names, path)), &c, err);
	r->written += ok;
	return ok;
}

static int import_all(struct request *r)
{
	struct err err = {0};
	size_t bad = 0;
	if (!cases_make_dir(r->out, &err))
		return cli_fail(CLI_USAGE, &err);
	for (size_t i = 0; i < r->files.count; i++) {
		struct err why = {0};
		if (import_one(r, r->files.at[i], &why))
			continue;
		cli_fail(CLI_USAGE, &why);
		bad++;
	}
	printf("%zu test cases in %s\n", r->written, r->out);
	return bad ? CLI_USAGE : CLI_CLEAN;
}

int cmd_import(int argc, char **argv)
{
	struct request r = { .out = "tandem-cases" };
	r.foreign.words = cases_cut(&argc, argv, &r.foreign.words_count);
	argp_parse(&parser, argc, argv, 0, NULL, &r);
	r.foreign.arena = arena_new();
	int status = import_all(&r);
	arena_free(r.foreign.arena);
	cases_free(&r.files);
	cases_free(&r.names);
	return status;
}
