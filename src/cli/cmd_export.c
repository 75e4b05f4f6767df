/* tandem export: test cases for those who have no Tandem. A shell script that does it all; the bytes in files; what afl-fuzz wants as its -i; or, of a test of one function, a driver in C. */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/driverfile.h"

#include "base/fs.h"
#include "testcase/realise.h"
#include "testcase/script.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct request {
	const struct format *format;
	const char *out, *file, *program;
	struct cases cases, names; /* theirs, as they are written */
	size_t number;       /* of the test case */
	struct arena *arena;
	const char *command; /* that the queue is for; NULL: none yet */
	bool several;        /* commands */
	bool no_sandbox;
};

/* --- the formats --- */

typedef bool export_one(struct request *r, const char *name, const struct casefile *c, struct err *err);

static bool write_script(struct request *r, const char *name, const struct casefile *c, struct err *err)
{
	struct str text = {0};
	const char *path = arena_printf(r->arena, "%s/%s.sh", r->out, name);
	bool ok = cases_is_program(c, err) && script_print(c, &text, err) && fs_write(path, text.text, text.length, err) && (chmod(path, 0755) == 0 || err_errno(err, "%s", path));
	str_free(&text);
	return ok;
}

static bool write_strings(const char *path, const char *const *strings, size_t count, struct err *err)
{
	struct str all = {0};
	for (size_t i = 0; i < count; i++)
		str_add_bytes(&all, strings[i], strlen(strings[i]) + 1);
	bool ok = fs_write(path, str_text(&all), all.length, err);
	str_free(&all);
	return ok;
}

