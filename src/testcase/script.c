/* The script makes a directory of its own with the files in it, runs the program there as `tandem replay` does, on the same environment, and
 * exits as the program did. It is not the sandbox: nothing keeps the program from writing elsewhere.
 *
 * Every byte that might mean something to a shell, a terminal or an editor goes through printf in octal, which any POSIX shell knows. What is
 * lost: the program's own name (argv[0]) is the path it is started by. */
#include "testcase/script.h"

#include "testcase/realise.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define LINE 100 /* bytes of one printf */

/* --- words and contents --- */

static bool is_shown(uint8_t b)
{
	return b >= ' ' && b < 127 && !strchr("'\\%$`", b);
}

/* A format of printf, in quotes. */
static void put_format(const uint8_t *b, size_t size, const char *more, struct str *out)
{
	str_add(out, "printf '");
	for (size_t i = 0; i < size; i++) {
		if (is_shown(b[i]) && (i || b[i] != '-')) /* no option of printf */
			str_add_char(out, (char)b[i]);
		else if (b[i] == '\n')
			str_add(out, "\\n");
		else
			str_printf(out, "\\%03o", b[i]);
	}
	str_printf(out, "%s'", more);
}

/* A line of the script for each line of the contents, or for so many bytes. */
static void put_contents(const uint8_t *b, size_t size, const char *indent, struct str *out)
{
	if (!size)
		str_printf(out, "%s:\n", indent);
	for (size_t at = 0, n; at < size; at += n) {
		const uint8_t *newline = memchr(b + at, '\n', size - at < LINE ? size - at : LINE);
		n = newline ? (size_t)(newline - b) + 1 - at : size - at < LINE ? size - at : LINE;
		str_add(out, indent);
		put_format(b + at, n, "", out);
		str_add_char(out, '\n');
	}
}

static bool is_plain(const char *text)
{
	for (const char *c = text; *c; c++)
		if (!is_shown((uint8_t)*c) && *c != '\\' && *c != '%')
			return false;
	return true;
}

/* In quotes if it can be shown, else by a variable, which put_words has set: a command's output would lose newlines at its end. */
static void put_word(const char *text, const char *variable, size_t number, struct str *out)
{
	if (is_plain(text))
		str_printf(out, "'%s'", text);
	else
		str_printf(out, "\"$%s%zu\"", variable, number);
}

static void put_variable(const char *text, const char *variable, size_t number, struct str *out)
{
	if (is_plain(text))
		return;
	str_printf(out, "%s%zu=$(", variable, number);
	put_format((const uint8_t *)text, strlen(text), ".", out);
	str_printf(out, ")\n%s%zu=${%s%zu%%.}\n", variable, number, variable, number);
}

/* --- files --- */

static void put_parents(const char *path, size_t number, struct str *out)
{
	const char *slash = strrchr(path, '/');
	struct str parent = {0};
	if (!slash)
		return;
	str_add_bytes(&parent, path, (size_t)(slash - path));
	put_variable(str_text(&parent), "parent", number, out);
	str_add(out, "mkdir -p ./");
	put_word(str_text(&parent), "parent", number, out);
	str_add_char(out, '\n');
	str_free(&parent);
}

static void put_metadata(const struct testcase_file *f, size_t number, struct str *out)
{
	time_t at = (time_t)f->mtime;
	struct tm tm;
	str_printf(out, "chmod %04o ./", f->mode & 01777u);
	put_word(f->path, "file", number, out);
	if (gmtime_r(&at, &tm) && tm.tm_year >= 70 && tm.tm_year < 8100) {
		str_printf(out, "\nTZ=UTC0 touch -t %04d%02d%02d%02d%02d.%02d ./", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
		put_word(f->path, "file", number, out);
	}
	str_add_char(out, '\n');
}

static void put_file(const struct testcase_file *f, size_t number, struct str *out)
{
	put_parents(f->path, number, out);
	put_variable(f->path, "file", number, out);
	if (f->type == TESTCASE_LINK) {
		struct str target = {0};
		str_add_bytes(&target, f->bytes, f->size);
		put_variable(str_text(&target), "target", number, out);
		str_add(out, "ln -s -- ");
		put_word(str_text(&target), "target", number, out);
		str_add(out, " ./");
		str_free(&target);
	} else if (f->type == TESTCASE_DIRECTORY) {
		str_add(out, "mkdir -p ./");
	} else {
		str_add(out, "{\n");
		put_contents(f->bytes, f->size, "\t", out);
		str_add(out, "} > ./");
	}
	put_word(f->path, "file", number, out);
	str_add_char(out, '\n');
	if (f->type == TESTCASE_REGULAR)
		put_metadata(f, number, out);
}

static void put_files(const struct testcase *t, struct str *out)
{
	for (size_t i = 0; i < t->files_count; i++)
		put_file(&t->files[i], i, out);
	for (size_t i = t->files_count; i-- > 0;) /* last, for it may not be written to then */
		if (t->files[i].type == TESTCASE_DIRECTORY)
			put_metadata(&t->files[i], i, out);
}

/* --- the run --- */

/* Those of the sandbox (src/run/box.c) that the test case does not set otherwise. */
static void put_environment(const struct testcase *t, struct str *out)
{
	static const char *const fixed[] = { "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=\"$top/work\"", "TMPDIR=\"$top/work\"", "LC_ALL=C", "TZ=UTC" };
	str_add(out, "env -i");
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		size_t n = strcspn(fixed[i], "=");
		bool other = false;
		for (size_t k = 0; k < t->env_count; k++)
			other |= strncmp(t->env[k], fixed[i], n) == 0 && (t->env[k][n] == '=' || !t->env[k][n]);
		if (!other)
			str_printf(out, " %s", fixed[i]);
	}
	for (size_t i = 0; i < t->env_count; i++)
		if (strchr(t->env[i], '=')) {
			str_add_char(out, ' ');
			put_word(t->env[i], "env", i, out);
		}
}

