/* Options about what a program is given besides arguments and standard input: the same for every command that runs one. */
#ifndef TANDEM_CLI_INPUTS_H
#define TANDEM_CLI_INPUTS_H

#include "base/arena.h"
#include "base/vec.h"
#include "testcase/testcase.h"

#include <stdbool.h>

struct argp;
struct err;

/* A file of which only the size is given. */
struct inputs_sized {
	const char *name;
	size_t size;
};

struct inputs {
	VEC(const char *) files;  /* NAME=PATH */
	VEC(struct inputs_sized) sized;
	VEC(const char *) places; /* files that are symbolic where they are */
	VEC(const char *) env;
	uint32_t window;
};

/* For the children of a command's parser; the child's input is a struct inputs. */
extern const struct argp inputs_parser;

#define INPUTS_DEFAULT (struct inputs){ .window = 1u << 16 }

/* Files are read, and what they say is put into the test case, in the arena. False: the user's mistake. */
bool inputs_read(const struct inputs *in, struct testcase *to, struct arena *arena, struct err *err);
void inputs_free(struct inputs *in);

#endif
