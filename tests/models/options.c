/* getopt and its long forms: 0 which options string, then six arguments of 12 bytes each. What is printed goes to a file and is compared too. */
// case: short = \0-a\0\0\0\0\0\0\0\0\0\0-bvalue\0\0\0\0\0\0file\0\0\0\0\0\0\0\0-c\0\0\0\0\0\0\0\0\0\0-dopt\0\0\0\0\0\0\0rest
// case: permuted = \0one\0\0\0\0\0\0\0\0\0-a\0\0\0\0\0\0\0\0\0\0two\0\0\0\0\0\0\0\0\0-b\0\0\0\0\0\0\0\0\0\0value\0\0\0\0\0\0\0three
// case: permuted-more = \0one\0\0\0\0\0\0\0\0\0two\0\0\0\0\0\0\0\0\0-ac\0\0\0\0\0\0\0\0\0three\0\0\0\0\0\0\0--\0\0\0\0\0\0\0\0\0\0-c
// case: double-dash = \0-a\0\0\0\0\0\0\0\0\0\0one\0\0\0\0\0\0\0\0\0--\0\0\0\0\0\0\0\0\0\0-b\0\0\0\0\0\0\0\0\0\0two\0\0\0\0\0\0\0\0\0-c
// case: dash = \0-\0\0\0\0\0\0\0\0\0\0\0-acd\0\0\0\0\0\0\0\0-\0\0\0\0\0\0\0\0\0\0\0-x\0\0\0\0\0\0\0\0\0\0-:\0\0\0\0\0\0\0\0\0\0-b
// case: row = \0-acbrest\0\0\0\0-d\0\0\0\0\0\0\0\0\0\0word\0\0\0\0\0\0\0\0-;\0\0\0\0\0\0\0\0\0\0-ab\0\0\0\0\0\0\0\0\0last
// case: long = \0--verbose\0\0\0--output=f\0\0--output\0\0\0\0next\0\0\0\0\0\0\0\0--color\0\0\0\0\0--color=x
// case: abbreviated = \0--verb\0\0\0\0\0\0--out=f\0\0\0\0\0--vers\0\0\0\0\0\0--col\0\0\0\0\0\0\0--flag\0\0\0\0\0\0--fla
// case: ambiguous = \0--ver\0\0\0\0\0\0\0--v\0\0\0\0\0\0\0\0\0--ver=x\0\0\0\0\0--al\0\0\0\0\0\0\0\0--also\0\0\0\0\0\0--=
// case: wrong = \0--nothing\0\0\0--verbose=1\0--output\0\0\0\0file\0\0\0\0\0\0\0\0--nothing=x\0--output
// case: single-dash = \0-verbose\0\0\0\0-ver\0\0\0\0\0\0\0\0-o\0\0\0\0\0\0\0\0\0\0-out\0\0\0\0\0\0\0\0-a\0\0\0\0\0\0\0\0\0\0-axe
// case: letter = \0-Wverbose\0\0\0-W\0\0\0\0\0\0\0\0\0\0output=f\0\0\0\0-Wver\0\0\0\0\0\0\0-Wzz\0\0\0\0\0\0\0\0-W
// case: flagged = \0--set\0\0\0\0\0\0\0--set\0\0\0\0\0\0\0--flag=1\0\0\0\0--\0\0\0\0\0\0\0\0\0\0--set\0\0\0\0\0\0\0x
// case: in-order = \01one\0\0\0\0\0\0\0\0\0-a\0\0\0\0\0\0\0\0\0\0two\0\0\0\0\0\0\0\0\0--\0\0\0\0\0\0\0\0\0\0-b\0\0\0\0\0\0\0\0\0\0x
// case: stops = \02-a\0\0\0\0\0\0\0\0\0\0one\0\0\0\0\0\0\0\0\0-b\0\0\0\0\0\0\0\0\0\0two
// case: colon = \03-b\0\0\0\0\0\0\0\0\0\0-x\0\0\0\0\0\0\0\0\0\0-y\0\0\0\0\0\0\0\0\0\0--zz\0\0\0\0\0\0\0\0-a\0\0\0\0\0\0\0\0\0\0-b
// case: colon-long = \04--output=\0\0\0-b\0\0\0\0\0\0\0\0\0\0y\0\0\0\0\0\0\0\0\0\0\0-x\0\0\0\0\0\0\0\0\0\0-a\0\0\0\0\0\0\0\0\0\0--output
#define _GNU_SOURCE
#include "harness.h"

