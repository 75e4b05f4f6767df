/* See seeds.h. How many arguments a program has is nothing that a solver could change, so there is an input for each number. Their bytes, like those of standard input and of files, are
 * the letter A: which letter is of no account, and people see at once what was made up. KLEE's spellings mean the same. */
#include "cli/seeds.h"

#include "cli/cli.h"
#include "cli/foreign.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_MAX (1u << 20)
#define VARIANTS_MAX 256u
#define FILLER 'A'

enum { KEY_ARGS = 0x20000, KEY_STDIN, KEY_STDIN_FILE, KEY_SYM_ARG, KEY_SYM_ARGS, KEY_SYM_FILES, KEY_SYM_STDIN };

static const struct argp_option options[] = {
	{ "seeds", 'i', "PATH", 0, "start from the inputs in PATH: a test case, a raw input (for standard input, or for the file that @@ among the arguments stands for), KLEE's .ktest, a directory of these, "
	  "or AFL++'s. May be repeated", 0 },
	{ "args", KEY_ARGS, "[MIN..]MAXxLEN", 0, "start from MIN to MAX arguments of LEN bytes, besides those given. May be repeated", 0 },
	{ "stdin", KEY_STDIN, "N", 0, "start from a standard input of N bytes (default: empty)", 0 },
	{ "stdin-file", KEY_STDIN_FILE, "FILE", 0, "start from a standard input with the content of FILE", 0 },
	{ "sym-arg", KEY_SYM_ARG, "LEN", OPTION_HIDDEN, "", 0 },
	{ "sym-args", KEY_SYM_ARGS, "MIN MAX LEN", OPTION_HIDDEN, "", 0 },
	{ "sym-files", KEY_SYM_FILES, "N LEN", OPTION_HIDDEN, "", 0 },
	{ "sym-stdin", KEY_SYM_STDIN, "LEN", OPTION_HIDDEN, "", 0 },
	{ 0 },
};

static void add_arguments(struct argp_state *state, struct seeds *s, uint64_t least, uint64_t most, uint64_t length)
{
	if (least > most)
		argp_error(state, "from %" PRIu64 " to %" PRIu64 " arguments: that is none", least, most);
	vec_push(&s->arguments, (struct seeds_arguments){ (uint32_t)least, (uint32_t)most, (uint32_t)length });
}

static void parse_arguments(struct argp_state *state, struct seeds *s, const char *text)
{
	uint32_t least, most, length;
	int n = 0;
	if (sscanf(text, "%4" SCNu32 "..%4" SCNu32 "x%7" SCNu32 "%n", &least, &most, &length, &n) != 3 || text[n]) {
		if (sscanf(text, "%4" SCNu32 "x%7" SCNu32 "%n", &most, &length, &n) != 2 || text[n])
			argp_error(state, "--args %s: should be MIN..MAXxLEN, as in 0..3x8", text);
		least = most;
	}
	if (length > LENGTH_MAX)
		argp_error(state, "--args %s: arguments of so many bytes cannot be given", text);
	add_arguments(state, s, least, most, length);
}

/* KLEE has options with several words. */
static uint64_t next_number(struct argp_state *state, uint64_t max)
{
	if (state->next >= state->argc)
		argp_error(state, "a number is missing");
	return cli_number(state, state->argv[state->next++], max);
}

