/* All code runs on its symbolic side in such runs, so they take long; but there is one for each input to start from, and no more. */
#include "engine/risks.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "engine/flip.h"
#include "base/map.h"

#include <stdlib.h>

#define WALL_MS 1000 /* of one such run; what it could not tell by then is not told */

struct risks {
	struct runner *runner;
	struct map places;
};

struct risks *risks_open(const struct runner_options *o, struct err *err)
{
	struct risks *m = mem_alloc(sizeof *m);
	struct runner_options mine = *o;
	mine.flags |= TD_SENSITIVE;
	mine.wall_ms = mine.wall_ms < WALL_MS ? mine.wall_ms : WALL_MS;
	m->runner = runner_open(&mine, err);
	if (m->runner)
		return m;
	free(m);
	return NULL;
}

void risks_close(struct risks *m)
{
	if (!m)
		return;
	runner_close(m->runner);
	map_free(&m->places);
	free(m);
}

uint64_t risks_places(const struct risks *m)
{
	return m ? m->places.count : 0;
}

uint32_t risks_place(const struct td_event *e)
{
	uint32_t place = (uint32_t)rng_mix((uint64_t)e->site << 32 | e->aux);
	return place ? place : 1;
}

void risks_find(struct risks *m, const struct testcase *input, struct walk *w)
{
	struct outcome out;
	struct trace t;
	struct err ignored = {0};
	VEC(struct walk_risk) found = {0};
	uint32_t step = 0;
	if (!runner_run(m->runner, input, &out, &t, &ignored))
		return;
	outcome_free(&out);
	for (uint32_t i = 0; t.header && i < t.events_count && step <= w->steps_count; i++) {
		const struct td_event *e = &t.events[i];
		step += flip_is_decision(e);
		if (e->kind != TD_EV_SENSITIVE && e->kind != TD_EV_SAFETY)
			continue;
		vec_push(&found, (struct walk_risk){ step, risks_place(e) });
		*map_at(&m->places, rng_mix(risks_place(e))) = 1;
	}
	w->risks = found.at;
	w->risks_count = (uint32_t)found.count;
}
