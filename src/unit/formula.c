/* See formula.h. Joined terms are in the order of the levels, so that children come before parents. A byte of the callee's input is replaced by what the caller had there; what it had nowhere, the results of stubs and what is read from
 * files stay inputs, and may be anything.
 *
 * What a run lost is left out: it says which values the run had, not which are possible. */
#include "unit/formula.h"

#include "base/mem.h"
#include "base/vec.h"
#include "contract/unit.h"
#include "expr/op.h"

#include <stdlib.h>
#include <string.h>

/* --- taking --- */

struct taker {
	const struct terms *from;
	uint32_t *number;     /* in the copy, by node; 0: not wanted */
	uint32_t *array;      /* likewise, plus 1 */
	struct arena *arena;
};

static void want(struct taker *k, uint32_t node)
{
	if (node)
		k->number[node] = 1;
}

/* Parents come behind their children. */
static void want_children(struct taker *k)
{
	for (uint32_t id = k->from->count; id-- > 1;) {
		const struct td_node *n = &k->from->nodes[id];
		const struct op *op = k->number[id] ? op_get(n->op) : NULL;
		if (!op)
			continue;
		if (op->arity > 0)
			want(k, n->a);
		if (op->arity > 1)
			want(k, n->b);
		if (op->arity > 2)
			want(k, n->c);
		if (n->op == TD_TABLE)
			k->array[n->b] = 1;
	}
}

static struct td_node renumber(const struct td_node *n, const uint32_t *number)
{
	struct td_node copy = *n;
	const struct op *op = op_get(n->op);
	copy.a = op->arity > 0 ? number[n->a] : n->a;
	copy.b = op->arity > 1 ? number[n->b] : n->b;
	copy.c = op->arity > 2 ? number[n->c] : n->c;
	return copy;
}

static void copy_arrays(struct taker *k, struct terms *to)
{
	struct td_array *arrays = arena_alloc(k->arena, (k->from->arrays_count + 1) * sizeof *arrays);
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < k->from->arrays_count; i++) {
		if (!k->array[i])
			continue;
		k->array[i] = to->arrays_count + 1;
		arrays[to->arrays_count] = k->from->arrays[i];
		arrays[to->arrays_count++].offset = (uint32_t)bytes;
		bytes += ((uint64_t)k->from->arrays[i].count * k->from->arrays[i].bits / 8 + 7) / 8 * 8;
	}
	uint8_t *elements = arena_alloc(k->arena, bytes + 8);
	for (uint32_t i = 0; i < k->from->arrays_count; i++)
		if (k->array[i])
			memcpy(elements + arrays[k->array[i] - 1].offset, k->from->array_bytes + k->from->arrays[i].offset, (uint64_t)k->from->arrays[i].count * k->from->arrays[i].bits / 8);
	to->arrays = arrays;
	to->array_bytes = elements;
}

static struct terms copy_terms(struct taker *k)
{
	struct terms to = { .count = 1 };
	for (uint32_t id = 1; id < k->from->count; id++)
		if (k->number[id])
			k->number[id] = to.count++;
	struct td_node *nodes = arena_alloc(k->arena, to.count * sizeof *nodes);
	copy_arrays(k, &to);
	for (uint32_t id = 1; id < k->from->count; id++) {
		if (!k->number[id])
			continue;
		nodes[k->number[id]] = renumber(&k->from->nodes[id], k->number);
		if (k->from->nodes[id].op == TD_TABLE)
			nodes[k->number[id]].b = k->array[k->from->nodes[id].b] - 1;
	}
	to.nodes = nodes;
	return to;
}

static void copy_inputs(const struct trace *t, const struct path *p, struct arena *arena, struct formula *f)
{
	const struct assignment *seed = &path_source(p)->seed;
	struct content *contents = arena_alloc(arena, (t->inputs_count + 1) * sizeof *contents);
	for (uint32_t i = 0; i < t->inputs_count && i < seed->count; i++)
		contents[i] = (struct content){ arena_copy(arena, seed->objects[i].bytes, seed->objects[i].length), seed->objects[i].length };
	f->inputs = arena_copy(arena, t->inputs, t->inputs_count * sizeof *t->inputs);
	f->contents = contents;
	f->inputs_count = t->inputs_count;
}

static struct digest name_of(const struct formula *f)
{
	struct digest d = digest_bytes(digest_of('f'), f->terms.nodes + 1, (f->terms.count - 1) * sizeof *f->terms.nodes);
	for (size_t i = 0; i < f->count; i++)
		d = digest_add(digest_add(digest_add(d, f->parts[i].node), f->parts[i].differs), (uint64_t)f->parts[i].value);
	for (size_t i = 0; i < f->pieces_count; i++) {
		const struct formula_piece *p = &f->pieces[i];
		d = digest_add(digest_add(digest_add(digest_add(d, p->what), (uint64_t)p->object << 32 | p->offset), p->node), p->node ? 0 : p->value);
	}
	return d;
}

