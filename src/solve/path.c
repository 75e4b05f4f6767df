/* A path is built as far as it is asked about, in one pass over nodes and one over demands. The demands of each set of bytes that
 * belong together are found by a forest over bytes (forest.h) that knows what it was before any demand. So the slice of "the first k
 * demands and this goal" costs what it is large: nothing in here is done per query and node of the trace, or per query and demand.
 *
 * There are two forests, one with what the run had lost and one without, since losses join bytes too. The second is
 * grown when it is first asked for.
 *
 * Why a slice is enough: what is left out reads none of the bytes that the slice reads, so a model that changes only those leaves
 * it as the seed had it, and the seed satisfies it. A changed length is the exception (solver.c). */
#include "solve/path.h"

#include "expr/op.h"
#include "solve/forest.h"
#include "solve/leaves.h"
#include "solve/naming.h"

#include <string.h>

#define NEAR 256 /* an object grows by no more than that if it need not */

struct grove {
	struct forest forest;
	uint8_t *joined;     /* by node: what it reads is in one set */
	uint32_t *last;      /* by node: the last demand on it, plus one */
	size_t grown;        /* demands looked at so far */
	bool losses;         /* are among them */
};

struct path {
	struct path_source from;
	struct leaves leaves;
	struct naming naming;
	struct grove groves[2];    /* with losses, and without */
	struct digest *names;      /* of demands; none: not computed yet */
	uint32_t mark;             /* of the present question */
	uint32_t *node_mark, *leaf_mark, *root_mark; /* what it has met; which sets it has collected */
	uint32_t leaf_room;
	forest_list stack, met, items, merged; /* scratch */
};

struct path *path_new(const struct path_source *from)
{
	struct path *p = mem_alloc(sizeof *p);
	size_t nodes = (size_t)from->terms.count + 1;
	p->from = *from;
	leaves_open(&p->leaves, &from->terms);
	naming_open(&p->naming, &from->terms, from->inputs, from->inputs_count, &from->seed);
	p->node_mark = mem_alloc(nodes * sizeof *p->node_mark);
	p->names = mem_alloc((from->count + 1) * sizeof *p->names);
	p->groves[0].losses = true;
	return p;
}

void path_free(struct path *p)
{
	if (!p)
		return;
	leaves_close(&p->leaves);
	naming_close(&p->naming);
	for (int i = 0; i < 2; i++) {
		forest_free(&p->groves[i].forest);
		free(p->groves[i].joined);
		free(p->groves[i].last);
	}
	free(p->names);
	free(p->leaf_mark);
	free(p->root_mark);
	free(p->node_mark);
	vec_free(&p->stack);
	vec_free(&p->met);
	vec_free(&p->items);
	vec_free(&p->merged);
	free(p);
}

size_t path_size(const struct path *p)
{
	return p->from.terms.count * (size_t)30 + p->from.count * 40 + p->leaves.nodes.count * 80;
}

const struct path_source *path_source(const struct path *p)
{
	return &p->from;
}

static unsigned children_of(const struct path *p, uint32_t id, uint32_t children[3])
{
	const struct td_node *n = &p->from.terms.nodes[id];
	children[0] = n->a;
	children[1] = n->b;
	children[2] = n->c;
	return op_get(n->op)->arity;
}

/* --- growing --- */

/* Joins whatever the node reads. What was joined before, by whatever demand, needs no second walk: one of its bytes stands for it. */
static void join_below(struct path *p, struct grove *g, uint32_t node, uint32_t time)
{
	uint32_t first = leaves_first(&p->leaves, node), children[3];
	vec_clear(&p->stack);
	vec_push(&p->stack, node);
	while (p->stack.count) {
		uint32_t id = p->stack.at[--p->stack.count];
		if (!leaves_any(&p->leaves, id))
			continue;
		forest_join(&g->forest, first, leaves_first(&p->leaves, id), time);
		if (g->joined[id] || !leaves_many(&p->leaves, id))
			continue;
		g->joined[id] = true;
		for (unsigned k = children_of(p, id, children); k-- > 0;)
			vec_push(&p->stack, children[k]);
	}
}

/* The same demand again adds nothing: the first one is in every prefix that has the second. */
static bool is_repeated(struct path *p, struct grove *g, uint32_t i)
{
	const struct conjunct *c = &p->from.demands[i];
	uint32_t before = g->last[c->node];
	g->last[c->node] = i + 1;
	return before && conjunct_same(&p->from.demands[before - 1], c);
}

static void grow_by(struct path *p, struct grove *g, uint32_t i)
{
	const struct conjunct *c = &p->from.demands[i];
	leaves_learn(&p->leaves, c->node);
	if (!leaves_any(&p->leaves, c->node) || is_repeated(p, g, i))
		return;
	forest_grow(&g->forest, (uint32_t)p->leaves.nodes.count);
	join_below(p, g, c->node, i);
	forest_put(&g->forest, leaves_first(&p->leaves, c->node), i);
}