static bool write_files(const char *folder, const struct testcase *t, struct err *err)
{
	if (!realise_relative(t, err))
		return false;
	if (!t->files_count)
		return true;
	if (mkdir(folder, 0777))
		return err_errno(err, errno == EEXIST ? "cannot make %s anew" : "cannot make %s", folder);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 ? realise_files(fd, t, err) : err_errno(err, "%s", folder);
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool write_raw(struct request *r, const char *name, const struct casefile *c, struct err *err)
{
	const struct testcase *t = &c->input;
	const char *base = arena_printf(r->arena, "%s/%s", r->out, name);
	if (!cases_make_dir(base, err) || !fs_write(arena_printf(r->arena, "%s/stdin", base), t->size ? (const char *)t->bytes : "", t->size, err) ||
	    !write_strings(arena_printf(r->arena, "%s/args", base), t->args + 1, t->args_count - 1, err) ||
	    !write_strings(arena_printf(r->arena, "%s/env", base), t->env, t->env_count, err))
		return false;
	for (size_t i = 0; i < t->marks_count; i++) {
		const char *path = arena_printf(r->arena, "%s/mark-%zu-%s", base, i, cases_stem(t->marks[i].name, r->arena));
		if (!fs_write(path, t->marks[i].size ? (const char *)t->marks[i].bytes : "", t->marks[i].size, err))
			return false;
	}
	return write_files(arena_printf(r->arena, "%s/files", base), t, err);
}

/* The one file that afl-fuzz would write: as asked for, or the only one that is named by an argument. NULL: standard input. */
static bool choose_file(const struct request *r, const struct testcase *t, const struct testcase_file **file, struct err *err)
{
	size_t named = 0, regular = 0;
	*file = NULL;
	for (size_t i = 0; i < t->files_count; i++) {
		const struct testcase_file *f = &t->files[i];
		bool is = r->file && strcmp(r->file, f->path) == 0;
		regular += f->type == TESTCASE_REGULAR;
		for (size_t k = 1; !r->file && k < t->args_count && f->type == TESTCASE_REGULAR; k++)
			is |= strcmp(t->args[k], f->path) == 0;
		if (is) {
			*file = f;
			named++;
		}
	}
	if (r->file && !*file)
		return err_set(err, "it has no file '%.300s'", r->file);
	if (named > 1)
		return err_set(err, "AFL++ changes one file: which of them? (--file)");
	if (!named && regular && !t->size)
		return err_set(err, "no argument names a file of it: what does AFL++ change? (--file)");
	return true;
}

static const char *afl_command(struct request *r, const struct casefile *c, const struct testcase_file *file)
{
	struct str line = {0};
	cli_quote_shell(c->program ? c->program : c->input.args[0], &line);
	bool named = !file;
	for (size_t i = 1; i < c->input.args_count; i++) {
		const char *arg = c->input.args[i], *at = file ? strstr(arg, file->path) : NULL;
		str_add_char(&line, ' ');
		if (at)
			arg = arena_printf(r->arena, "%.*s@@%s", (int)(at - arg), arg, at + strlen(file->path));
		cli_quote_shell(arg, &line);
		named |= at != NULL;
	}
	struct str whole = {0};
	if (!named) {
		str_add(&whole, "-f ");
		cli_quote_shell(file->path, &whole);
		str_add_char(&whole, ' ');
	}
	str_printf(&whole, "-- %s", str_text(&line));
	const char *text = arena_strdup(r->arena, str_text(&whole));
	str_free(&line);
	str_free(&whole);
	return text;
}

static bool write_afl(struct request *r, const char *name, const struct casefile *c, struct err *err)
{
	const struct testcase_file *f;
	const char *folder = arena_printf(r->arena, "%s/queue", r->out);
	if (!cases_is_program(c, err) || !choose_file(r, &c->input, &f, err) || !cases_make_dir(folder, err))
		return false;
	const uint8_t *bytes = f ? f->bytes : c->input.bytes;
	size_t size = f ? f->size : c->input.size;
	const char *command = afl_command(r, c, f);
	r->several |= r->command && strcmp(r->command, command) != 0;
	r->command = r->command ? r->command : command;
	const char *path = arena_printf(r->arena, "%s/id:%06zu,time:0,execs:0,orig:%s", folder, r->number, name);
	return fs_write(path, size ? (const char *)bytes : "", size, err);
}

static bool write_driver(struct request *r, const char *name, const struct casefile *c, struct err *err)
{
	struct unitcase u;
	struct unitrun run;
	struct str text = {0};
	const char *program = r->program ? r->program : c->program ? c->program : c->input.args[0];
	if (!c->unit)
		return err_set(err, "it is no test of one function: --format c is for what tandem unit finds");
	if (!unitcase_open(&u, c, program, err))
		return false;
	bool ok = unitrun_do(&u, program, !r->no_sandbox, &run, err) && driverfile_print(&u, &run, c, name, &text, err) && fs_write(arena_printf(r->arena, "%s/%s.c", r->out, name), text.text, text.length, err);
	if (ok && !run.fails)
		fprintf(stderr, "tandem: note: %s: when it was run for this, nothing failed\n", name);
	str_free(&text);
	unitcase_close(&u);
	return ok;
}

static const struct format {
	const char *name;
	export_one *write;
} formats[] = { { "sh", write_script }, { "raw", write_raw }, { "afl", write_afl }, { "c", write_driver } };

enum { FORMATS = sizeof formats / sizeof *formats };

/* --- the command --- */

enum { KEY_FORMAT = 256, KEY_FILE, KEY_PROGRAM, KEY_NO_SANDBOX };

static const struct argp_option options[] = {
	{ "format", KEY_FORMAT, "FORMAT", 0, "sh (default): a script, to be run as `sh SCRIPT PROGRAM`; raw: stdin, args, env (NUL after each) and files/ in a directory; "
	  "afl: a directory for afl-fuzz -i, of what is changed: standard input, or the file that an argument names; "
	  "c: of a test case of tandem unit, a driver to be compiled with the program's own sources, by any compiler; a comment in it says how", 0 },
	{ "file", KEY_FILE, "NAME", 0, "afl: this file of the test case is what is changed", 0 },
	{ "program", KEY_PROGRAM, "PROGRAM", 0, "c: the program, as tandem cc -g built it (default: the one that the test case names)", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "c: the test, which is run once more for this, without containment", 0 },
	{ "out", 'o', "DIR", 0, "where to (default: tandem-export)", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	struct err err = {0};
	switch (key) {
	case KEY_FORMAT:
		r->format = NULL;
		for (size_t i = 0; i < FORMATS; i++)
			if (strcmp(formats[i].name, arg) == 0)
				r->format = &formats[i];
		if (!r->format)
			argp_error(state, "no such format: %s", arg);
		break;
	case KEY_FILE: r->file = arg; break;
	case KEY_PROGRAM: r->program = arg; break;
	case KEY_NO_SANDBOX: r->no_sandbox = true; break;
	case 'o': r->out = arg; break;
	case ARGP_KEY_ARG:
		if (!cases_add(&r->cases, arg, &err))
			argp_failure(state, CLI_USAGE, 0, "%s", err.text);
		break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which test case?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "CASE...",
	.doc = "Writes test cases (files, or directories of *" CASEFILE_SUFFIX ") in a form that other tools read.",
};

static int export_all(struct request *r)
{
	struct err err = {0};
	int status = CLI_CLEAN;
	if (!cases_make_dir(r->out, &err))
		return cli_fail(CLI_USAGE, &err);
	for (size_t i = 0; i < r->cases.count; i++) {
		struct casefile c;
		struct err why = {0};
		const char *name = r->cases.at[i];
		r->number = i;
		if (!casefile_read(&c, name, r->arena, &err))
			return cli_fail(CLI_USAGE, &err);
		if (!r->format->write(r, cases_name(&r->names, name), &c, &why)) {
			fprintf(stderr, "tandem: %s: %s\n", name, why.text);
			status = CLI_USAGE;
		}
	}
	if (r->several)
		fputs("tandem: note: they have different arguments, and AFL++ takes one command for all\n", stderr);
	if (r->command)
		printf("afl-fuzz -i %s/queue -o OUT %s\n", r->out, r->command);
	return status;
}

int cmd_export(int argc, char **argv)
{
	struct request r = { .format = formats, .out = "tandem-export" };
	argp_parse(&parser, argc, argv, 0, NULL, &r);
	r.arena = arena_new();
	int status = export_all(&r);
	arena_free(r.arena);
	cases_free(&r.cases);
	cases_free(&r.names);
	return status;
}