#include <fcntl.h>
#include <getopt.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { ARGUMENTS = 6, EACH = 12 };

static const char *const all_options[] = {"ab:cd::oW;", "-ab:cd::oW;", "+ab:cd::oW;", ":ab:cd::oW;", "+:ab:cd::o", "-:ab:cd::oW;"};

static int flag;
static const struct option longs[] = {
	{"verbose", no_argument, NULL, 'v'},
	{"version", no_argument, NULL, 'V'},
	{"output", required_argument, NULL, 'o'},
	{"color", optional_argument, NULL, 256},
	{"set", no_argument, &flag, 7},
	{"flag", no_argument, NULL, 'f'},
	{"flags", no_argument, NULL, 'f'},
	{"also", no_argument, NULL, 1000},
	{"alsoone", no_argument, NULL, 1001},
	{"axe", required_argument, NULL, 1002},
	{NULL, 0, NULL, 0},
};

enum kind { SHORT, POSIX, LONG, ONLY };

int __posix_getopt(int argc, char *const *argv, const char *options);

static int next(enum kind kind, int argc, char **argv, const char *options, int *index)
{
	switch (kind) {
	case SHORT: return getopt(argc, argv, options);
	case POSIX: return __posix_getopt(argc, argv, options);
	case LONG: return getopt_long(argc, argv, options, longs, index);
	default: return getopt_long_only(argc, argv, options, longs, index);
	}
}

/* By a branch each, so that the string itself is not symbolic. */
static const char *options_of_input(void)
{
	for (unsigned i = 1; i < 6; i++)
		if (in[0] == i)
			return all_options[i];
	return all_options[0];
}

static char said[4096];

/* What goes to standard error, into a file without a name. */
static int listen(int *kept)
{
	int file = memfd_create("said", 0);
	fflush(stderr);
	*kept = dup(2);
	dup2(file, 2);
	return file;
}

static void hear(int file, int kept)
{
	fflush(stderr);
	dup2(kept, 2);
	close(kept);
	ssize_t n = syscall(SYS_pread64, file, said, sizeof said, 0); /* not by a model: that this is no input would be noted */
	close(file);
	for (ssize_t i = 0; i < n; i++)
		if (GIVEN.count < GIVEN_MOST)
			GIVEN.values[GIVEN.count++] = (unsigned char)said[i];
}

static void all(enum kind kind)
{
	char *argv[ARGUMENTS + 2] = {"program"}, *original[ARGUMENTS + 2];
	int argc = 1, index = -1, code, kept, file = listen(&kept);
	for (unsigned i = 0; i < ARGUMENTS; i++)
		argv[argc++] = piece(1 + i * EACH, EACH - 1);
	memcpy(original, argv, sizeof argv);
	const char *options = options_of_input();
	optind = 0;
	flag = 0;
	do {
		code = next(kind, argc, argv, options, &index);
		give((uint64_t)code);
		give((uint64_t)optind);
		give((uint64_t)optopt);
		give((uint64_t)index);
		give((uint64_t)flag);
		give_bytes(optarg ? optarg : "none", optarg ? strlen(optarg) + 1 : 5);
	} while (code != -1);
	for (int i = 1; i < argc; i++)
		for (int k = 1; k < argc; k++)
			if (argv[i] == original[k])
				give((uint64_t)k);
	hear(file, kept);
}

static void posixly(void) { setenv("POSIXLY_CORRECT", "1", 1); }
static void quietly(void) { opterr = 0; }

TEST(getopt) { all(SHORT); }
TEST(__posix_getopt) { all(POSIX); }
TEST(getopt_long) { all(LONG); }
TEST(getopt_long_only) { all(ONLY); }
TEST_OF(getopt_long, posix, posixly) { all(LONG); }
TEST_OF(getopt_long, quiet, quietly) { all(LONG); }
