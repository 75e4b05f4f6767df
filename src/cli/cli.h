/* What the commands share: exit codes, the way errors are told, numbers and input files given as options. */
#ifndef TANDEM_CLI_CLI_H
#define TANDEM_CLI_CLI_H

#include "base/err.h"
#include "base/str.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

enum cli_exit { CLI_CLEAN = 0, CLI_USAGE = 1, CLI_BUDGET = 5, CLI_INTERNAL = 6, CLI_BUG = 10, CLI_MISMATCH = 70 };

/* Every command: argv[0] is its full name ("tandem trace"), the result is the exit code. */
typedef int cli_command(int argc, char **argv);

cli_command cmd_cc, cmd_trace, cmd_explore, cmd_predict, cmd_replay, cmd_export, cmd_import, cmd_record, cmd_cov, cmd_why, cmd_check, cmd_learn, cmd_unit;

int cli_fail(enum cli_exit code, const struct err *err);  /* tells it, and returns the code */

void cli_hush(void *context, const char *text);           /* does not tell it */
void cli_note(void *context, const char *text);           /* tells something that is no error; the context is not looked at */

/* From now on SIGINT, SIGTERM and SIGHUP do no more than make cli_stopped something else than 0; the second time they end us. */
extern volatile sig_atomic_t cli_stopped;
void cli_catch_signals(void);

/* The first of BASE, BASE-2, BASE-3, ... that is not used; to go on, the last that is. In name. */
const char *cli_directory(const char *base, bool (*is_used)(const char *directory), bool resume, struct str *name);

struct argp_state;
char **cli_program(struct argp_state *state, size_t *argc); /* at its name: all that follows is its own */

/* Both end the program with a usage message if the text is no number in range. */
uint64_t cli_number(const struct argp_state *state, const char *text, uint64_t max);
double cli_seconds(const struct argp_state *state, const char *text);

/* The whole of a descriptor, at most 64 MiB; the caller frees. */
char *cli_slurp(int fd, size_t *size, struct err *err);
char *cli_slurp_file(const char *path, size_t *size, struct err *err);

void cli_quote_c(const void *bytes, size_t size, size_t limit, struct str *out);  /* "as in \x00 C" */
void cli_quote_shell(const char *text, struct str *out);

#endif
