/* A run is kept as its events, with terms by number alone: two events about one term are, and how wide it is; and of lengths the bound. That is what flip_walk looks at, so a walk is made of it by the same
 * code as of a trace. Terms themselves are many times as large. Who wants to flip something that was not asked before has the input run again.
 * Tables of inputs and modules are the same in most runs, and are kept once.
 *
 * An input is kept as what is different from its parent's. Everything that is read is checked: what makes no sense, or has another hash than it was kept by, is not known. */
#include "engine/known.h"

#include "base/digest.h"
#include "base/mem.h"
#include "base/pack.h"
#include "base/rng.h"
#include "base/vec.h"
#include "expr/op.h"
#include "search/search.h"
#include "store/hoard.h"
#include "testcase/packing.h"

#include <string.h>

#define EVENTS_MAX (1u << 16)
#define EDGES_MAX (1u << 22)

enum key_kind { KEY_RUN = 1, KEY_TABLE, KEY_REPLY, KEY_LEAP };

/* A table of the trace that is the same in most runs. */
struct table {
	uint64_t key;
	uint8_t *bytes;
	size_t size;
};

struct known {
	struct hoard *hoard;
	uint64_t seed;
	struct pack pack, from, to;
	VEC(uint32_t) names;       /* by node: its number in the record; or by number: the node */
	VEC(struct td_node) nodes;
	VEC(struct td_event) events;
	VEC(uint8_t) edges;
	struct td_header header;
	struct table inputs, modules;
	uint64_t modules_wanted;   /* key of those of the first run: with others, edges have other numbers. 0: not yet known */
};

struct known *known_new(struct hoard *h, uint64_t seed)
{
	struct known *k = mem_alloc(sizeof *k);
	k->hoard = h;
	k->seed = seed;
	return k;
}

void known_free(struct known *k)
{
	if (!k)
		return;
	pack_free(&k->pack);
	pack_free(&k->from);
	pack_free(&k->to);
	vec_free(&k->names);
	vec_free(&k->nodes);
	vec_free(&k->events);
	vec_free(&k->edges);
	free(k->inputs.bytes);
	free(k->modules.bytes);
	free(k);
}

static uint64_t key_of(enum key_kind kind, uint64_t name)
{
	return rng_mix(name ^ rng_mix(kind));
}

/* --- tables --- */

static void keep_table(struct table *t, uint64_t key, const void *bytes, size_t size)
{
	t->key = key;
	t->size = size;
	t->bytes = mem_resize(t->bytes, size + 1);
	if (size)
		memcpy(t->bytes, bytes, size);
}

static uint64_t add_table(struct known *k, struct table *t, const void *bytes, size_t size)
{
	if (t->key && t->size == size && memcmp(t->bytes, bytes, size) == 0)
		return t->key;
	uint64_t key = key_of(KEY_TABLE, digest_bytes(digest_of(KEY_TABLE), bytes, size).a);
	hoard_put(k->hoard, key, bytes, size);
	keep_table(t, key, bytes, size);
	return key;
}

static bool find_table(struct known *k, struct table *t, uint64_t key, size_t row)
{
	size_t size;
	if (t->key == key)
		return true;
	const uint8_t *bytes = hoard_get(k->hoard, key, &size);
	if (!bytes || size % row)
		return false;
	keep_table(t, key, bytes, size);
	return true;
}

/* --- events --- */

enum { HAS_SUB = 1 << 4, HAS_AUX = 1 << 5, VALUE_SHIFT = 6, VALUE_FOLLOWS = 2 };

/* The number of a node among those that events name; a new one is told how wide it is. */
static void put_node(struct known *k, const struct trace *t, uint32_t node, uint32_t *count)
{
	if (node && !k->names.at[node]) {
		k->names.at[node] = ++*count;
		pack_number(&k->pack, *count);
		pack_number(&k->pack, t->terms.nodes[node].bits);
	} else {
		pack_number(&k->pack, node ? k->names.at[node] : 0);
	}
}