/* Files A, B, ... as KLEE has them. */
static void add_files(struct argp_state *state, struct seeds *s, uint64_t count, uint64_t length)
{
	static const char *const names[] = { "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P" };
	if (count > sizeof names / sizeof *names)
		argp_error(state, "at most %zu files can be asked for", sizeof names / sizeof *names);
	for (uint64_t i = 0; i < count; i++)
		vec_push(&s->inputs.sized, (struct inputs_sized){ names[i], length });
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct seeds *s = state->input;
	struct err err = {0};
	uint64_t first, second;
	switch (key) {
	case 'i':
		s->wanted = true;
		if (!foreign_list(&s->given, arg, &err))
			argp_failure(state, CLI_USAGE, 0, "%s", err.text);
		break;
	case KEY_ARGS: parse_arguments(state, s, arg); break;
	case KEY_STDIN: case KEY_SYM_STDIN: s->stdin_size = cli_number(state, arg, LENGTH_MAX); break;
	case KEY_STDIN_FILE: s->stdin_file = arg; break;
	case KEY_SYM_ARG: add_arguments(state, s, 1, 1, cli_number(state, arg, LENGTH_MAX)); break;
	case KEY_SYM_ARGS:
		first = cli_number(state, arg, VARIANTS_MAX);
		second = next_number(state, VARIANTS_MAX);
		add_arguments(state, s, first, second, next_number(state, LENGTH_MAX));
		break;
	case KEY_SYM_FILES:
		first = cli_number(state, arg, VARIANTS_MAX);
		add_files(state, s, first, next_number(state, LENGTH_MAX));
		break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &s->inputs; break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = { { &inputs_parser, 0, NULL, 0 }, { 0 } };

const struct argp seeds_parser = { .options = options, .children = children, .parser = parse_option };

/* --- out of nothing --- */

static const uint8_t *filler(size_t size, struct arena *arena)
{
	return memset(arena_alloc(arena, size + 1), FILLER, size);
}

/* The numbers of arguments, one per group, count like an odometer. */
static bool next_counts(const struct seeds *s, uint32_t *counts)
{
	for (size_t i = s->arguments.count; i-- > 0;) {
		if (counts[i]++ < s->arguments.at[i].most)
			return true;
		counts[i] = s->arguments.at[i].least;
	}
	return false;
}

static void set_arguments(const struct seeds *s, struct testcase *t, char **words, size_t words_count, const uint32_t *counts, struct arena *arena)
{
	size_t n = words_count;
	for (size_t i = 0; i < s->arguments.count; i++)
		n += counts[i];
	const char **args = arena_alloc(arena, (n + 1) * sizeof *args);
	t->args = args;
	t->args_count = n;
	for (size_t i = 0; i < words_count; i++)
		*args++ = words[i];
	for (size_t i = 0; i < s->arguments.count; i++)
		for (uint32_t k = 0; k < counts[i]; k++) {
			char *text = arena_alloc(arena, s->arguments.at[i].length + 1u);
			memset(text, FILLER, s->arguments.at[i].length);
			text[s->arguments.at[i].length] = '\0';
			*args++ = text;
		}
}

static bool base(const struct seeds *s, struct testcase *to, struct arena *arena, struct err *err)
{
	*to = (struct testcase){ .size = s->stdin_size };
	if (!s->stdin_file) {
		to->bytes = filler(to->size, arena);
	} else {
		char *bytes = cli_slurp_file(s->stdin_file, &to->size, err);
		if (!bytes)
			return false;
		to->bytes = arena_copy(arena, bytes, to->size + 1);
		free(bytes);
	}
	return inputs_read(&s->inputs, to, arena, err);
}

static bool variants(const struct seeds *s, char **words, size_t words_count, struct testcase *first, size_t *count, struct arena *arena, struct err *err)
{
	struct testcase t;
	uint32_t *counts = arena_alloc(arena, (s->arguments.count + 1) * sizeof *counts);
	for (size_t i = 0; i < s->arguments.count; i++)
		counts[i] = s->arguments.at[i].least;
	if (!base(s, &t, arena, err))
		return false;
	*count = 0;
	do {
		if (*count == VARIANTS_MAX)
			return err_set(err, "there would be more than %u inputs to start from; give fewer arguments", VARIANTS_MAX);
		set_arguments(s, &t, words, words_count, counts, arena);
		first[(*count)++] = t;
	} while (next_counts(s, counts));
	return true;
}

/* --- by others --- */

/* What a raw input does not say is as the command line says. */
static struct testcase completed(const struct testcase *given, const struct testcase *rest, bool raw)
{
	struct testcase t = *given;
	if (!raw)
		return t;
	t.env = rest->env;
	t.env_count = rest->env_count;
	if (!t.files_count) {
		t.files = rest->files;
		t.files_count = rest->files_count;
	}
	return t;
}

static bool read_given(const struct seeds *s, char **words, size_t words_count, struct testcase *to, size_t *count, struct arena *arena, struct err *err)
{
	struct foreign f = { .words = words, .words_count = words_count, .arena = arena };
	struct testcase rest;
	if (!base(s, &rest, arena, err))
		return false;
	*count = 0;
	for (size_t i = 0; i < s->given.count; i++) {
		struct casefile c;
		struct err why = {0};
		const char *left;
		if (!foreign_read(&f, s->given.at[i], &c, &left, &why)) {
			cli_fail(CLI_USAGE, &why);
			continue;
		}
		if (left)
			fprintf(stderr, "tandem: note: %s: system calls that fail (%s) cannot be replayed\n", s->given.at[i], left);
		to[(*count)++] = completed(&c.input, &rest, !c.program && !c.input.marks_count);
	}
	return *count || err_set(err, "none of the %zu files of seeds can be used", s->given.count);
}

bool seeds_read(const struct seeds *s, char **words, size_t words_count, const struct testcase **feeds, size_t *count, struct arena *arena, struct err *err)
{
	struct testcase *all = arena_alloc(arena, (s->given.count + VARIANTS_MAX) * sizeof *all);
	*feeds = all;
	if (s->wanted && s->arguments.count)
		return err_set(err, "--args and --seeds do not go together: seeds have their arguments");
	return (s->wanted ? read_given : variants)(s, words, words_count, all, count, arena, err);
}

bool seeds_are_given(const struct seeds *s)
{
	const struct inputs *in = &s->inputs;
	return s->wanted || s->arguments.count || s->stdin_file || s->stdin_size || in->files.count || in->sized.count || in->places.count || in->env.count;
}

void seeds_free(struct seeds *s)
{
	inputs_free(&s->inputs);
	vec_free(&s->arguments);
	cases_free(&s->given);
}