static void put_run(const struct testcase *t, struct str *out)
{
	static const char *const redirections[] = { " < \"$top/stdin\"", "", " < /dev/null", " <&-" };
	str_add(out, t->input == TESTCASE_PIPE ? "stdin | " : "");
	put_environment(t, out);
	str_add(out, " \"$program\"");
	for (size_t i = 1; i < t->args_count; i++) {
		str_add_char(out, ' ');
		put_word(t->args[i], "arg", i, out);
	}
	str_printf(out, "%s\n", redirections[t->input]);
}

static void put_stdin(const struct testcase *t, struct str *out)
{
	if (t->input != TESTCASE_FILE && t->input != TESTCASE_PIPE)
		return;
	str_add(out, "stdin() {\n");
	put_contents(t->bytes, t->size, "\t", out);
	str_add(out, "}\n");
	if (t->input == TESTCASE_FILE)
		str_add(out, "stdin > \"$top/stdin\"\n");
}

static void put_comment(const char *what, const char *text, struct str *out)
{
	if (!text)
		return;
	str_printf(out, "# %s", what);
	for (const char *c = text; *c; c++)
		str_add_char(out, *c >= ' ' && *c < 127 ? *c : '?');
	str_add_char(out, '\n');
}

static void put_head(const struct casefile *c, struct str *out)
{
	str_add(out, "#!/bin/sh\n# A test case; `sh THIS PROGRAM` runs it.\n");
	put_comment("program: ", c->program, out);
	put_comment("purpose: ", c->purpose, out);
	put_comment("bug: ", c->bug, out);
	put_comment("place: ", c->place, out);
	str_add(out, "set -eu\n"
	             "[ $# = 1 ] || { echo \"usage: sh $0 PROGRAM\" >&2; exit 1; }\n"
	             "case $1 in\n"
	             "/*) program=$1 ;;\n"
	             "*) program=$PWD/$1 ;;\n"
	             "esac\n"
	             "case $program in\n"
	             "*=*) echo \"$0: env takes $program for a variable\" >&2; exit 1 ;;\n"
	             "esac\n"
	             "top=$(mktemp -d)\n"
	             "trap 'chmod -R u+rwx \"$top\"; rm -rf \"$top\"' EXIT\n"
	             "trap 'exit 129' HUP\ntrap 'exit 130' INT\ntrap 'exit 143' TERM\n"
	             "mkdir \"$top/work\"\ncd \"$top/work\"\n"
	             "export LC_ALL=C\n");
}

static bool is_possible(const struct casefile *c, struct err *err)
{
	const struct testcase *t = &c->input;
	if (!realise_relative(t, err))
		return false;
	return !t->marks_count || err_set(err, "it has a value for the mark '%.100s' in the program, which only tandem replay can give", t->marks[0].name);
}

bool script_print(const struct casefile *c, struct str *out, struct err *err)
{
	const struct testcase *t = &c->input;
	if (!is_possible(c, err))
		return false;
	put_head(c, out);
	put_files(t, out);
	put_stdin(t, out);
	for (size_t i = 1; i < t->args_count; i++)
		put_variable(t->args[i], "arg", i, out);
	for (size_t i = 0; i < t->env_count; i++)
		if (strchr(t->env[i], '='))
			put_variable(t->env[i], "env", i, out);
	str_printf(out, "umask %03o\nstatus=0\n", t->umask ? t->umask & 0777u : 022u);
	put_run(t, out);
	out->text[--out->length] = '\0';
	str_add(out, " || status=$?\nexit $status\n");
	return true;
}