static void grow(struct path *p, struct grove *g, size_t prefix)
{
	if (!g->joined) {
		g->joined = mem_alloc((size_t)p->from.terms.count + 1);
		g->last = mem_alloc(((size_t)p->from.terms.count + 1) * sizeof *g->last);
	}
	for (; g->grown < prefix && g->grown < p->from.count; g->grown++)
		if (g->losses || p->from.demands[g->grown].kind != CONJUNCT_LOSS)
			grow_by(p, g, (uint32_t)g->grown);
}

/* --- slicing --- */

/* The leaves that the last node learnt of. */
static void make_room(struct path *p)
{
	uint32_t room = (uint32_t)p->leaves.nodes.room, old = p->leaf_room;
	if (room <= old)
		return;
	p->leaf_mark = mem_resize_array(p->leaf_mark, room, sizeof *p->leaf_mark);
	p->root_mark = mem_resize_array(p->root_mark, room, sizeof *p->root_mark);
	memset(p->leaf_mark + old, 0, (room - old) * sizeof *p->leaf_mark);
	memset(p->root_mark + old, 0, (room - old) * sizeof *p->root_mark);
	p->leaf_room = room;
}

/* True the first time. */
static bool meet(uint32_t *at, uint32_t mark)
{
	bool fresh = *at != mark;
	*at = mark;
	return fresh;
}

/* All leaves below, into `met`. */
static void read_below(struct path *p, uint32_t node)
{
	uint32_t children[3];
	leaves_learn(&p->leaves, node);
	make_room(p);
	vec_clear(&p->stack);
	vec_push(&p->stack, node);
	while (p->stack.count) {
		uint32_t id = p->stack.at[--p->stack.count];
		if (!leaves_any(&p->leaves, id) || !meet(&p->node_mark[id], p->mark))
			continue;
		uint32_t leaf = leaves_first(&p->leaves, id);
		if (meet(&p->leaf_mark[leaf], p->mark)) /* the first one of many is met here already, which is as well */
			vec_push(&p->met, leaf);
		for (unsigned k = leaves_many(&p->leaves, id) ? children_of(p, id, children) : 0; k-- > 0;)
			vec_push(&p->stack, children[k]);
	}
}

static void begin(struct path *p, const struct question *q)
{
	if (!++p->mark) { /* once in four thousand million questions */
		memset(p->node_mark, 0, ((size_t)p->from.terms.count + 1) * sizeof *p->node_mark);
		memset(p->leaf_mark, 0, p->leaf_room * sizeof *p->leaf_mark);
		memset(p->root_mark, 0, p->leaf_room * sizeof *p->root_mark);
		p->mark = 1;
	}
	vec_clear(&p->met);
	vec_clear(&p->items);
	for (size_t i = 0; i < q->goals_count; i++)
		read_below(p, q->goals[i].node);
}

/* The sets that the goals' bytes are in. A byte that no demand has read is in none. */
static void collect_sets(struct path *p, const struct forest *f, uint32_t prefix)
{
	size_t goals = p->met.count;
	for (size_t i = 0; i < goals; i++) {
		size_t kept = p->met.count, k = kept;
		if (p->met.at[i] >= f->trees.count)
			continue;
		uint32_t root = forest_root(f, p->met.at[i], prefix);
		if (!meet(&p->root_mark[root], p->mark))
			continue;
		forest_collect(f, root, prefix, &p->met, &p->items);
		for (; k < p->met.count; k++)
			if (meet(&p->leaf_mark[p->met.at[k]], p->mark))
				p->met.at[kept++] = p->met.at[k];
		p->met.count = kept;
	}
}

/* Where those end that begin here and are in order. */
static size_t run_end(const uint32_t *at, size_t from, size_t count)
{
	size_t end = from + (from < count);
	while (end < count && at[end - 1] <= at[end])
		end++;
	return end;
}

static void merge(const uint32_t *from, size_t a, size_t middle, size_t end, uint32_t *to)
{
	for (size_t b = middle; a < middle || b < end;)
		*to++ = b == end || (a < middle && from[a] <= from[b]) ? from[a++] : from[b++];
}

/* Each set's list is in order already, so runs are merged two by two. */
static void sort_items(struct path *p)
{
	size_t count = p->items.count, end = 0;
	while (run_end(p->items.at, 0, count) < count) {
		for (size_t at = 0; at < count; at = end) {
			size_t middle = run_end(p->items.at, at, count);
			end = run_end(p->items.at, middle, count);
			while (p->merged.count < end)
				vec_push(&p->merged, 0);
			merge(p->items.at, at, middle, end, p->merged.at + at);
		}
		memcpy(p->items.at, p->merged.at, count * sizeof *p->items.at);
	}
}

static int by_name(const void *x, const void *y)
{
	const struct variable *a = x, *b = y;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->is_length != b->is_length)
		return a->is_length ? 1 : -1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static struct variable variable_of(struct path *p, uint32_t leaf)
{
	const struct td_node *n = &p->from.terms.nodes[p->leaves.nodes.at[leaf]];
	uint64_t length = naming_length(&p->naming, n->a);
	struct variable v = { .object = n->a, .is_length = n->op == TD_LENGTH, .name = naming_object(&p->naming, n->a) };
	v.offset = v.is_length ? 0 : n->b;
	if (v.is_length) {
		v.seed = length;
		v.limit = naming_length_limit(&p->naming, n->a);
		v.near = length + NEAR < v.limit ? length + NEAR : v.limit;
	} else if (n->b < length) {
		v.seed = p->from.seed.objects[n->a].bytes[n->b];
	}
	return v;
}

