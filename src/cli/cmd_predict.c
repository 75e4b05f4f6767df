/* tandem predict (hidden): the honesty check on a real program, for the tests. */
#include "cli/cli.h"

#include "engine/foretell.h"
#include "trace/facts.h"
#include "trace/trace.h"

#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
	uint64_t pairs, seed;
	unsigned share;
	const char *stdin_file;
	bool json, no_sandbox;
	const char **program;
	size_t argc;
};

enum { KEY_PAIRS = 256, KEY_SEED, KEY_STDIN_FILE, KEY_LATE, KEY_JSON, KEY_NO_SANDBOX };

static const struct argp_option options[] = {
	{ "pairs", KEY_PAIRS, "N", 0, "how many other inputs to try (default 100)", 0 },
	{ "seed", KEY_SEED, "S", 0, "of the random numbers (default 1)", 0 },
	{ "stdin-file", KEY_STDIN_FILE, "FILE", 0, "run A's standard input (default: empty)", 0 },
	{ "late", KEY_LATE, "P", 0, "how many percent of them are made to differ in the last quarter of the path (default 50); the others are random", 0 },
	{ "json", KEY_JSON, NULL, 0, "report as JSON", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "run in the current directory, without containment", 0 },
	{ 0 },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	switch (key) {
	case KEY_PAIRS: r->pairs = cli_number(state, arg, 1000000); break;
	case KEY_SEED: r->seed = cli_number(state, arg, UINT64_MAX); break;
	case KEY_STDIN_FILE: r->stdin_file = arg; break;
	case KEY_LATE: r->share = (unsigned)cli_number(state, arg, 100); break;
	case KEY_JSON: r->json = true; break;
	case KEY_NO_SANDBOX: r->no_sandbox = true; break;
	case ARGP_KEY_ARG: r->program[r->argc++] = arg; break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which program?"); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp parser = {
	.options = options, .parser = parse_option, .args_doc = "PROGRAM [-- ARGUMENT...]",
	.doc = "Runs PROGRAM on the given input, then on others, and checks that the first trace foretells every branch of "
	       "the other runs up to the first that flips. Exit 1 if one was foretold wrongly.",
};

static unsigned flips_of(const struct foretell_report *p)
{
	unsigned n = 0;
	for (unsigned k = 0; k < TD_EV_KINDS; k++)
		n += p->flips[k];
	return n;
}

static void report_text(const struct foretell_report *p)
{
	printf("A: %" PRIu64 " events, %" PRIu64 " symbolic, %" PRIu64 " terms, %" PRIu64 " lost\n", p->decisions, p->symbolic, p->nodes, p->lost);
	printf("B: %u random, %u solver-made, %u late; %u solver calls\n", p->made[FORETELL_RANDOM], p->made[FORETELL_SOLVER],
	       p->made[FORETELL_LATE], p->solver_calls);
	printf("same %u, flips %u (", p->same, flips_of(p));
	const char *comma = "";
	for (unsigned k = 0; k < TD_EV_KINDS; k++)
		if (p->flips[k]) {
			printf("%s%s %u", comma, trace_kind_names[k], p->flips[k]);
			comma = ", ";
		}
	printf("), %u of them in the last quarter; cut %u, skipped %u\n", p->late, p->cut, p->skipped);
	printf("branches of B: %" PRIu64 ", %" PRIu64 " of them foretold\nwrong %u, bad traces %u\n", p->branches, p->promised, p->wrong, p->bad_traces);
	if (p->crashed)
		printf("crashed %u\n", p->crashed);
	for (unsigned i = 0; i < p->messages_count; i++)
		printf("  %s\n", p->messages[i]);
}

static void report_json(const struct foretell_report *p)
{
	json_t *flips = json_object(), *messages = json_array();
	for (unsigned k = 0; k < TD_EV_KINDS; k++)
		if (p->flips[k])
			json_object_set_new(flips, trace_kind_names[k], json_integer(p->flips[k]));
	for (unsigned i = 0; i < p->messages_count; i++)
		json_array_append_new(messages, json_string(p->messages[i]));
	json_t *all = json_pack("{s:I, s:I, s:I, s:I, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:i, s:I, s:I, s:o}",
		"events", (json_int_t)p->decisions, "symbolic", (json_int_t)p->symbolic, "terms", (json_int_t)p->nodes,
		"lost", (json_int_t)p->lost, "random", p->made[FORETELL_RANDOM], "solver", p->made[FORETELL_SOLVER],
		"late", p->made[FORETELL_LATE], "solver_calls", p->solver_calls, "same", p->same, "cut", p->cut, "wrong", p->wrong,
		"skipped", p->skipped, "bad_traces", p->bad_traces, "crashed", p->crashed, "flips", flips, "late_flips", p->late,
		"branches", (json_int_t)p->branches, "promised", (json_int_t)p->promised, "messages", messages);
	json_dumpf(all, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(all);
}

static int predict(const struct request *r)
{
	struct foretell_report report;
	struct err err = {0};
	size_t size = 0;
	char *bytes = r->stdin_file ? cli_slurp_file(r->stdin_file, &size, &err) : calloc(1, 1);
	if (!bytes)
		return cli_fail(CLI_USAGE, &err);
	struct foretell_options o = {
		.program = r->program[0],
		.feed = { .args = r->program, .args_count = r->argc, .bytes = (const uint8_t *)bytes, .size = size },
		.pairs = (unsigned)r->pairs,
		.late_share = r->share, .seed = r->seed, .sandbox = !r->no_sandbox, .wall_ms = 10000,
	};
	bool ok = foretell(&o, &report, &err);
	free(bytes);
	if (!ok)
		return cli_fail(CLI_INTERNAL, &err);
	if (r->json)
		report_json(&report);
	else
		report_text(&report);
	return report.wrong || report.bad_traces ? 1 : CLI_CLEAN;
}

int cmd_predict(int argc, char **argv)
{
	struct request r = { .pairs = 100, .seed = 1, .share = 50 };
	struct facts facts;
	struct err err = {0};
	r.program = calloc((size_t)argc + 1, sizeof *r.program);
	argp_parse(&parser, argc, argv, 0, NULL, &r);
	bool known = facts_open(&facts, r.program[0], &err);
	int status = known ? predict(&r) : cli_fail(CLI_USAGE, &err);
	if (known)
		facts_close(&facts);
	free(r.program);
	return status;
}