/* The bound and the input of `bound < length`, the only form that flips look into. */
static void put_length(struct known *k, const struct trace *t, uint32_t node)
{
	const struct td_node *nodes = t->terms.nodes, *n = &nodes[node];
	pack_number(&k->pack, n->op);
	pack_number(&k->pack, nodes[n->a].op);
	pack_number(&k->pack, nodes[n->a].lo);
	pack_number(&k->pack, nodes[n->b].op);
	pack_number(&k->pack, nodes[n->b].a);
}

static void put_event(struct known *k, const struct trace *t, const struct td_event *e, uint32_t *site, uint32_t *count)
{
	unsigned value = e->value < VALUE_FOLLOWS ? (unsigned)e->value : VALUE_FOLLOWS;
	int32_t way = (int32_t)(e->site - *site);
	pack_number(&k->pack, e->kind | (e->sub ? HAS_SUB : 0u) | (e->aux ? HAS_AUX : 0u) | value << VALUE_SHIFT);
	pack_number(&k->pack, (uint32_t)way << 1 ^ (uint32_t)(way >> 31));
	put_node(k, t, e->node, count);
	if (e->sub)
		pack_number(&k->pack, e->sub);
	if (e->aux)
		pack_number(&k->pack, e->aux);
	if (value == VALUE_FOLLOWS)
		pack_number(&k->pack, e->value);
	if (e->kind == TD_EV_LENGTH)
		put_length(k, t, e->node);
	*site = e->site;
}

static void put_events(struct known *k, const struct trace *t)
{
	uint32_t site = 0, count = 0;
	vec_reserve(&k->names, t->terms.count + 1u);
	memset(k->names.at, 0, (t->terms.count + 1u) * sizeof *k->names.at);
	pack_number(&k->pack, t->events_count);
	for (uint32_t i = 0; i < t->events_count; i++)
		put_event(k, t, &t->events[i], &site, &count);
}

static uint32_t take_node(struct known *k, struct unpack *u)
{
	uint64_t number = unpack_number(u);
	if (!number)
		return 0;
	if (number == k->names.count) {
		vec_push(&k->names, (uint32_t)k->nodes.count);
		vec_push(&k->nodes, (struct td_node){ .bits = (uint16_t)unpack_number(u) });
	}
	u->bad |= number >= k->names.count;
	return u->bad ? 0 : k->names.at[number];
}

static void take_length(struct known *k, struct unpack *u, uint32_t node)
{
	uint32_t first = (uint32_t)k->nodes.count;
	uint8_t op = (uint8_t)unpack_number(u);
	struct td_node a = { .op = (uint8_t)unpack_number(u) }, b = {0};
	a.lo = unpack_number(u);
	b.op = (uint8_t)unpack_number(u);
	b.a = (uint32_t)unpack_number(u);
	vec_push(&k->nodes, a);
	vec_push(&k->nodes, b);
	k->nodes.at[node].op = op;
	k->nodes.at[node].a = first;
	k->nodes.at[node].b = first + 1;
}

static void take_event(struct known *k, struct unpack *u, uint32_t *site)
{
	uint64_t head = unpack_number(u);
	uint32_t way = (uint32_t)unpack_number(u);
	unsigned value = (unsigned)(head >> VALUE_SHIFT);
	struct td_event e = { .kind = head & 15, .site = *site += way >> 1 ^ (0u - (way & 1)) };
	e.node = take_node(k, u);
	e.sub = head & HAS_SUB ? (uint8_t)unpack_number(u) : 0;
	e.aux = head & HAS_AUX ? (uint32_t)unpack_number(u) : 0;
	e.value = value == VALUE_FOLLOWS ? unpack_number(u) : value;
	u->bad |= e.kind >= TD_EV_KINDS;
	if (e.kind == TD_EV_LENGTH)
		take_length(k, u, e.node);
	vec_push(&k->events, e);
}

static void take_events(struct known *k, struct unpack *u)
{
	uint32_t site = 0;
	uint64_t count = unpack_number(u);
	vec_clear(&k->names);
	vec_clear(&k->nodes);
	vec_clear(&k->events);
	vec_push(&k->names, 0);
	vec_push(&k->nodes, (struct td_node){0});
	for (uint64_t i = 0; i < count && !u->bad; i++)
		take_event(k, u, &site);
}

/* --- coverage: how many edges were not taken, how many were, and so on --- */

