/* See formula.h. Joined terms are in the order of the levels, so that children come before parents. A byte of the callee's input is replaced by what the caller had there; what it had nowhere, the results of stubs and what is read from
 * files stay inputs, and may be anything.
 *
 * What a run lost is left out: it says which values the run had, not which are possible. */
#include "unit/formula.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "contract/unit.h"
#include "expr/eval.h"
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

/* The same path has the same name, whatever values it was taken with. */
static struct digest name_of(const struct formula *f)
{
	struct digest d = digest_of('f');
	for (uint32_t id = 1; id < f->terms.count; id++) {
		const struct td_node *n = &f->terms.nodes[id];
		d = digest_add(digest_add(digest_add(d, (uint64_t)n->op << 16 | n->bits), (uint64_t)n->a << 32 | n->b), n->c);
		if (n->op == TD_CONST)
			d = digest_add(digest_add(d, n->lo), n->hi);
	}
	for (size_t i = 0; i < f->count; i++)
		d = digest_add(digest_add(digest_add(d, f->parts[i].node), f->parts[i].differs), (uint64_t)f->parts[i].value);
	for (size_t i = 0; i < f->pieces_count; i++) {
		const struct formula_piece *p = &f->pieces[i];
		d = digest_add(digest_add(digest_add(digest_add(d, p->what), (uint64_t)p->object << 32 | p->offset), p->node), p->node ? 0 : p->value);
	}
	for (size_t i = 0; i < f->extents_count; i++)
		d = digest_add(digest_add(digest_add(d, f->extents[i].object), f->extents[i].before), f->extents[i].after);
	return d;
}

typedef VEC(struct formula_piece) piece_list;
typedef VEC(struct formula_extent) extent_list;

static void read_call(const struct trace *t, uint32_t call, const bool *unknown, piece_list *pieces, extent_list *extents)
{
	for (uint32_t i = call + 1; i < t->events_count && t->events[i].kind == TD_EV_SNAPSHOT; i++) {
		const struct td_event *e = &t->events[i];
		if (unknown && unknown[e->site])
			continue;
		if (e->sub == TD_SNAPSHOT_EXTENT)
			vec_push(extents, (struct formula_extent){ e->site, e->aux, e->value });
		else
			vec_push(pieces, (struct formula_piece){ e->sub, e->site, e->aux, e->node, e->value });
	}
}

static void take_parts(struct taker *k, const struct conjunct *demands, size_t count, struct formula *f)
{
	struct conjunct *parts = arena_alloc(k->arena, (count + 1) * sizeof *parts);
	for (size_t i = 0; i < count; i++)
		if (demands[i].kind != CONJUNCT_LOSS) {
			parts[f->count] = demands[i];
			parts[f->count++].node = k->number[demands[i].node];
		}
	f->parts = parts;
}

static struct formula take(const struct trace *t, const struct path *p, size_t count, const piece_list *pieces, const extent_list *extents, struct arena *arena)
{
	struct taker k = { &t->terms, mem_alloc((t->terms.count + 1u) * sizeof *k.number), mem_alloc((t->terms.arrays_count + 1u) * sizeof *k.array), arena };
	const struct conjunct *demands = path_source(p)->demands;
	struct formula f = {0};
	for (size_t i = 0; i < count; i++)
		if (demands[i].kind != CONJUNCT_LOSS)
			want(&k, demands[i].node);
	for (size_t i = 0; i < pieces->count; i++)
		want(&k, pieces->at[i].node);
	want_children(&k);
	f.terms = copy_terms(&k);
	take_parts(&k, demands, count, &f);
	struct formula_piece *own = arena_copy(arena, pieces->at, pieces->count * sizeof *own);
	for (size_t i = 0; i < pieces->count; i++)
		own[i].node = k.number[own[i].node];
	f.pieces = own;
	f.pieces_count = pieces->count;
	f.extents = arena_copy(arena, extents->at, extents->count * sizeof *extents->at);
	f.extents_count = extents->count;
	copy_inputs(t, p, arena, &f);
	f.name = name_of(&f);
	free(k.number);
	free(k.array);
	return f;
}

