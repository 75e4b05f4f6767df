/* See unitrun.h. */
#include "cli/unitrun.h"

#include "base/vec.h"
#include "engine/replay.h"

#include <stdlib.h>
#include <string.h>

#define WALL_MS 20000
#define OUTPUT_MAX ((size_t)1 << 20)

static bool find_stub(const struct plan *p, uint32_t function, uint32_t *stub)
{
	for (*stub = 0; *stub < p->stubs_count; ++*stub)
		if (p->stubs[*stub].function == function)
			return true;
	return false;
}

static bool look(const struct unitcase *u, const struct live *live, struct unitrun *out, struct err *err)
{
	struct trace t;
	VEC(uint32_t) stubs = {0};
	if (live->header->state == TD_STATE_NEW)
		return err_set(err, "the program wrote no trace");
	if (!trace_view(&t, live->header, live->size, err))
		return false;
	for (uint32_t i = 0, stub; i < t.events_count; i++)
		if (t.events[i].kind == TD_EV_RET && find_stub(&u->plan, t.events[i].site, &stub))
			vec_push(&stubs, stub);
	out->stubs = arena_copy(u->arena, stubs.count ? (const void *)stubs.at : "", stubs.count * sizeof *stubs.at);
	out->count = stubs.count;
	out->fails |= t.reports_count > 0;
	vec_free(&stubs);
	return true;
}

bool unitrun_do(const struct unitcase *u, const char *program, bool sandbox, struct unitrun *out, struct err *err)
{
	struct trace_request request = { .flags = TD_SYM_STDIN, .unit = u->packed.text, .unit_size = u->packed.length };
	struct replay_spec spec = { .program = program, .build = REPLAY_INSTRUMENTED, .input = &u->feed, .sandbox = sandbox, .wall_ms = WALL_MS, .output_max = OUTPUT_MAX };
	struct outcome outcome = {0};
	struct live live;
	*out = (struct unitrun){0};
	if (!replay_possible(&spec, err) || !trace_create(&live, &request, err))
		return false;
	spec.live = &live;
	bool ok = replay_run(&spec, &outcome, err);
	out->fails = ok && outcome.kind != OUTCOME_EXIT;
	ok = ok && look(u, &live, out, err);
	trace_destroy(&live);
	outcome_free(&outcome);
	return ok;
}
