/* tandem: the commands, one row each. A new command is a row here, a prototype in cli.h and a file cmd_NAME.c. */
#include "cli/cli.h"

#include <argp.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define VERSION "0.1.0"

static const struct command {
	const char *name;
	cli_command *run;
	const char *text; /* NULL: not shown */
} commands[] = {
	{ "cc", cmd_cc, "compile C so that it can be traced; takes the options of a C compiler" },
	{ "explore", cmd_explore, "search for inputs that crash a program" },
	{ "trace", cmd_trace, "run a program once and show how its branches depend on its input" },
	{ "replay", cmd_replay, "run test cases, on any build of the program" },
	{ "record", cmd_record, "run a program as it is and make a test case of that run" },
	{ "check", cmd_check, "run a test suite, and check it against all inputs on its paths and near them" },
	{ "learn", cmd_learn, "find a search heuristic for a program, and compare searches" },
	{ "unit", cmd_unit, "test every function of a program on its own" },
	{ "cov", cmd_cov, "say which branches test cases cover; lcov, smallest sets" },
	{ "why", cmd_why, "say why a side of a branch was never taken in an exploration" },
	{ "export", cmd_export, "write test cases as shell scripts, as raw files or as an AFL++ queue" },
	{ "import", cmd_import, "make test cases of raw files, AFL++ queues and KLEE's .ktest" },
	{ "predict", cmd_predict, NULL },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static int help(void)
{
	puts("usage: tandem COMMAND [OPTION...]\n\nConcolic testing of C programs.\n");
	for (int i = 0; i < COMMANDS; i++)
		if (commands[i].text)
			printf("  %-9s %s\n", commands[i].name, commands[i].text);
	puts("\n`tandem COMMAND --help` says more. Exit: 0 clean, 10 bug found, 5 budget spent, 1 usage, 6 internal.");
	return CLI_CLEAN;
}

static int run(const struct command *c, int argc, char **argv)
{
	char name[32];
	snprintf(name, sizeof name, "tandem %s", c->name);
	argv[0] = name;
	return c->run(argc, argv);
}

/* A closed 0, 1 or 2 would be taken by the next file we open, and then be read or written as the user's. What is started in our place
 * finds them closed again. */
static void hold_standard_descriptors(void)
{
	int fd;
	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

int main(int argc, char **argv)
{
	hold_standard_descriptors();
	argp_err_exit_status = CLI_USAGE;
	if (argc < 2) {
		fputs("tandem: no command given (try tandem --help)\n", stderr);
		return CLI_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
		return help();
	if (strcmp(argv[1], "--version") == 0) {
		puts("tandem " VERSION);
		return CLI_CLEAN;
	}
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return run(&commands[i], argc - 1, argv + 1);
	fprintf(stderr, "tandem: no such command: %s (try tandem --help)\n", argv[1]);
	return CLI_USAGE;
}
