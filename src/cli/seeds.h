/* Options about the inputs that a search starts from: out of nothing, by counts and sizes; the command line and files as they are given; or what others made. */
#ifndef TANDEM_CLI_SEEDS_H
#define TANDEM_CLI_SEEDS_H

#include "cli/cases.h"
#include "cli/inputs.h"

struct argp;

/* Arguments out of nothing: so many, of such a length. */
struct seeds_arguments {
	uint32_t least, most, length;
};

struct seeds {
	struct inputs inputs;
	VEC(struct seeds_arguments) arguments;
	const char *stdin_file;
	uint64_t stdin_size;
	struct cases given;    /* files of seeds */
	bool wanted;           /* there should be some, even if they are none */
};

/* For the children of a command's parser; the child's input is a struct seeds. */
extern const struct argp seeds_parser;

#define SEEDS_DEFAULT (struct seeds){ .inputs = INPUTS_DEFAULT }

/* All of them, in the arena; false: the user's mistake. Files that are no good as a seed are told and left out. */
bool seeds_read(const struct seeds *s, char **words, size_t words_count, const struct testcase **feeds, size_t *count, struct arena *arena, struct err *err);
bool seeds_are_given(const struct seeds *s); /* is there any such option? */
void seeds_free(struct seeds *s);

#endif
