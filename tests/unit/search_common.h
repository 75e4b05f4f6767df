/* A world made by hand: walks are written down edge by edge, or come from a program of so many bits that decides about one after the other. */
#ifndef TANDEM_TESTS_SEARCH_COMMON_H
#define TANDEM_TESTS_SEARCH_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

enum { SCENE_IDS = 4096 };

struct scene {
	struct world w;
	uint8_t states[SCENE_IDS];
	uint32_t taken[SCENE_IDS]; /* by which walk */
	const struct strategy *search;
	void *self;
	uint32_t bits;             /* of the program */
};

static inline void scene_open(struct scene *s, const char *search)
{
	memset(s, 0, sizeof *s);
	s->w.states = s->states;
	s->w.edges = 64;
	rng_seed(&s->w.rng, 1);
	s->search = search_find(search);
	assert_non_null(s->search);
	s->self = s->search->open(&s->w, s->search);
}

static inline void scene_close(struct scene *s)
{
	s->search->close(s->self);
	world_free(&s->w);
}

/* A walk over these edges, ended by WALK_NO_EDGE, in which each decision has one choice: to the edge's partner (edge ^ 1). Ids go on from `id`. */
static inline uint32_t scene_walk(struct scene *s, uint32_t id, const uint32_t *edges)
{
	uint32_t count = 0;
	while (edges[count] != WALK_NO_EDGE)
		count++;
	struct walk w = { .steps = calloc(count + 1, sizeof *w.steps), .choices = calloc(count + 1, sizeof *w.choices), .steps_count = count, .choices_count = count,
	                  .covered = calloc(1, sizeof *w.covered), .words = 1 };
	for (uint32_t i = 0; i < count; i++) {
		w.steps[i] = (struct walk_step){ edges[i], i };
		w.choices[i] = (struct walk_choice){ .id = id + i, .edge = edges[i] ^ 1, .step = i, .kind = CHOICE_BRANCH, .is_new = 1 };
		w.covered[0] |= 1ull << edges[i];
	}
	struct { struct walk *at; size_t count, room; } *walks = (void *)&s->w.walks;
	vec_push(walks, w);
	return (uint32_t)walks->count - 1;
}

static inline void scene_begin(struct scene *s, uint32_t walk)
{
	uint32_t fresh = tally_add(&s->w.ever, &s->w.walks.at[walk], &s->w.counted);
	if (s->search->meet)
		s->search->meet(s->self, walk);
	s->search->begin(s->self, walk, fresh);
}

static inline void scene_refute(struct scene *s, const struct pick *p)
{
	s->states[p->choice.id] = CHOICE_REFUTED;
	s->search->learn(s->self, p, &(struct result){ .kind = RESULT_REFUTED, .walk = WALK_NONE });
}

static inline void scene_lead(struct scene *s, const struct pick *p, uint32_t walk, bool predicted)
{
	uint32_t fresh = tally_add(&s->w.ever, &s->w.walks.at[walk], &s->w.counted);
	s->states[p->choice.id] = CHOICE_TAKEN;
	if (s->search->meet)
		s->search->meet(s->self, walk);
	s->search->learn(s->self, p, &(struct result){ .kind = RESULT_WALK, .walk = walk, .predicted = predicted, .is_new = true, .fresh = fresh });
}

/* --- the program of bits: decision i takes edge 2 * i + bit i --- */

/* Names the flip by the prefix it leads to. */
static inline uint32_t bits_id(uint32_t value, uint32_t step)
{
	return (1u << (step + 1)) | (value & ((1u << (step + 1)) - 1));
}

/* The walk of a value; bit 0 is decided first. */
static inline uint32_t bits_walk(struct scene *s, uint32_t value)
{
	uint32_t edges[17];
	for (uint32_t i = 0; i < s->bits; i++)
		edges[i] = 2 * i + (value >> i & 1);
	edges[s->bits] = WALK_NO_EDGE;
	uint32_t n = scene_walk(s, 0, edges);
	struct walk *w = &s->w.walks.at[n];
	for (uint32_t i = 0; i < s->bits; i++) {
		uint32_t id = bits_id(value ^ 1u << i, i), own = bits_id(value, i);
		w->choices[i].is_new = s->states[id] == CHOICE_OPEN && !s->taken[id];
		w->choices[i].id = id;
		s->taken[id] += s->taken[id] == 0;
		if (s->states[own] == CHOICE_OPEN)
			s->states[own] = CHOICE_TAKEN;
	}
	return n;
}

static inline uint32_t bits_value(const struct scene *s, uint32_t walk)
{
	uint32_t value = 0;
	for (uint32_t i = 0; i < s->bits; i++)
		value |= (s->w.walks.at[walk].steps[i].edge & 1) << i;
	return value;
}

/* Explores from 0 until the strategy wants to start over; the values in the order of the runs, the first one left out. Everything can be solved. */
static inline uint32_t bits_explore(struct scene *s, uint32_t bits, uint32_t *values, uint32_t most)
{
	struct pick p;
	uint32_t n = 0;
	s->bits = bits;
	scene_begin(s, bits_walk(s, 0));
	while (n < most && s->search->choose(s->self, &p) == SEARCH_TRY) {
		values[n] = bits_value(s, p.walk) ^ 1u << p.choice.step;
		scene_lead(s, &p, bits_walk(s, values[n]), true);
		n++;
	}
	return n;
}

#endif