struct formula formula_take(const struct trace *t, const struct path *p, size_t count, uint32_t call, struct arena *arena)
{
	struct taker k = { &t->terms, mem_alloc((t->terms.count + 1u) * sizeof *k.number), mem_alloc((t->terms.arrays_count + 1u) * sizeof *k.array), arena };
	const struct conjunct *demands = path_source(p)->demands;
	struct formula f = {0};
	struct conjunct *parts = arena_alloc(arena, (count + 1) * sizeof *parts);
	VEC(struct formula_piece) pieces = {0};
	for (size_t i = 0; i < count; i++)
		if (demands[i].kind != CONJUNCT_LOSS)
			want(&k, demands[i].node);
	for (uint32_t i = call; i != UINT32_MAX && ++i < t->events_count && t->events[i].kind == TD_EV_SNAPSHOT;) {
		const struct td_event *e = &t->events[i];
		vec_push(&pieces, (struct formula_piece){ e->sub, e->site, e->aux, e->node, e->value });
		want(&k, e->node);
	}
	want_children(&k);
	f.terms = copy_terms(&k);
	for (size_t i = 0; i < count; i++)
		if (demands[i].kind != CONJUNCT_LOSS) {
			parts[f.count] = demands[i];
			parts[f.count++].node = k.number[demands[i].node];
		}
	for (size_t i = 0; i < pieces.count; i++)
		pieces.at[i].node = k.number[pieces.at[i].node];
	f.parts = parts;
	f.pieces = arena_copy(arena, pieces.at, pieces.count * sizeof *pieces.at);
	f.pieces_count = pieces.count;
	copy_inputs(t, p, arena, &f);
	f.name = name_of(&f);
	vec_free(&pieces);
	free(k.number);
	free(k.array);
	return f;
}

/* --- joining --- */

struct joiner {
	struct arena *arena;
	VEC(struct td_node) nodes;
	VEC(struct td_array) arrays;
	VEC(uint8_t) elements;
	VEC(struct conjunct) goals;
	struct td_input *inputs;
	struct content *contents;
	uint32_t inputs_count, level;
	bool impossible;
};

static uint32_t add(struct joiner *j, struct td_node n)
{
	vec_push(&j->nodes, n);
	return (uint32_t)j->nodes.count - 1;
}

static uint32_t constant(struct joiner *j, unsigned bits, uint64_t value)
{
	return add(j, (struct td_node){ .op = TD_CONST, .bits = (uint16_t)bits, .lo = value });
}

static const struct formula_piece *piece_at(const struct formula *caller, uint32_t object, uint32_t offset)
{
	const struct formula_piece *found = NULL;
	for (size_t i = 0; i < caller->pieces_count; i++) {
		const struct formula_piece *p = &caller->pieces[i];
		if (p->object == object && p->offset <= offset && (!found || p->offset >= found->offset))
			found = p;
	}
	return found;
}

/* The term of a byte of the callee's input; 0: it stays an input. */
static uint32_t link_byte(struct joiner *j, const struct formula *caller, const uint32_t *number, const struct td_input *in, uint32_t given, uint32_t offset)
{
	bool known = in->kind == TD_IN_MARK && in->index < given;
	const struct formula_piece *p = known ? piece_at(caller, in->index, offset) : NULL;
	if (!p)
		return 0;
	unsigned at = offset - p->offset;
	switch ((enum td_snapshot)p->what) {
	case TD_SNAPSHOT_END: j->impossible = true; return 0;
	case TD_SNAPSHOT_POINTER: return at || p->value == TD_UNIT_ELSEWHERE ? 0 : constant(j, 8, p->value);
	case TD_SNAPSHOT_BYTES: break;
	}
	if (at > 7)
		return 0;
	if (!p->node)
		return constant(j, 8, p->value >> 8 * at & 255);
	uint32_t whole = number[p->node];
	unsigned bits = j->nodes.at[whole].bits;
	if (8 * at + 8 > bits)
		return 0;
	return bits == 8 ? whole : add(j, (struct td_node){ .op = TD_EXTRACT, .bits = 8, .a = whole, .b = 8 * at });
}

static void add_arrays(struct joiner *j, const struct formula *f)
{
	for (uint32_t i = 0; i < f->terms.arrays_count; i++) {
		struct td_array a = f->terms.arrays[i];
		const uint8_t *from = f->terms.array_bytes + a.offset;
		a.offset = (uint32_t)j->elements.count;
		for (uint64_t k = 0; k < ((uint64_t)a.count * a.bits / 8 + 7) / 8 * 8; k++)
			vec_push(&j->elements, k < (uint64_t)a.count * a.bits / 8 ? from[k] : 0);
		vec_push(&j->arrays, a);
	}
}

