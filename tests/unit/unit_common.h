/* What tests of units share: a program that tandem-cc built, its functions by their names, and traces that say who called whom. */
#ifndef TANDEM_TESTS_UNIT_COMMON_H
#define TANDEM_TESTS_UNIT_COMMON_H

#include "trace_build.h"

#include "unit/profile.h"
#include "unit/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct unit_program program;

static inline int program_open(const char *name)
{
	struct err err = {0};
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", PROGRAMS, name);
	if (!unit_program_open(&program, path, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	return 0;
}

static inline int program_close(void **state)
{
	(void)state;
	unit_program_close(&program);
	return 0;
}

static inline uint32_t function(const char *name)
{
	uint32_t i = 0;
	if (!unit_program_find(&program, name, &i))
		fail_msg("there is no %s", name);
	return i;
}

static inline void build_call(struct build *b, uint32_t function, uint32_t set, uint32_t with)
{
	build_events(b)[b->live.header->events++] = (struct td_event){ .kind = TD_EV_CALL, .site = function, .aux = set, .value = with };
}

/* Names of functions in the order of their calls, each in that of the one before; a dot goes back one. Sets are numbered as they come, as the runtime does it but for those that are alike. */
static inline void profile_run(struct profile *p, const char *calls)
{
	struct build b = build_new("");
	uint32_t stack[64] = {0}, depth = 0, sets = 1;
	char copy[1024], *rest = copy;
	snprintf(copy, sizeof copy, "%s", calls);
	for (char *name = strtok_r(rest, " ", &rest); name; name = strtok_r(rest, " ", &rest)) {
		if (*name == '.') {
			depth--;
			continue;
		}
		build_call(&b, function(name), stack[depth], sets);
		stack[++depth] = sets++;
	}
	struct trace t = build_view(&b);
	profile_add(p, &t);
	build_free(&b);
}

/* The three tests of the paper's example. */
static inline struct profile *paper_profile(void)
{
	struct profile *p = profile_new(&program);
	profile_run(p, "main prog a2 b f g");
	profile_run(p, "main prog a1 b f g");
	profile_run(p, "main prog a1 b f g . h");
	return p;
}

#endif
