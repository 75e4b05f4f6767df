/* A trace may have megabytes, an input has a few bytes and is enough to get the trace again. So traces go first, in the order in which they came or were
 * renewed; the newest stays, whatever its size. Inputs are in arenas of a thousand, and the oldest arena goes when all of them are too large: what
 * nobody has looked at for so long is not missed much, and a campaign of days has to end up somewhere. */
#include "engine/stock.h"

#include "base/mem.h"
#include "base/vec.h"
#include "engine/runner.h"

#include <stdlib.h>

#define GENERATION 1024u /* inputs of one arena */

struct item {
	struct testcase input;
	struct trace trace;
	void *block;             /* of the trace; NULL: gone */
	struct demands *demands; /* made when first asked for */
	size_t size;             /* of the two */
};

struct generation {
	struct arena *arena;     /* NULL: forgotten */
	size_t size;
};

struct stock {
	const struct facts *facts;
	struct stock_limits limits;
	VEC(struct item) items;
	VEC(struct generation) generations;
	VEC(uint32_t) order;     /* of those with a trace, oldest first; some are there twice */
	size_t oldest;           /* in it */
	size_t oldest_generation;
	size_t traces, inputs;   /* bytes */
	struct stock_counts counts;
};

struct stock *stock_new(const struct facts *facts, const struct stock_limits *limits)
{
	struct stock *s = mem_alloc(sizeof *s);
	s->facts = facts;
	s->limits = *limits;
	return s;
}

static void drop_trace(struct stock *s, struct item *i)
{
	flip_demands_free(i->demands);
	free(i->block);
	s->traces -= i->size;
	i->demands = NULL;
	i->block = NULL;
	i->size = 0;
}

void stock_free(struct stock *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->items.count; i++)
		drop_trace(s, &s->items.at[i]);
	for (size_t i = 0; i < s->generations.count; i++)
		if (s->generations.at[i].arena)
			arena_free(s->generations.at[i].arena);
	vec_free(&s->items);
	vec_free(&s->generations);
	vec_free(&s->order);
	free(s);
}

/* --- traces --- */

static void tidy_order(struct stock *s)
{
	size_t left = s->order.count - s->oldest;
	if (s->oldest < 4096 || s->oldest < left)
		return;
	for (size_t i = 0; i < left; i++)
		s->order.at[i] = s->order.at[s->oldest + i];
	s->order.count = left;
	s->oldest = 0;
}

static void make_room(struct stock *s)
{
	while (s->traces > s->limits.traces && s->oldest + 1 < s->order.count) {
		struct item *i = &s->items.at[s->order.at[s->oldest++]];
		s->counts.traces_dropped += i->block != NULL;
		drop_trace(s, i);
	}
	tidy_order(s);
}

void stock_renew(struct stock *s, uint32_t number, const struct trace *t)
{
	struct item *i = &s->items.at[number];
	if (i->block || !t->header)
		return;
	i->block = runner_keep(t, &i->trace, &i->size);
	s->traces += i->size;
	vec_push(&s->order, number);
	make_room(s);
}

const struct trace *stock_trace(const struct stock *s, uint32_t number)
{
	return s->items.at[number].block ? &s->items.at[number].trace : NULL;
}

struct demands *stock_demands(struct stock *s, uint32_t number)
{
	struct item *i = &s->items.at[number];
	if (!i->demands) {
		i->demands = flip_demands(&i->trace, s->facts, &i->input);
		size_t size = flip_demands_size(i->demands);
		i->size += size;
		s->traces += size;
	}
	return i->demands;
}

/* --- inputs --- */

static size_t input_size(const struct testcase *t)
{
	size_t size = sizeof *t + t->size + t->args_count * 64 + t->env_count * 64;
	for (size_t i = 0; i < t->files_count; i++)
		size += sizeof *t->files + t->files[i].size;
	for (size_t i = 0; i < t->marks_count; i++)
		size += sizeof *t->marks + t->marks[i].size + 32;
	return size;
}

/* The first input is what every restart begins with, and is the caller's as well. */
static void forget_inputs(struct stock *s)
{
	while (s->inputs > s->limits.inputs && s->oldest_generation + 1 < s->generations.count) {
		struct generation *g = &s->generations.at[s->oldest_generation];
		size_t first = s->oldest_generation++ * GENERATION;
		for (size_t i = first; i < first + GENERATION; i++)
			drop_trace(s, &s->items.at[i]);
		s->counts.inputs_dropped += GENERATION;
		s->inputs -= g->size;
		arena_free(g->arena);
		*g = (struct generation){0};
	}
}

uint32_t stock_add(struct stock *s, const struct testcase *input, const struct trace *t)
{
	uint32_t number = (uint32_t)s->items.count;
	if (number % GENERATION == 0)
		vec_push(&s->generations, (struct generation){ arena_new(), 0 });
	struct generation *g = &s->generations.at[number / GENERATION];
	size_t size = input_size(input);
	vec_push(&s->items, (struct item){ .input = testcase_copy(input, g->arena) });
	g->size += size;
	s->inputs += size;
	stock_renew(s, number, t);
	forget_inputs(s);
	return number;
}

const struct testcase *stock_input(const struct stock *s, uint32_t number)
{
	return s->generations.at[number / GENERATION].arena ? &s->items.at[number].input : NULL;
}

struct stock_counts stock_counts(const struct stock *s)
{
	return s->counts;
}