/* number: of the caller's terms; returned are the callee's. */
static uint32_t *add_level(struct joiner *j, const struct formula *f, const struct formula *caller, const uint32_t *caller_number, uint32_t given, uint32_t first)
{
	uint32_t *number = arena_alloc(j->arena, (f->terms.count + 1u) * sizeof *number), arrays = (uint32_t)j->arrays.count;
	add_arrays(j, f);
	for (uint32_t id = 1; id < f->terms.count; id++) {
		struct td_node n = renumber(&f->terms.nodes[id], number);
		bool input = n.op == TD_INPUT || n.op == TD_LENGTH;
		if (n.op == TD_INPUT && caller)
			number[id] = link_byte(j, caller, caller_number, &f->inputs[n.a], given, n.b);
		n.a += input ? first : 0;
		n.b += n.op == TD_TABLE ? arrays : 0;
		if (!number[id])
			number[id] = add(j, n);
	}
	for (size_t i = 0; i < f->count; i++) {
		struct conjunct c = f->parts[i];
		c.node = number[c.node];
		c.kind = CONJUNCT_GOAL;
		vec_push(&j->goals, c);
	}
	return number;
}

/* A pointer that depends on the caller's input leads where it did. */
static void fix_pointers(struct joiner *j, const struct formula *f, const uint32_t *number)
{
	for (size_t i = 0; i < f->pieces_count; i++) {
		const struct formula_piece *p = &f->pieces[i];
		if (p->what == TD_SNAPSHOT_POINTER && p->node)
			vec_push(&j->goals, (struct conjunct){ .node = number[p->node], .kind = CONJUNCT_GOAL, .value = terms_value(&f->terms, p->node) });
	}
}

static void add_inputs(struct joiner *j, const struct formula *f)
{
	for (uint32_t i = 0; i < f->inputs_count; i++) {
		struct td_input in = f->inputs[i];
		in.index += j->level << 20; /* the same input of two runs is two */
		j->contents[j->inputs_count] = f->contents[i];
		j->inputs[j->inputs_count++] = in;
	}
}

static void set_values(struct joiner *j, const struct path_source *from)
{
	u128 *values = mem_alloc(j->nodes.count * sizeof *values);
	terms_eval_all(&from->terms, &from->seed, values);
	for (size_t i = 1; i < j->nodes.count; i++) {
		j->nodes.at[i].lo = (uint64_t)values[i];
		j->nodes.at[i].hi = (uint64_t)(values[i] >> 64);
	}
	free(values);
}

bool formula_join(const struct formula_chain *c, size_t from, struct arena *arena, struct formula_joined *out)
{
	struct joiner j = { .arena = arena };
	size_t inputs = 0;
	uint32_t **number = arena_alloc(arena, c->count * sizeof *number), *first = arena_alloc(arena, c->count * sizeof *first);
	for (size_t i = from; i < c->count; i++)
		inputs += c->levels[i]->inputs_count;
	j.inputs = arena_alloc(arena, (inputs + 1) * sizeof *j.inputs);
	j.contents = arena_alloc(arena, (inputs + 1) * sizeof *j.contents);
	vec_push(&j.nodes, (struct td_node){0});
	for (size_t i = from; i < c->count; i++, j.level++) {
		first[i] = j.inputs_count;
		number[i] = add_level(&j, c->levels[i], i > from ? c->levels[i - 1] : NULL, i > from ? number[i - 1] : NULL, c->given[i], first[i]);
		fix_pointers(&j, c->levels[i], number[i]);
		add_inputs(&j, c->levels[i]);
	}
	*out = (struct formula_joined){ .chain = c, .number = number, .first = first };
	out->from = (struct path_source){
		.terms = { j.nodes.at, (uint32_t)j.nodes.count, arena_copy(arena, j.arrays.at, j.arrays.count * sizeof *j.arrays.at), (uint32_t)j.arrays.count, arena_copy(arena, j.elements.at, j.elements.count) },
		.inputs = j.inputs, .inputs_count = j.inputs_count, .seed = { j.contents, j.inputs_count },
	};
	set_values(&j, &out->from);
	out->from.terms.nodes = arena_copy(arena, j.nodes.at, j.nodes.count * sizeof *j.nodes.at);
	out->goals = arena_copy(arena, j.goals.at, j.goals.count * sizeof *j.goals.at);
	out->goals_count = j.goals.count;
	vec_free(&j.nodes);
	vec_free(&j.arrays);
	vec_free(&j.elements);
	vec_free(&j.goals);
	return !j.impossible;
}

/* Bytes that the level's terms read are what they came to be; the others are as they were. */
struct assignment formula_contents(const struct formula_joined *j, size_t level, const struct assignment *model, struct arena *arena)
{
	const struct formula *f = j->chain->levels[level];
	const uint32_t *number = j->number[level];
	struct content *contents = arena_alloc(arena, (f->inputs_count + 1) * sizeof *contents);
	u128 *values = mem_alloc(j->from.terms.count * sizeof *values);
	terms_eval_all(&j->from.terms, model, values);
	for (uint32_t i = 0; i < f->inputs_count; i++) {
		const struct content *c = &model->objects[j->first[level] + i];
		contents[i] = (struct content){ arena_copy(arena, c->bytes, c->length), c->length };
	}
	for (uint32_t id = 1; id < f->terms.count; id++) {
		const struct td_node *n = &f->terms.nodes[id];
		if (n->op == TD_INPUT && n->b < contents[n->a].length)
			((uint8_t *)(uintptr_t)contents[n->a].bytes)[n->b] = (uint8_t)values[number[id]];
	}
	free(values);
	return (struct assignment){ contents, f->inputs_count };
}
