/* See rows.h. Where pointers can lead, without regard to order, as far as it can be followed: to functions whose address somebody takes, or to nothing because somebody says NULL. All else that they may lead to is the plan's affair.
 *
 * What is put somewhere by way of a pointer that nobody can follow does not get lost: whoever lends the address of a place has put anything there (compile/flow.c). */
#include "unit/rows.h"

#include <string.h>

enum { ROUNDS_MAX = 1000 };

/* Bits for those whose address is taken. */
static void number_functions(struct ranges *r)
{
	uint32_t count = 0;
	r->bits = mem_alloc((r->program->count + 1u) * sizeof *r->bits);
	for (uint32_t i = 0; i < r->program->count; i++) {
		const struct unit_function *f = &r->program->functions[i];
		if (f->block && f->facts->flags & TD_FN_ADDRESS_TAKEN)
			r->bits[i] = ++count;
	}
	r->words = (count + 63) / 64;
}

static uint64_t *functions_of(struct ranges *r, struct lead *l)
{
	if (!l->functions)
		l->functions = arena_alloc(r->arena, (r->words + 1u) * sizeof *l->functions);
	return l->functions;
}

static bool join(struct ranges *r, struct lead *to, const struct lead *from)
{
	bool changed = (from->null && !to->null) || (from->any && !to->any);
	to->null |= from->null;
	to->any |= from->any;
	for (uint32_t i = 0; from->functions && i < r->words; i++) {
		uint64_t more = from->functions[i] & ~functions_of(r, to)[i];
		to->functions[i] |= more;
		changed |= more != 0;
	}
	return changed;
}

static const struct facts_block *block_of(const struct ranges *r, const struct row *row)
{
	const struct facts_module *m = &r->program->facts.modules[0];
	for (size_t i = 0; i < m->blocks_count; i++) {
		const struct facts_block *b = &m->blocks[i];
		if (row->from >= b->flows && row->from < b->flows + b->head->flows.count)
			return b;
	}
	return NULL;
}

static void lead_to_function(struct ranges *r, const struct row *row, struct lead *out)
{
	const struct facts_block *b = block_of(r, row);
	uint32_t f = b ? unit_program_named(r->program, b, facts_string(b, row->from->name)) : UINT32_MAX, bit = f != UINT32_MAX ? r->bits[f] : 0;
	if (bit)
		functions_of(r, out)[(bit - 1) / 64] |= 1ull << (bit - 1) % 64;
}

static bool read_place(struct ranges *r, const struct row *row, struct lead *out)
{
	const struct place *p = &r->places.at[row->place];
	struct lead own = p->lead;
	own.any |= !row->place || p->is_any;
	bool changed = join(r, out, &own);
	return p->also ? join(r, out, &r->places.at[p->also].lead) || changed : changed;
}

static bool says_not_null(const struct td_flow *f)
{
	return f->number == TD_FLOW_NOT ? f->lo == 0 : f->lo > 0;
}

/* Of a value that is none of those that are followed. */
static bool lead_anywhere(struct lead *out)
{
	bool changed = !out->any;
	out->any = true;
	return changed;
}

static bool follow(struct ranges *r, struct row *row)
{
	const struct td_flow *f = row->from;
	struct lead *a = f->a ? &r->rows.at[row->first + f->a - 1].lead : NULL, *b = f->b ? &r->rows.at[row->first + f->b - 1].lead : NULL, one = {0};
	bool changed = false;
	switch ((enum td_flow_op)f->op) {
	case TD_FLOW_RANGE: /* set once and for all */
	case TD_FLOW_FUNCTION: return false;
	case TD_FLOW_PLACE: return read_place(r, row, &row->lead);
	case TD_FLOW_JOIN:
		changed = a && join(r, &row->lead, a);
		return (b && join(r, &row->lead, b)) || changed;
	case TD_FLOW_CLIP:
		one = a ? *a : one;
		one.null &= !says_not_null(f);
		return join(r, &row->lead, &one);
	case TD_FLOW_STORE: return a && row->place && !row->is_idle && join(r, &r->places.at[row->place].lead, a);
	default: return lead_anywhere(&row->lead);
	}
}

static void begin(struct ranges *r, struct row *row)
{
	const struct td_flow *f = row->from;
	row->lead = (struct lead){0};
	if (f->op == TD_FLOW_FUNCTION)
		lead_to_function(r, row, &row->lead);
	if (f->op == TD_FLOW_RANGE)
		row->lead = (struct lead){ .null = !f->lo && !f->hi && !f->number, .any = f->lo <= 0 && f->hi && !f->number };
}

void leads_find(struct ranges *r)
{
	bool changed = true;
	number_functions(r);
	for (size_t i = 0; i < r->rows.count; i++)
		begin(r, &r->rows.at[i]);
	for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
		changed = false;
		for (size_t i = 0; i < r->rows.count; i++)
			if (r->rows.at[i].from->bits == 64)
				changed |= follow(r, &r->rows.at[i]);
	}
	for (size_t i = 1; changed && i < r->places.count; i++) /* not to the end */
		r->places.at[i].lead = (struct lead){ .null = true, .any = true };
}

/* A place that none is put into has them from somewhere else. */
static bool has_any(const struct ranges *r, const struct lead *l)
{
	for (uint32_t i = 0; l->functions && i < r->words; i++)
		if (l->functions[i])
			return true;
	return false;
}

static bool has(const struct lead *l, uint32_t bit)
{
	return l->functions && l->functions[(bit - 1) / 64] >> (bit - 1) % 64 & 1;
}

bool leads_to(const struct ranges *r, uint32_t place, uint32_t function)
{
	const struct place *p = &r->places.at[place];
	const struct lead none = {0}, *also = p->also ? &r->places.at[p->also].lead : &none;
	uint32_t bit = r->bits[function];
	if (!place || p->is_any || p->lead.any || also->any || !bit || !(has_any(r, &p->lead) || has_any(r, also)))
		return true;
	return has(&p->lead, bit) || has(also, bit);
}
