/* Most runs bring nothing that was not there: a hash over the events up to a call, and over what the callee is given, says so before any term is copied.
 *
 * A call counts if it comes from the function itself. Who called is told by the return address; if the function called was inlined, that is somebody further out, or nobody of the program: then it counts as well. */
#include "cli/harvest.h"

#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "engine/flip.h"
#include "expr/op.h"
#include "trace/debug.h"

#include <stdlib.h>
#include <string.h>

enum {
	PATHS_MAX = 32,          /* of a failure */
	CALLS_MAX = 256,         /* of one callee */
	TERMS_MAX = 1 << 21,     /* of all calls together */
	CALLERS_MAX = 1 << 12,
};

/* A byte of a mark that a path depends on, as it was. */
struct reading {
	uint32_t mark, offset;
	uint8_t value;
};

typedef VEC(struct reading) readings;

struct ending {
	uint64_t failure, seen;
	VEC(struct formula) paths;
	VEC(readings) read;              /* by path: without what the plan itself demands */
};

struct caller {
	uint64_t address;
	bool counts;
};

struct harvest {
	struct unit_program *program;
	struct book *book;
	uint32_t function;
	const struct plan *plan;
	struct arena *arena;
	struct debug *debug;
	struct map known;                /* hashes of paths, and names of formulas */
	VEC(struct ending) endings;
	VEC(struct summary_call) calls;
	VEC(struct caller) callers;
	uint32_t *calls_of;              /* by function */
	uint64_t terms;
	bool left_out;
	/* of the run that is looked at */
	const struct testcase *feed;
	const struct trace *trace;
	const struct facts *facts;
	VEC(uint32_t) stubs;             /* that were called so far, each once */
	struct demands *demands;         /* NULL: nobody needed them yet */
};

struct harvest *harvest_new(struct unit_program *p, struct book *book, uint32_t function, struct arena *arena)
{
	struct harvest *h = mem_alloc(sizeof *h);
	h->program = p;
	h->function = function;
	h->book = book;
	h->plan = book_plan(book, function, NULL);
	h->arena = arena;
	h->debug = debug_open(p->facts.modules[0].path);
	h->calls_of = mem_alloc((p->count + 1u) * sizeof *h->calls_of);
	return h;
}

void harvest_free(struct harvest *h)
{
	if (!h)
		return;
	if (h->debug)
		debug_close(h->debug);
	for (size_t i = 0; i < h->endings.count; i++) {
		for (size_t k = 0; k < h->endings.at[i].read.count; k++)
			vec_free(&h->endings.at[i].read.at[k]);
		vec_free(&h->endings.at[i].read);
		vec_free(&h->endings.at[i].paths);
	}
	vec_free(&h->endings);
	vec_free(&h->calls);
	vec_free(&h->callers);
	vec_free(&h->stubs);
	map_free(&h->known);
	free(h->calls_of);
	free(h);
}

static bool is_new(struct harvest *h, uint64_t key)
{
	uint32_t *seen = map_at(&h->known, key + !key);
	bool result = !*seen;
	*seen = 1;
	return result;
}

static const struct path *path_of(struct harvest *h)
{
	if (!h->demands)
		h->demands = flip_demands(h->trace, h->facts, h->feed);
	return flip_demands_path(h->demands);
}