static void put_edges(struct known *k, const struct trace *t)
{
	pack_number(&k->pack, t->edges_count);
	for (uint32_t i = 0, end; i < t->edges_count; i = end) {
		for (end = i; end < t->edges_count && !t->edges[end] == !t->edges[i]; end++)
			;
		if (!i && t->edges[0])
			pack_number(&k->pack, 0);
		pack_number(&k->pack, end - i);
	}
}

static void take_edges(struct known *k, struct unpack *u)
{
	uint64_t count = unpack_number(u);
	u->bad |= count > EDGES_MAX;
	if (u->bad)
		return;
	vec_reserve(&k->edges, (size_t)count + 1);
	k->edges.count = (size_t)count;
	bool taken = false;
	for (uint64_t i = 0, n; i < count && !u->bad; i += n, taken = !taken) {
		n = unpack_number(u);
		u->bad |= n > count - i || (!n && i);
		if (!u->bad)
			memset(k->edges.at + i, taken, (size_t)n);
	}
}

/* --- runs --- */

static bool is_plain(const struct outcome *out, const struct trace *t)
{
	bool plain = t->header && out->kind == OUTCOME_EXIT && !t->reports_count && t->events_count <= EVENTS_MAX && t->edges_count <= EDGES_MAX;
	for (uint32_t i = 0; plain && i < t->events_count; i++)
		plain = !t->events[i].thread && (t->events[i].kind != TD_EV_LENGTH || t->events[i].node);
	return plain;
}

static bool has_losses(const struct trace *t)
{
	bool lost = t->header->incomplete;
	for (unsigned i = 0; i < TD_LOST_KINDS; i++)
		lost |= t->header->lost[i] != 0;
	return lost;
}

void known_add_run(struct known *k, const struct testcase *input, const struct outcome *out, const struct trace *t)
{
	if (!is_plain(out, t))
		return;
	uint64_t modules = add_table(k, &k->modules, t->modules, t->modules_count * sizeof *t->modules);
	if (!k->modules_wanted)
		k->modules_wanted = modules;
	if (modules != k->modules_wanted)
		return;
	uint64_t inputs = add_table(k, &k->inputs, t->inputs, t->inputs_count * sizeof *t->inputs);
	pack_clear(&k->pack);
	pack_number(&k->pack, modules);
	pack_number(&k->pack, inputs);
	pack_number(&k->pack, (unsigned)out->code);
	pack_number(&k->pack, out->wall_us);
	pack_number(&k->pack, has_losses(t));
	put_edges(k, t);
	put_events(k, t);
	hoard_put(k->hoard, key_of(KEY_RUN, testcase_hash(input)), k->pack.at, k->pack.count);
}

static bool are_lengths_sound(const struct known *k)
{
	for (size_t i = 0; i < k->nodes.count; i++)
		if (k->nodes.at[i].op == TD_LENGTH && k->nodes.at[i].a >= k->inputs.size / sizeof(struct td_input))
			return false;
	return true;
}

bool known_run(struct known *k, const struct testcase *input, struct outcome *out, struct trace *t)
{
	size_t size;
	const uint8_t *bytes = hoard_get(k->hoard, key_of(KEY_RUN, testcase_hash(input)), &size);
	if (!bytes)
		return false;
	struct unpack u = { bytes, bytes + size, false };
	uint64_t modules = unpack_number(&u), inputs = unpack_number(&u);
	*out = (struct outcome){ .kind = OUTCOME_EXIT, .code = (int)unpack_number(&u), .wall_us = unpack_number(&u) };
	k->header = (struct td_header){ .incomplete = unpack_number(&u) != 0 };
	take_edges(k, &u);
	take_events(k, &u);
	bool sound = !u.bad && u.at == u.end && (!k->modules_wanted || k->modules_wanted == modules);
	if (!sound || !find_table(k, &k->modules, modules, sizeof *t->modules) || !find_table(k, &k->inputs, inputs, sizeof *t->inputs) || !are_lengths_sound(k))
		return false;
	k->modules_wanted = modules;
	*t = (struct trace){
		.header = &k->header, .terms = { .nodes = k->nodes.at, .count = (uint32_t)k->nodes.count }, .events = k->events.at, .events_count = (uint32_t)k->events.count,
		.inputs = (const struct td_input *)k->inputs.bytes, .inputs_count = (uint32_t)(k->inputs.size / sizeof *t->inputs), .modules = (const struct td_loaded *)k->modules.bytes,
		.modules_count = (uint32_t)(k->modules.size / sizeof *t->modules), .edges = k->edges.at, .edges_count = (uint32_t)k->edges.count,
	};
	return true;
}