struct formula formula_until_call(const struct trace *t, const struct path *p, size_t count, uint32_t call, const bool *unknown, struct arena *arena)
{
	piece_list pieces = {0};
	extent_list extents = {0};
	read_call(t, call, unknown, &pieces, &extents);
	struct formula f = take(t, p, count, &pieces, &extents, arena);
	vec_free(&pieces);
	vec_free(&extents);
	return f;
}

static bool is_of(const struct td_report *r, uint32_t node)
{
	for (unsigned i = 0; i < TD_REPORT_TERMS; i++)
		if (node && r->terms[i] == node)
			return true;
	return false;
}

/* Which of the formula's parts is the one that did not hold, plus 1. */
static uint32_t broken_part(const struct path *p, const struct td_report *r)
{
	const struct path_source *from = path_source(p);
	uint32_t part = 0, found = 0;
	for (size_t i = 0; i < from->count; i++) {
		part += from->demands[i].kind != CONJUNCT_LOSS;
		if (from->demands[i].kind != CONJUNCT_LOSS && !from->demands[i].value && is_of(r, from->demands[i].node))
			found = part;
	}
	return found;
}

struct formula formula_until_fault(const struct trace *t, const struct path *p, const struct td_report *r, bool chosen, struct arena *arena)
{
	struct formula f = take(t, p, path_source(p)->count, &(piece_list){0}, &(extent_list){0}, arena);
	bool lower = r && r->violation == TD_VIOLATION_LOWER, upper = r && r->violation == TD_VIOLATION_UPPER;
	if (!chosen || !(lower || upper) || !r->planned || r->member_size)
		return f;
	f.fault = (struct formula_fault){
		.object = r->planned, .lower = lower, .start = r->object.start, .size = r->object.size,
		.reach = lower ? r->object.start - r->address : r->address + r->bytes - r->object.start, .part = broken_part(p, r),
	};
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
	struct map known;      /* nodes by hash, and goals: levels have much in common */
	bool impossible;
};

static uint64_t hash_of(struct td_node n)
{
	uint64_t hash = rng_mix((uint64_t)n.op << 32 | n.bits), leaf = n.op == TD_CONST;
	hash = rng_mix(hash ^ ((uint64_t)n.a << 32 | n.b));
	return rng_mix(hash ^ n.c ^ (leaf ? rng_mix(n.lo) + n.hi : 0)) | 1;
}

static bool is_same(struct td_node a, struct td_node b)
{
	bool leaf = a.op == TD_CONST;
	return a.op == b.op && a.bits == b.bits && a.a == b.a && a.b == b.b && a.c == b.c && (!leaf || (a.lo == b.lo && a.hi == b.hi));
}

/* As it is. */
static uint32_t add_plain(struct joiner *j, struct td_node n)
{
	uint32_t *known = map_at(&j->known, hash_of(n));
	if (*known && is_same(j->nodes.at[*known], n))
		return *known;
	vec_push(&j->nodes, n);
	return *known = (uint32_t)j->nodes.count - 1;
}

static u128 value_of(const struct td_node *n)
{
	return (u128)n->hi << 64 | n->lo;
}

/* What is computed from constants alone is one. */
static void fold(const struct joiner *j, struct td_node *n)
{
	const struct op *op = op_get(n->op);
	const uint32_t children[] = { n->a, n->b, n->c };
	u128 values[3] = {0};
	if (!op || !op->arity || n->op == TD_TABLE)
		return;
	for (unsigned i = 0; i < op->arity; i++) {
		if (j->nodes.at[children[i]].op != TD_CONST)
			return;
		values[i] = value_of(&j->nodes.at[children[i]]);
	}
	struct operands x = { values[0], values[1], values[2], j->nodes.at[n->a].bits, op->arity > 1 ? j->nodes.at[n->b].bits : 0 };
	u128 value = eval_node(n, &x);
	*n = (struct td_node){ .op = TD_CONST, .bits = n->bits, .lo = (uint64_t)value, .hi = (uint64_t)(value >> 64) };
}