/* How many demands came before an event. */
static size_t demands_before(const struct harvest *h, uint32_t event)
{
	size_t low = 0, high = path_source(flip_demands_path(h->demands))->count;
	const uint32_t *events = flip_demands_events(h->demands);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (events[middle] < event)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* --- failures --- */

static struct ending *ending_of(struct harvest *h, uint64_t failure)
{
	for (size_t i = 0; i < h->endings.count; i++)
		if (h->endings.at[i].failure == failure)
			return &h->endings.at[i];
	vec_push(&h->endings, (struct ending){ .failure = failure });
	return &h->endings.at[h->endings.count - 1];
}

/* Has the plan chosen how large the object is that the report is about? */
static bool is_chosen(const struct harvest *h, const struct td_report *r)
{
	return r && r->planned && r->planned <= h->plan->objects_count && !h->plan->objects[r->planned - 1].is.variable;
}

static void want(const struct terms *t, bool *wanted, uint32_t node)
{
	if (node < t->count)
		wanted[node] = true;
}

/* Children come before parents. */
static void read_terms(const struct terms *t, const struct td_input *inputs, bool *wanted, readings *out)
{
	for (uint32_t id = t->count; id-- > 1;) {
		const struct td_node *n = &t->nodes[id];
		const struct op *op = wanted[id] ? op_get(n->op) : NULL;
		const uint32_t children[] = { n->a, n->b, n->c };
		for (unsigned i = 0; op && i < op->arity && i < 3; i++)
			want(t, wanted, children[i]);
		if (op && n->op == TD_INPUT && inputs[n->a].kind == TD_IN_MARK)
			vec_push(out, (struct reading){ inputs[n->a].index, n->b, (uint8_t)n->lo });
	}
}

/* What integers are held to is demanded of all of them, read or not. */
static readings what_is_read(const struct harvest *h)
{
	const struct path_source *from = path_source(flip_demands_path(h->demands));
	const uint32_t *events = flip_demands_events(h->demands);
	bool *wanted = mem_alloc(from->terms.count + 1u);
	readings read = {0};
	for (size_t i = 0; i < from->count; i++)
		if (h->trace->events[events[i]].kind != TD_EV_ASSUME && from->demands[i].kind != CONJUNCT_LOSS)
			want(&from->terms, wanted, from->demands[i].node);
	read_terms(&from->terms, h->trace->inputs, wanted, &read);
	free(wanted);
	return read;
}

static void end_in_failure(struct harvest *h, uint64_t failure, uint64_t hash)
{
	struct ending *e = ending_of(h, failure);
	const struct td_report *r = h->trace->reports_count ? &h->trace->reports[0] : NULL;
	if (!is_new(h, hash ^ failure))
		return;
	e->seen++;
	if (e->paths.count >= PATHS_MAX)
		return;
	struct formula f = formula_until_fault(h->trace, path_of(h), r, is_chosen(h, r), h->arena);
	if (!is_new(h, f.name.a ^ failure))
		return;
	vec_push(&e->paths, f);
	vec_push(&e->read, what_is_read(h));
}

/* --- calls --- */

static bool is_by_function(struct harvest *h, uint64_t address)
{
	struct debug_place places[16];
	uint32_t index = 0;
	size_t n = h->debug ? debug_find(h->debug, address - 1, places, 16, h->arena) : 0;
	const char *name = h->program->functions[h->function].name;
	if (!n || !places[0].function || debug_is_runtime(h->debug, address))
		return true;
	return strcmp(places[0].function, name) == 0 || !unit_program_find(h->program, places[0].function, &index);
}

static bool counts(struct harvest *h, uint64_t address)
{
	for (size_t i = 0; i < h->callers.count; i++)
		if (h->callers.at[i].address == address)
			return h->callers.at[i].counts;
	bool result = is_by_function(h, address);
	if (h->callers.count < CALLERS_MAX)
		vec_push(&h->callers, (struct caller){ address, result });
	return result;
}

/* What the callee is given is part of what is new or not. */
static uint64_t hash_call(const struct trace *t, uint32_t call, uint64_t hash)
{
	hash = rng_mix(hash ^ t->events[call].site);
	for (uint32_t i = call + 1; i < t->events_count && t->events[i].kind == TD_EV_SNAPSHOT; i++) {
		const struct td_event *e = &t->events[i];
		hash = rng_mix(hash ^ rng_mix((uint64_t)e->site << 32 | e->aux) ^ (e->node ? e->node : rng_mix(e->value)) ^ e->sub);
	}
	return hash;
}

static void call_stub(struct harvest *h, uint32_t function)
{
	for (size_t i = 0; i < h->stubs.count; i++)
		if (h->stubs.at[i] == function)
			return;
	if (function < h->program->count)
		vec_push(&h->stubs, function);
}

static bool is_changed(struct harvest *h, uint64_t variable)
{
	for (size_t i = 0; variable && i < h->stubs.count; i++)
		if (unit_program_changes(h->program, h->stubs.at[i], variable))
			return true;
	return false;
}

/* A stub has not changed what the function that it stands for would have: variables, as far as the program's facts tell. So what they have now is not what they can have. */
static const bool *changed_by_stubs(struct harvest *h, uint32_t callee)
{
	const struct plan *p = book_plan(h->book, callee, NULL);
	bool *unknown = h->stubs.count && p ? arena_alloc(h->arena, p->objects_count + 1) : NULL;
	for (size_t i = 0; unknown && i < p->given; i++)
		unknown[i] = is_changed(h, p->objects[i].is.variable);
	return unknown;
}

static void end_in_call(struct harvest *h, uint32_t call, uint64_t hash)
{
	const struct td_event *e = &h->trace->events[call];
	if (e->site >= h->program->count || !counts(h, e->value) || !is_new(h, hash_call(h->trace, call, hash)))
		return;
	if (h->calls_of[e->site] >= CALLS_MAX || h->terms >= TERMS_MAX) {
		h->left_out = true;
		return;
	}
	const struct path *p = path_of(h);
	struct formula f = formula_until_call(h->trace, p, demands_before(h, call), call, changed_by_stubs(h, e->site), h->arena);
	if (!is_new(h, rng_mix(f.name.a ^ e->site)))
		return;
	h->calls_of[e->site]++;
	h->terms += f.terms.count + f.pieces_count;
	vec_push(&h->calls, (struct summary_call){ e->site, f });
}

void harvest_run(struct harvest *h, const struct testcase *feed, const struct trace *t, const struct facts *facts, uint64_t failure)
{
	uint64_t hash = 1;
	h->feed = feed;
	h->trace = t;
	h->facts = facts;
	h->demands = NULL;
	vec_clear(&h->stubs);
	for (uint32_t i = 0; i < t->events_count; i++) {
		const struct td_event *e = &t->events[i];
		if (e->kind == TD_EV_CALL)
			end_in_call(h, i, hash);
		else if (e->kind == TD_EV_RET)
			call_stub(h, e->site);
		else if (e->node && e->kind != TD_EV_SNAPSHOT)
			hash = rng_mix(hash ^ rng_mix((uint64_t)e->node << 32 | e->site) ^ (e->value << 8 | e->kind));
	}
	if (failure)
		end_in_failure(h, failure, hash);
	flip_demands_free(h->demands);
	h->demands = NULL;
}

const struct formula *harvest_paths(const struct harvest *h, uint64_t failure, size_t *count, uint64_t *seen)
{
	for (size_t i = 0; i < h->endings.count; i++)
		if (h->endings.at[i].failure == failure) {
			*count = h->endings.at[i].paths.count;
			*seen = h->endings.at[i].seen;
			return h->endings.at[i].paths.at;
		}
	*count = 0;
	*seen = 0;
	return NULL;
}

static bool goes_so(const struct formula *f, const struct testcase *feed)
{
	struct content *contents = mem_alloc((f->inputs_count + 1) * sizeof *contents);
	u128 *values = mem_alloc(f->terms.count * sizeof *values);
	bool holds = true;
	for (uint32_t i = 0; i < f->inputs_count; i++) {
		const struct testcase_mark *m = f->inputs[i].kind == TD_IN_MARK && f->inputs[i].index < feed->marks_count ? &feed->marks[f->inputs[i].index] : NULL;
		contents[i] = m ? (struct content){ m->bytes, m->size } : f->contents[i];
	}
	terms_eval_all(&f->terms, &(struct assignment){ contents, f->inputs_count }, values);
	for (size_t i = 0; holds && i < f->count; i++)
		holds = conjunct_holds(&f->parts[i], values);
	free(values);
	free(contents);
	return holds;
}

enum { READ_MAX = 1 << 16 /* bytes of a variable */ };

/* Room for what is read, and for what is there if the input does not say it. */
static void make_room(const readings *from, const struct testcase *feed, uint64_t *most)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct reading *r = &from->at[i];
		if (r->mark < feed->marks_count && r->offset < READ_MAX && most[r->mark] <= r->offset)
			most[r->mark] = r->offset + 1;
	}
}

