/* See shapes.h. In C a struct that others begin with is their common type: all are passed as pointers to it, and who knows better looks behind its end. An object of the common type alone would end too soon for him, in a run that nobody else can bring about.
 * The compiler says as what functions take their parameters (struct td_shape); here that is held against the types these have. */
#include "unit/shapes.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>

#define NEST_MAX 8

struct shape {
	uint32_t function, parameter;
	const struct type *of; /* by its type it leads to this; */
	const struct type *as; /* it is taken for that */
};

struct shapes {
	VEC(struct shape) list;
};

/* Does one begin with the other? */
static bool begins_with(const struct type *t, const struct type *first)
{
	for (unsigned i = 0; i < NEST_MAX && t->kind == TYPE_STRUCT && t->members_count && !t->members[0].offset; i++) {
		t = t->members[0].type;
		if (types_same(t, first))
			return true;
	}
	return false;
}

static void add(struct shapes *s, struct unit_program *p, const struct facts_block *b, const struct td_shape *row)
{
	uint32_t function = unit_program_named(p, b, facts_string(b, row->function));
	const struct type *type = function == UINT32_MAX ? NULL : unit_program_type(p, function);
	if (!type || row->parameter >= type->members_count || type->members_count != p->functions[function].facts->parameters || type->members[row->parameter].type->kind != TYPE_POINTER)
		return;
	const struct type *of = type->members[row->parameter].type->of, *as = types_struct(p->types, facts_string(b, row->type));
	if (as && as->size > of->size)
		vec_push(&s->list, (struct shape){ function, row->parameter, of, as });
}

struct shapes *shapes_new(struct unit_program *p)
{
	struct shapes *s = mem_alloc(sizeof *s);
	const struct facts_module *m = &p->facts.modules[0];
	for (size_t i = 0; i < m->blocks_count; i++)
		for (uint32_t k = 0; k < m->blocks[i].head->shapes.count && !(m->blocks[i].head->flags & TD_FACTS_HIDDEN); k++)
			add(s, p, &m->blocks[i], &m->blocks[i].shapes[k]);
	return s;
}

void shapes_free(struct shapes *s)
{
	if (!s)
		return;
	vec_free(&s->list);
	free(s);
}

static const struct type *larger(const struct type *a, const struct type *b)
{
	return !a || b->size > a->size ? b : a;
}

const struct type *shapes_parameter(const struct shapes *s, uint32_t function, uint32_t parameter, const struct type *of)
{
	const struct type *found = NULL;
	for (size_t i = 0; i < s->list.count; i++) {
		const struct shape *one = &s->list.at[i];
		if (one->function == function && one->parameter == parameter && (of->kind == TYPE_UNKNOWN || of->kind == TYPE_STRUCT))
			found = larger(found, one->as);
	}
	return found;
}

const struct type *shapes_around(const struct shapes *s, const struct type *of)
{
	const struct type *found = NULL;
	for (size_t i = 0; i < s->list.count && of->kind == TYPE_STRUCT; i++)
		if (begins_with(s->list.at[i].as, of) && types_same(s->list.at[i].of, of))
			found = larger(found, s->list.at[i].as);
	return found;
}
