/* See book.h. Besides what its own unit touches a function is given the variables of those that it calls: their paths depend on them, and what it leaves in them is part of a call. */
#include "unit/book.h"

#include "base/digest.h"

#include <string.h>

struct page {
	struct scope scope;
	bool *nearby;
	struct plan plan;
	bool has_scope, has_plan, possible;
	const char *why;
};

struct book {
	struct unit_program *program;
	struct book_options o;
	struct page *pages;
	struct arena *arena;
};

struct book *book_new(struct unit_program *p, const struct book_options *o)
{
	struct book *b = mem_alloc(sizeof *b);
	b->program = p;
	b->o = *o;
	b->arena = arena_new();
	b->pages = arena_alloc(b->arena, (p->count + 1u) * sizeof *b->pages);
	return b;
}

void book_free(struct book *b)
{
	if (!b)
		return;
	arena_free(b->arena);
	free(b);
}

const struct scope *book_scope(struct book *b, uint32_t function)
{
	struct page *p = &b->pages[function];
	if (!p->has_scope)
		p->scope = scope_find(b->program, function, &b->o.scope, b->arena);
	p->has_scope = true;
	return &p->scope;
}

static const bool *nearby(struct book *b, uint32_t function)
{
	struct page *p = &b->pages[function];
	const struct unit_function *f = &b->program->functions[function];
	if (p->nearby || b->o.scope.kind == SCOPE_ALONE)
		return p->nearby;
	p->nearby = arena_alloc(b->arena, b->program->count + 1u);
	for (uint32_t i = 0; i < f->callees_count; i++) {
		const struct scope *its = book_scope(b, f->callees[i]);
		for (uint32_t k = 0; k < b->program->count; k++)
			p->nearby[k] |= its->members[k];
	}
	return p->nearby;
}

struct recipe book_recipe(struct book *b, uint32_t function)
{
	return (struct recipe){
		.program = b->program, .function = function, .members = book_scope(b, function)->members, .nearby = nearby(b, function), .options = b->o.plan,
	};
}

const struct plan *book_plan(struct book *b, uint32_t function, const char **why)
{
	struct page *p = &b->pages[function];
	if (!p->has_plan) {
		struct err err = {0};
		struct recipe r = book_recipe(b, function);
		p->possible = recipe_plan(&r, b->arena, &p->plan, &err);
		p->why = p->possible ? NULL : arena_strdup(b->arena, err.text);
		p->has_plan = true;
	}
	if (why)
		*why = p->why;
	return p->possible ? &p->plan : NULL;
}

void book_pack_watching(struct book *b, uint32_t function, const uint32_t *watched, size_t count, struct str *out)
{
	VEC(const struct plan *) plans = {0};
	for (size_t i = 0; i < count; i++) {
		bool can_be = watched[i] != function && !unit_program_is_main(b->program, watched[i]);
		const struct plan *p = can_be ? book_plan(b, watched[i], NULL) : NULL;
		if (p)
			vec_push(&plans, p);
	}
	plan_pack(book_plan(b, function, NULL), plans.at, plans.count, out);
	vec_free(&plans);
}

void book_pack(struct book *b, uint32_t function, bool watching, struct str *out)
{
	const struct unit_function *f = &b->program->functions[function];
	book_pack_watching(b, function, f->callees, watching ? f->callees_count : 0, out);
}

struct digest book_digest(struct book *b, uint32_t function)
{
	struct str packed = {0};
	plan_pack(book_plan(b, function, NULL), NULL, 0, &packed);
	struct digest d = digest_bytes(digest_of('p'), packed.text, packed.length);
	str_free(&packed);
	return d;
}