static void put_read(const readings *from, const struct testcase *feed, const struct plan_value *values)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct reading *r = &from->at[i];
		if (r->mark >= feed->marks_count || r->offset >= values[r->mark].size)
			continue;
		((uint8_t *)(uintptr_t)values[r->mark].read)[r->offset] = 1; /* our own, and so are bytes that the input does not have */
		if (!feed->marks[r->mark].size)
			((uint8_t *)(uintptr_t)values[r->mark].bytes)[r->offset] = r->value;
	}
}

static const struct ending *ending_with_paths(const struct harvest *h, uint64_t failure)
{
	for (size_t i = 0; i < h->endings.count; i++)
		if (h->endings.at[i].failure == failure && h->endings.at[i].paths.count)
			return &h->endings.at[i];
	return NULL;
}

/* By the path that it goes; if that is none of those that were kept, by all of them. */
const struct plan_value *harvest_values(const struct harvest *h, uint64_t failure, const struct testcase *feed)
{
	const struct ending *e = ending_with_paths(h, failure);
	struct plan_value *values = arena_alloc(h->arena, (feed->marks_count + 1) * sizeof *values);
	uint64_t *most = arena_alloc(h->arena, (feed->marks_count + 1) * sizeof *most);
	size_t its = 0;
	while (e && its < e->paths.count && !goes_so(&e->paths.at[its], feed))
		its++;
	for (size_t i = 0; e && i < e->paths.count; i++)
		if (its == i || its == e->paths.count)
			make_room(&e->read.at[i], feed, most);
	for (size_t i = 0; i < feed->marks_count; i++) {
		const struct testcase_mark *m = &feed->marks[i];
		values[i] = (struct plan_value){ m->bytes, m->size, m->name, NULL };
		if (e && !m->size)
			values[i] = (struct plan_value){ arena_alloc(h->arena, most[i] + 1), most[i], m->name, NULL };
		if (e)
			values[i].read = arena_alloc(h->arena, values[i].size + 1);
	}
	for (size_t i = 0; e && i < e->paths.count; i++)
		if (its == i || its == e->paths.count)
			put_read(&e->read.at[i], feed, values);
	return values;
}

const struct summary_call *harvest_calls(const struct harvest *h, size_t *count, bool *left_out)
{
	*count = h->calls.count;
	*left_out = h->left_out;
	return h->calls.at;
}