/* --- replies --- */

static uint64_t question_of(const struct known *k, const struct testcase *parent, const struct walk_choice *c, bool leap)
{
	uint64_t name = rng_mix(testcase_hash(parent) ^ rng_mix(k->seed));
	name = rng_mix(name ^ ((uint64_t)c->event << 8 | (uint64_t)c->kind));
	return key_of(leap ? KEY_LEAP : KEY_REPLY, name ^ (choice_is_branch(c) ? c->edge : 0));
}

static void pack_event(struct pack *p, const struct td_event *e)
{
	pack_number(p, e->kind);
	if (e->kind)
		pack_bytes(p, e, sizeof *e);
}

static struct td_event unpack_event(struct unpack *u)
{
	struct td_event e = {0};
	const uint8_t *bytes = unpack_number(u) ? unpack_bytes(u, sizeof e) : NULL;
	if (bytes)
		memcpy(&e, bytes, sizeof e);
	return e;
}

void known_add_reply(struct known *k, const struct testcase *parent, const struct walk_choice *c, bool leap, const struct reply *r)
{
	struct pack *p = &k->pack;
	pack_clear(p);
	pack_number(p, r->kind | (unsigned)r->verdict << 2 | (r->optimistic ? 16u : 0) | (r->sure ? 32u : 0));
	pack_number(p, r->asked);
	pack_number(p, r->place);
	pack_number(p, r->flip.kind);
	pack_number(p, r->flip.event);
	pack_number(p, r->flip.edge + 1u);
	pack_number(p, r->flip.value);
	pack_number(p, r->flip.object);
	pack_event(p, &r->condition);
	if (r->kind == RESULT_WALK) {
		pack_clear(&k->from);
		pack_clear(&k->to);
		testcase_pack(&k->from, parent);
		testcase_pack(&k->to, &r->feed);
		pack_number(p, testcase_hash(&r->feed));
		pack_difference(p, &k->from, &k->to);
	}
	hoard_put(k->hoard, question_of(k, parent, c, leap), p->at, p->count);
}

static bool take_feed(struct known *k, struct unpack *u, const struct testcase *parent, struct testcase *out, struct arena *arena)
{
	uint64_t hash = unpack_number(u);
	pack_clear(&k->from);
	testcase_pack(&k->from, parent);
	if (!unpack_difference(u, &k->from, &k->to))
		return false;
	struct unpack feed = { k->to.at, k->to.at + k->to.count, false };
	struct testcase t;
	if (!testcase_unpack(&feed, parent, &t, arena) || feed.at != feed.end || testcase_hash(&t) != hash)
		return false;
	*out = testcase_copy(&t, arena); /* the parent may be dropped before this one is */
	return true;
}

bool known_reply(struct known *k, const struct testcase *parent, const struct walk_choice *c, bool leap, struct reply *out, struct arena *arena)
{
	size_t size;
	const uint8_t *bytes = hoard_get(k->hoard, question_of(k, parent, c, leap), &size);
	if (!bytes)
		return false;
	struct unpack u = { bytes, bytes + size, false };
	uint64_t head = unpack_number(&u);
	*out = (struct reply){ .kind = head & 3, .verdict = head >> 2 & 3, .optimistic = head & 16, .sure = head & 32 };
	out->asked = (uint32_t)unpack_number(&u);
	out->place = (uint32_t)unpack_number(&u);
	out->flip.kind = (uint8_t)unpack_number(&u);
	out->flip.event = (uint32_t)unpack_number(&u);
	out->flip.edge = (uint32_t)(unpack_number(&u) - 1u);
	out->flip.value = unpack_number(&u);
	out->flip.object = (uint32_t)unpack_number(&u);
	out->condition = unpack_event(&u);
	return !u.bad && (out->kind != RESULT_WALK || take_feed(k, &u, parent, &out->feed, arena)) && u.at == u.end && !u.bad;
}