/* Most calls give constants, and much follows from them without a solver. */
static uint32_t add(struct joiner *j, struct td_node n)
{
	if (n.op == TD_ITE && j->nodes.at[n.a].op == TD_CONST)
		return j->nodes.at[n.a].lo ? n.b : n.c;
	fold(j, &n);
	return add_plain(j, n);
}

static void add_goal(struct joiner *j, struct conjunct c)
{
	const struct td_node *n = &j->nodes.at[c.node];
	if (n->op == TD_CONST) {
		j->impossible |= (value_of(n) == c.value) == c.differs;
		return;
	}
	uint64_t hash = rng_mix(rng_mix((uint64_t)c.node << 1 | c.differs) ^ (uint64_t)c.value ^ rng_mix((uint64_t)(c.value >> 64))) << 1;
	uint32_t *known = map_at(&j->known, hash + 2 * !hash);
	if (*known && conjunct_same(&j->goals.at[*known - 1], &c))
		return;
	vec_push(&j->goals, c);
	*known = (uint32_t)j->goals.count;
}

static uint32_t constant(struct joiner *j, unsigned bits, uint64_t value)
{
	return add(j, (struct td_node){ .op = TD_CONST, .bits = (uint16_t)bits, .lo = value });
}

static uint32_t compare(struct joiner *j, unsigned op, uint32_t a, uint32_t b)
{
	return add(j, (struct td_node){ .op = (uint8_t)op, .bits = 1, .a = a, .b = b });
}

