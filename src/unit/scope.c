/* See scope.h. With main all of the program runs: what its callees are called with then is what they are really called with. Else members are reached from the function, and contexts lead to it, through functions alone that it depends on. */
#include "unit/scope.h"

#include "base/rng.h"
#include "base/vec.h"

#include <string.h>

enum { CONTEXTS_MAX = 64, CHAIN_MAX = 32 };

struct finder {
	const struct unit_program *p;
	const struct scope_options *o;
	uint32_t function;
	struct scope *scope;
	struct arena *arena;
	uint32_t chain[CHAIN_MAX];      /* from the function outwards */
	size_t length;
	VEC(struct scope_context) contexts;
	bool circles;                   /* there is nothing but circles */
};

static bool depends(const struct finder *s, uint32_t on, unsigned distance)
{
	switch (s->scope->kind) {
	case SCOPE_ALONE: return false;
	case SCOPE_DISTANCE: return distance <= s->o->distance;
	case SCOPE_RELEVANCE: return profile_relevance(s->o->profile, on, s->function) >= s->o->relevance;
	case SCOPE_RANDOM: return rng_mix(s->o->seed ^ rng_mix((uint64_t)s->function << 32 | on)) & 1;
	case SCOPE_DEPENDENCY: break;
	}
	return profile_dependency(s->o->profile, on, s->function) >= s->o->tau;
}

/* --- members --- */

static void find_members(struct finder *s)
{
	struct { uint32_t function; unsigned distance; } *queue = arena_alloc(s->arena, (s->p->count + 1u) * sizeof *queue);
	size_t first = 0, last = 0;
	s->scope->members[s->function] = true;
	queue[last++].function = s->function;
	for (; first < last; first++) {
		const struct unit_function *f = &s->p->functions[queue[first].function];
		for (uint32_t i = 0; i < f->callees_count; i++) {
			uint32_t to = f->callees[i];
			if (s->scope->members[to] || !depends(s, to, queue[first].distance + 1))
				continue;
			s->scope->members[to] = true;
			queue[last].function = to;
			queue[last++].distance = queue[first].distance + 1;
		}
	}
}

static void find_stubs(struct finder *s)
{
	bool *wanted = arena_alloc(s->arena, s->p->count + 1u);
	uint32_t *stubs = arena_alloc(s->arena, (s->p->count + 1u) * sizeof *stubs);
	for (uint32_t i = 0; i < s->p->count; i++)
		for (uint32_t k = 0; s->scope->members[i] && k < s->p->functions[i].callees_count; k++)
			wanted[s->p->functions[i].callees[k]] = true;
	for (uint32_t i = 0; i < s->p->count; i++)
		if (wanted[i] && !s->scope->members[i])
			stubs[s->scope->stubs_count++] = i;
	s->scope->stubs = stubs;
}

/* --- contexts --- */

static void add_context(struct finder *s)
{
	uint32_t *chain = arena_alloc(s->arena, s->length * sizeof *chain);
	for (size_t i = 0; i < s->length; i++)
		chain[i] = s->chain[s->length - 1 - i];
	if (s->contexts.count < CONTEXTS_MAX)
		vec_push(&s->contexts, (struct scope_context){ chain, s->length });
	else
		s->scope->contexts_cut = true;
}

static bool is_in_chain(const struct finder *s, uint32_t function)
{
	for (size_t i = 0; i < s->length; i++)
		if (s->chain[i] == function)
			return true;
	return function == s->function;
}

/* A chain is as long as it can be. One that cannot be longer because it would go round in a circle begins nowhere: whoever calls its outermost is in it already, and came in by another way. */
static void go_up(struct finder *s, uint32_t from)
{
	const struct unit_function *f = &s->p->functions[from];
	bool longer = false, round = false;
	for (uint32_t i = 0; i < f->callers_count && !s->scope->contexts_cut; i++) {
		uint32_t caller = f->callers[i];
		bool itself = caller == s->function && s->scope->kind == SCOPE_DEPENDENCY; /* no profile says that a function depends on itself */
		if (s->length == CHAIN_MAX || (!itself && !depends(s, caller, (unsigned)s->length + 1)))
			continue;
		if (is_in_chain(s, caller)) {
			round |= caller != from;
			continue;
		}
		longer = true;
		s->chain[s->length++] = caller;
		go_up(s, caller);
		s->length--;
	}
	if (!longer && s->length && (!round || s->circles))
		add_context(s);
}

struct scope scope_find(const struct unit_program *p, uint32_t function, const struct scope_options *o, struct arena *arena)
{
	struct scope scope = { .kind = o->kind, .members = arena_alloc(arena, p->count + 1u) };
	struct finder s = { .p = p, .o = o, .function = function, .scope = &scope, .arena = arena };
	if ((o->kind == SCOPE_DEPENDENCY || o->kind == SCOPE_RELEVANCE) && (!o->profile || !profile_ran(o->profile, function)))
		scope.kind = SCOPE_DISTANCE;
	if (unit_program_is_main(p, function))
		memset(scope.members, 1, p->count);
	else
		find_members(&s);
	find_stubs(&s);
	go_up(&s, function);
	s.circles = !s.contexts.count;
	if (s.circles)
		go_up(&s, function);
	scope.contexts = s.contexts.count ? arena_copy(arena, s.contexts.at, s.contexts.count * sizeof *s.contexts.at) : NULL;
	scope.contexts_count = s.contexts.count;
	vec_free(&s.contexts);
	return scope;
}