/* Lengths come behind the bytes of their object, so one look back from each is enough to see which bytes are free. */
static void fix_bytes(const struct path *p, struct slice *s, struct variable *v)
{
	bool free_length = false;
	for (uint32_t i = s->variables_count; i-- > 0;) {
		bool is_behind = !v[i].is_length && v[i].offset >= naming_length(&p->naming, v[i].object);
		if (i + 1 == s->variables_count || v[i].object != v[i + 1].object)
			free_length = false;
		free_length |= v[i].is_length;
		v[i].is_behind = is_behind;
		v[i].is_fixed = is_behind && !free_length;
		s->behind |= is_behind;
	}
}

static void add_variables(struct path *p, struct slice *s, struct arena *arena)
{
	struct variable *v = arena_alloc(arena, (p->met.count + 1) * sizeof *v);
	s->variables = v;
	s->variables_count = (uint32_t)p->met.count;
	for (size_t i = 0; i < p->met.count; i++)
		v[i] = variable_of(p, p->met.at[i]);
	qsort(v, s->variables_count, sizeof *v, by_name);
	fix_bytes(p, s, v);
	s->seed_key = digest_of(s->variables_count);
	for (uint32_t i = 0; i < s->variables_count; i++)
		s->seed_key = digest_add(s->seed_key, v[i].seed);
}

static struct digest name_of_demand(struct path *p, uint32_t i, const struct conjunct *normal)
{
	if (digest_is_none(p->names[i]))
		p->names[i] = naming_conjunct(&p->naming, normal);
	return p->names[i];
}

static void add_parts(struct path *p, const struct question *q, struct slice *s, struct arena *arena)
{
	size_t count = p->items.count + q->goals_count;
	struct conjunct *parts = arena_alloc(arena, count * sizeof *parts);
	struct digest *names = arena_alloc(arena, count * sizeof *names);
	for (size_t i = 0; i < p->items.count; i++) {
		parts[i] = conjunct_normal(&p->from.terms, p->from.demands[p->items.at[i]]);
		names[i] = name_of_demand(p, p->items.at[i], &parts[i]);
		s->losses |= parts[i].kind == CONJUNCT_LOSS;
	}
	for (size_t i = 0, at = p->items.count; i < q->goals_count; i++, at++) {
		parts[at] = conjunct_normal(&p->from.terms, q->goals[i]);
		names[at] = naming_conjunct(&p->naming, &parts[at]);
	}
	s->key = digest_of(count);
	for (size_t i = 0; i < count; i++)
		s->key = digest_join(s->key, names[i]);
	s->parts = parts;
	s->names = names;
	s->count = count;
	s->goals = q->goals_count;
}

static struct slice finish(const struct question *q, struct arena *arena)
{
	struct slice s = { .path = q->path };
	add_parts(q->path, q, &s, arena);
	add_variables(q->path, &s, arena);
	return s;
}

struct slice path_slice(const struct question *q, bool with_losses, struct arena *arena)
{
	struct path *p = q->path;
	struct grove *g = &p->groves[with_losses ? 0 : 1];
	grow(p, g, q->prefix);
	begin(p, q);
	collect_sets(p, &g->forest, (uint32_t)q->prefix);
	sort_items(p);
	return finish(q, arena);
}

struct slice path_slice_goals(const struct question *q, struct arena *arena)
{
	begin(q->path, q);
	return finish(q, arena);
}

uint32_t path_variable(const struct slice *s, uint32_t node)
{
	const struct td_node *n = &s->path->from.terms.nodes[node];
	struct variable wanted = { .offset = n->op == TD_LENGTH ? 0 : n->b, .is_length = n->op == TD_LENGTH };
	wanted.name = naming_object(&s->path->naming, n->a);
	const struct variable *v = bsearch(&wanted, s->variables, s->variables_count, sizeof *v, by_name);
	return (uint32_t)(v - s->variables);
}

/* --- all of it --- */

const struct conjunct *path_refuted(const struct question *q, bool with_losses, const struct assignment *in, struct arena *arena)
{
	const struct path_source *from = &q->path->from;
	u128 *values = arena_alloc(arena, ((size_t)from->terms.count + 1) * sizeof *values);
	terms_eval_all(&from->terms, in, values);
	for (size_t i = 0; i < q->prefix && i < from->count; i++)
		if ((with_losses || from->demands[i].kind != CONJUNCT_LOSS) && !conjunct_holds(&from->demands[i], values))
			return &from->demands[i];
	for (size_t i = 0; i < q->goals_count; i++)
		if (!conjunct_holds(&q->goals[i], values))
			return &q->goals[i];
	return NULL;
}