/* The last that begins there or before, of the same object. */
const struct formula_piece *formula_piece(const struct formula *caller, uint32_t object, uint32_t offset)
{
	size_t low = 0, high = caller->pieces_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct formula_piece *p = &caller->pieces[middle];
		if (p->object < object || (p->object == object && p->offset <= offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low && caller->pieces[low - 1].object == object ? &caller->pieces[low - 1] : NULL;
}

static const struct formula_extent *extent_of(const struct formula *caller, uint32_t object)
{
	for (size_t i = 0; i < caller->extents_count; i++)
		if (caller->extents[i].object == object)
			return &caller->extents[i];
	return NULL;
}

static void demand(struct joiner *j, uint32_t node, u128 value)
{
	add_goal(j, (struct conjunct){ .node = node, .kind = CONJUNCT_GOAL, .value = value });
}

/* It leads somewhere, but not where the caller's leads: of the targets that there are any may stand for that. */
static void lead_somewhere(struct joiner *j, uint32_t choice, uint64_t targets)
{
	if (targets) {
		demand(j, add(j, (struct td_node){ .op = TD_ULE, .bits = 1, .a = constant(j, 8, 1), .b = choice }), 1);
		demand(j, add(j, (struct td_node){ .op = TD_ULE, .bits = 1, .a = choice, .b = constant(j, 8, targets) }), 1);
	}
}

/* A pointer as the plan makes it (runtime/unit.c), with nothing done to it since. */
static bool is_choice(const struct terms *t, uint32_t node)
{
	const struct td_node *n = &t->nodes[node];
	bool any = false;
	for (; n->op == TD_ITE; n = &t->nodes[n->c], any = true) {
		const struct td_node *is = &t->nodes[n->a];
		if (is->op != TD_EQ || t->nodes[is->a].op != TD_INPUT || t->nodes[is->b].op != TD_CONST || t->nodes[n->b].op != TD_CONST)
			return false;
	}
	return any && n->op == TD_CONST;
}

bool formula_may_be_null(const struct formula *caller, const struct formula_piece *p)
{
	return p->node && p->object && p->value & 255 && is_choice(&caller->terms, p->node);
}

static uint32_t link_choice(struct joiner *j, const struct formula *caller, const struct formula_piece *p, const uint32_t *number)
{
	uint32_t choice = constant(j, 8, p->value & 255), pointer = number[p->node];
	if (!formula_may_be_null(caller, p))
		return choice;
	uint32_t null = compare(j, TD_EQ, pointer, constant(j, j->nodes.at[pointer].bits, 0));
	return add(j, (struct td_node){ .op = TD_ITE, .bits = 8, .a = null, .b = constant(j, 8, 0), .c = choice });
}

/* The term of a byte of the callee's input; 0: it stays an input. */
static uint32_t link_byte(struct joiner *j, const struct formula *caller, const uint32_t *number, const struct td_input *in, uint32_t given, uint32_t offset)
{
	bool known = in->kind == TD_IN_MARK && in->index < given;
	const struct formula_extent *x = known ? extent_of(caller, in->index) : NULL;
	j->impossible |= x && x->after <= offset;
	const struct formula_piece *p = known ? formula_piece(caller, in->index, offset) : NULL;
	if (!p)
		return 0;
	unsigned at = offset - p->offset;
	if (p->what == TD_SNAPSHOT_POINTER)
		return at || (p->value & 255) == TD_UNIT_ELSEWHERE ? 0 : link_choice(j, caller, p, number);
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

/* A pointer's choice that stays an input because the caller's leads elsewhere is not null all the same. */
static void link_elsewhere(struct joiner *j, const struct formula *caller, const struct td_input *in, uint32_t given, uint32_t offset, uint32_t choice)
{
	const struct formula_piece *p = in->kind == TD_IN_MARK && in->index < given ? formula_piece(caller, in->index, offset) : NULL;
	if (p && p->what == TD_SNAPSHOT_POINTER && p->offset == offset && (p->value & 255) == TD_UNIT_ELSEWHERE)
		lead_somewhere(j, choice, p->value >> 8);
}

/* --- what is a fault depends on how large the object is --- */

struct limit {
	bool lower;
	uint64_t start, size;
	uint64_t change;      /* how much further the limit is */
	bool changed;
};

static bool is_limit(const struct limit *l, const struct td_node *n)
{
	return n->op == TD_CONST && n->bits == 64 && (l->lower ? n->lo == l->start : n->lo >= l->start && n->lo <= l->start + l->size);
}

/* The condition with other limits: comparisons, and disjunctions of such (runtime/safety.c). */
static uint32_t move_limit(struct joiner *j, uint32_t node, struct limit *l)
{
	struct td_node n = j->nodes.at[node];
	if (n.op == TD_OR) {
		n.a = move_limit(j, n.a, l);
		n.b = move_limit(j, n.b, l);
		return add(j, n);
	}
	uint32_t *limit = l->lower ? &n.a : &n.b;
	if ((n.op != TD_ULE && n.op != TD_ULT) || !is_limit(l, &j->nodes.at[*limit]))
		return node;
	uint64_t value = j->nodes.at[*limit].lo;
	*limit = constant(j, 64, l->lower ? value - l->change : value + l->change);
	l->changed = true;
	return add(j, n);
}

/* What the callee's run took for the end of its object is not the end of the caller's. */
static uint32_t judge_fault(struct joiner *j, const struct formula_fault *fault, const struct formula *caller, uint32_t node)
{
	const struct formula_extent *x = fault->object ? extent_of(caller, fault->object - 1) : NULL;
	if (!x)
		return node;
	uint64_t have = fault->lower ? x->before : x->after;
	j->impossible |= have == UINT64_MAX || (!node && have >= fault->reach);
	if (j->impossible || !node)
		return node;
	return move_limit(j, node, &(struct limit){ .lower = fault->lower, .start = fault->start, .size = fault->size, .change = fault->lower ? have : have - fault->size });
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

static void add_parts(struct joiner *j, const struct formula *f, const struct formula *caller, const uint32_t *number)
{
	if (caller && !f->fault.part)
		judge_fault(j, &f->fault, caller, 0);
	for (size_t i = 0; i < f->count; i++) {
		struct conjunct c = f->parts[i];
		c.node = number[c.node];
		if (caller && f->fault.part == i + 1)
			c.node = judge_fault(j, &f->fault, caller, c.node);
		c.kind = CONJUNCT_GOAL;
		add_goal(j, c);
	}
}

/* The condition that did not hold keeps its form: its limit may have to be moved. Parents come after children. */
static bool *keep_fault(struct joiner *j, const struct formula *f)
{
	bool *kept = arena_alloc(j->arena, f->terms.count + 1u);
	if (f->fault.part)
		kept[f->parts[f->fault.part - 1].node] = true;
	for (uint32_t id = f->terms.count; id-- > 1;)
		if (kept[id] && f->terms.nodes[id].op == TD_OR)
			kept[f->terms.nodes[id].a] = kept[f->terms.nodes[id].b] = true;
	return kept;
}

/* --- what matters --- */

static void want_children_of(const struct terms *terms, bool *wanted)
{
	for (uint32_t id = terms->count; id-- > 1;) {
		const struct td_node *n = &terms->nodes[id];
		const struct op *op = wanted[id] ? op_get(n->op) : NULL;
		const uint32_t children[] = { n->a, n->b, n->c };
		for (unsigned i = 0; op && i < 3 && i < op->arity; i++)
			wanted[children[i]] = true;
	}
}

/* pieces: by piece of the caller, whether a term that matters reads it, and that of the caller's then matters too. */
static void want_pieces(const struct formula *caller, const struct formula *f, const bool *matters, uint32_t given, bool *wanted, bool *pieces)
{
	for (uint32_t id = 1; id < f->terms.count; id++) {
		const struct td_node *n = &f->terms.nodes[id];
		const struct td_input *in = matters[id] && n->op == TD_INPUT ? &f->inputs[n->a] : NULL;
		const struct formula_piece *p = in && in->kind == TD_IN_MARK && in->index < given ? formula_piece(caller, in->index, n->b) : NULL;
		if (p) {
			pieces[p - caller->pieces] = true;
			wanted[p->node] = true;
		}
	}
}

/* Of a level: which of its terms and pieces matter for what it and those below demand. An object that a function has been given has pointers without number, and few of them are of interest to what it calls. */
struct matters {
	bool *terms, *pieces;
};

/* By level, from `from` on. */
static struct matters *find_matters(const struct formula_chain *c, size_t from, struct arena *arena)
{
	struct matters *m = arena_alloc(arena, c->count * sizeof *m);
	for (size_t i = c->count; i-- > from;) {
		const struct formula *f = c->levels[i];
		m[i] = (struct matters){ arena_alloc(arena, f->terms.count + 1u), arena_alloc(arena, f->pieces_count + 1) };
		for (size_t k = 0; k < f->count; k++)
			m[i].terms[f->parts[k].node] = true;
		if (i + 1 < c->count)
			want_pieces(f, c->levels[i + 1], m[i + 1].terms, c->given[i + 1], m[i].terms, m[i].pieces);
		want_children_of(&f->terms, m[i].terms);
	}
	return m;
}

/* number: of the caller's terms; returned are the callee's. */
static uint32_t *add_level(struct joiner *j, const struct formula *f, const bool *wanted, const struct formula *caller, const uint32_t *caller_number, uint32_t given, uint32_t first)
{
	uint32_t *number = arena_alloc(j->arena, (f->terms.count + 1u) * sizeof *number), arrays = (uint32_t)j->arrays.count;
	bool *kept = keep_fault(j, f);
	add_arrays(j, f);
	for (uint32_t id = 1; id < f->terms.count && !j->impossible; id++) {
		if (!wanted[id])
			continue;
		struct td_node n = renumber(&f->terms.nodes[id], number);
		const struct td_input *in = n.op == TD_INPUT ? &f->inputs[n.a] : NULL;
		uint32_t offset = n.b;
		if (in && caller)
			number[id] = link_byte(j, caller, caller_number, in, given, offset);
		n.a += n.op == TD_INPUT || n.op == TD_LENGTH ? first : 0;
		n.b += n.op == TD_TABLE ? arrays : 0;
		if (number[id])
			continue;
		number[id] = kept[id] ? add_plain(j, n) : add(j, n);
		if (in && caller)
			link_elsewhere(j, caller, in, given, offset, number[id]);
	}
	if (!j->impossible)
		add_parts(j, f, caller, number);
	return number;
}

/* A pointer that depends on the caller's input leads where it did, if it matters. */
static void fix_pointers(struct joiner *j, const struct formula *f, const bool *matters, const uint32_t *number)
{
	for (size_t i = 0; i < f->pieces_count; i++) {
		const struct formula_piece *p = &f->pieces[i];
		if (p->what != TD_SNAPSHOT_POINTER || !p->node || !matters[i])
			continue;
		uint32_t pointer = number[p->node], bits = j->nodes.at[pointer].bits;
		uint32_t same = compare(j, TD_EQ, pointer, constant(j, bits, (uint64_t)terms_value(&f->terms, p->node))), null = compare(j, TD_EQ, pointer, constant(j, bits, 0));
		demand(j, formula_may_be_null(f, p) ? add(j, (struct td_node){ .op = TD_OR, .bits = 1, .a = same, .b = null }) : same, 1);
	}
}

static const struct formula_pointer *pointer_at(const struct formula_pointers *p, uint32_t object, uint32_t offset)
{
	size_t low = 0, high = p->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->at[middle].object < object || (p->at[middle].object == object && p->at[middle].offset < offset))
			low = middle + 1;
		else
			high = middle;
	}
	return low < p->count && p->at[low].object == object && p->at[low].offset == offset ? &p->at[low] : NULL;
}

/* By node: is it a variable's choice that may be what the variable had (TD_UNIT_KEPT), and that is not null? Then the pointer's term asks for it (runtime/unit.c). */
static bool *find_kept(struct joiner *j, const struct formula *f)
{
	bool *kept = arena_alloc(j->arena, f->terms.count + 1u);
	for (uint32_t id = 1; id < f->terms.count; id++) {
		const struct td_node *n = &f->terms.nodes[id], *with = n->op == TD_EQ ? &f->terms.nodes[n->b] : NULL;
		if (with && with->op == TD_CONST && with->lo == TD_UNIT_KEPT)
			kept[n->a] = true;
	}
	return kept;
}

/* Whatever is none of the choices is null. */
static void hold_pointer(struct joiner *j, uint32_t choice, const struct formula_pointer *p, bool kept)
{
	uint32_t low = compare(j, TD_ULE, choice, constant(j, 8, p->most)), rest = p->there ? compare(j, TD_EQ, choice, constant(j, 8, TD_UNIT_KEPT)) : compare(j, TD_ULT, constant(j, 8, p->targets), choice);
	demand(j, p->there && !kept ? low : add(j, (struct td_node){ .op = TD_OR, .bits = 1, .a = low, .b = rest }), 1);
	if (p->there)
		demand(j, compare(j, TD_EQ, choice, constant(j, 8, 0)), 0);
}

/* Those that are still inputs: no caller gives them. */
static void hold_pointers(struct joiner *j, const struct formula_pointers *expected, const struct formula *f, const uint32_t *number, uint32_t first)
{
	const bool *kept = expected->count ? find_kept(j, f) : NULL;
	for (uint32_t id = 1; kept && id < f->terms.count; id++) {
		const struct td_node *n = &f->terms.nodes[id], *joined = n->op == TD_INPUT && number[id] ? &j->nodes.at[number[id]] : NULL;
		bool free = joined && joined->op == TD_INPUT && joined->a == first + n->a && joined->b == n->b && f->inputs[n->a].kind == TD_IN_MARK;
		const struct formula_pointer *p = free ? pointer_at(expected, f->inputs[n->a].index, n->b) : NULL;
		if (p)
			hold_pointer(j, number[id], p, p->object && kept[id]);
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
	struct matters *matters = find_matters(c, from, arena);
	for (size_t i = from; i < c->count; i++)
		inputs += c->levels[i]->inputs_count;
	j.inputs = arena_alloc(arena, (inputs + 1) * sizeof *j.inputs);
	j.contents = arena_alloc(arena, (inputs + 1) * sizeof *j.contents);
	vec_push(&j.nodes, (struct td_node){0});
	for (size_t i = from; i < c->count && !j.impossible; i++, j.level++) {
		first[i] = j.inputs_count;
		number[i] = add_level(&j, c->levels[i], matters[i].terms, i > from ? c->levels[i - 1] : NULL, i > from ? number[i - 1] : NULL, c->given[i], first[i]);
		if (j.impossible)
			break;
		fix_pointers(&j, c->levels[i], matters[i].pieces, number[i]);
		if (c->expected)
			hold_pointers(&j, &c->expected[i], c->levels[i], number[i], first[i]);
		add_inputs(&j, c->levels[i]);
	}
	*out = (struct formula_joined){ .chain = c, .number = number, .first = first };
	out->from = (struct path_source){
		.terms = { j.nodes.at, (uint32_t)j.nodes.count, arena_copy(arena, j.arrays.at, j.arrays.count * sizeof *j.arrays.at), (uint32_t)j.arrays.count, arena_copy(arena, j.elements.at, j.elements.count) },
		.inputs = j.inputs, .inputs_count = j.inputs_count, .seed = { j.contents, j.inputs_count },
	};
	if (!j.impossible)
		set_values(&j, &out->from);
	out->from.terms.nodes = arena_copy(arena, j.nodes.at, j.nodes.count * sizeof *j.nodes.at);
	out->goals = arena_copy(arena, j.goals.at, j.goals.count * sizeof *j.goals.at);
	out->goals_count = j.goals.count;
	map_free(&j.known);
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
		if (n->op == TD_INPUT && number[id] && n->b < contents[n->a].length)
			((uint8_t *)(uintptr_t)contents[n->a].bytes)[n->b] = (uint8_t)values[number[id]];
	}
	free(values);
	return (struct assignment){ contents, f->inputs_count };
}

/* --- what a call gives --- */

static struct digest add_extent(struct digest d, const struct formula *caller, uint32_t object)
{
	const struct formula_extent *x = extent_of(caller, object);
	d = digest_add(d, object);
	return x ? digest_add(digest_add(d, x->before), x->after) : digest_add(d, UINT64_MAX - 1);
}

bool formula_gives(const struct formula *caller, const struct formula *callee, uint32_t given, struct digest *out)
{
	struct digest d = digest_of('g');
	uint32_t object = UINT32_MAX;
	for (uint32_t id = 1; id < callee->terms.count; id++) {
		const struct td_node *n = &callee->terms.nodes[id];
		const struct td_input *in = n->op == TD_INPUT ? &callee->inputs[n->a] : NULL;
		if (!in || in->kind != TD_IN_MARK || in->index >= given)
			continue;
		if (in->index != object)
			d = add_extent(d, caller, object = in->index);
		const struct formula_piece *p = formula_piece(caller, in->index, n->b);
		if (p && p->node)
			return false;
		d = digest_add(d, n->b);
		d = p ? digest_add(digest_add(d, (uint64_t)p->what << 32 | (n->b - p->offset)), p->value) : digest_add(d, UINT64_MAX - 2);
	}
	*out = callee->fault.object ? add_extent(d, caller, callee->fault.object - 1) : d;
	return true;
}
