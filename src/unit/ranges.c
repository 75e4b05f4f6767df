/* See ranges.h. Rows of all files are computed again and again until none changes. Where values go round, which is in places and in JOINs, one that keeps growing is taken to be as much as the next constant of the program, and in the end anything on that side.
 * What branches say comes after that, so two more rounds from there make some of them smaller again: what was computed from too much is computed from less, and is still more than what can be. */
#include "unit/ranges.h"

#include "base/digest.h"
#include "base/mem.h"
#include "unit/rows.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 4 /* changes until the next constant is taken, */, CONSTANTS = 16 /* and until it is anything */, ROUNDS_MAX = 1000, NARROWINGS = 2 };

/* --- values --- */

static struct value some(int64_t lo, int64_t hi)
{
	return (struct value){ lo, hi, true };
}

static struct value full(unsigned bits)
{
	return bits >= 64 ? some(INT64_MIN, INT64_MAX) : some(-(int64_t)(1ull << (bits - 1)), (int64_t)((1ull << (bits - 1)) - 1));
}

static struct value join(struct value a, struct value b)
{
	if (!a.is_some || !b.is_some)
		return a.is_some ? a : b;
	return some(a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi);
}

static struct value meet(struct value a, struct value b)
{
	struct value m = some(a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi);
	m.is_some = a.is_some && b.is_some && m.lo <= m.hi;
	return m.is_some ? m : (struct value){0};
}

static bool is_equal(struct value a, struct value b)
{
	return a.is_some == b.is_some && (!a.is_some || (a.lo == b.lo && a.hi == b.hi));
}

static struct value fit(__int128 lo, __int128 hi, unsigned bits)
{
	struct value all = full(bits);
	return lo >= all.lo && hi <= all.hi ? some((int64_t)lo, (int64_t)hi) : all;
}

static struct value multiply(struct value a, struct value b, unsigned bits)
{
	__int128 lo = (__int128)a.lo * b.lo, hi = lo;
	const __int128 others[] = { (__int128)a.lo * b.hi, (__int128)a.hi * b.lo, (__int128)a.hi * b.hi };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		lo = others[i] < lo ? others[i] : lo;
		hi = others[i] > hi ? others[i] : hi;
	}
	return fit(lo, hi, bits);
}

static struct value mask(struct value a, struct value b, unsigned bits)
{
	int64_t hi = a.lo >= 0 && b.lo >= 0 ? (a.hi < b.hi ? a.hi : b.hi) : a.lo >= 0 ? a.hi : b.hi;
	return a.lo >= 0 || b.lo >= 0 ? some(0, hi) : full(bits);
}

static struct value shift(struct value a, struct value b, unsigned bits, bool is_unsigned)
{
	if (b.lo < 0 || b.hi >= bits || (is_unsigned && a.lo < 0))
		return full(bits);
	return some(a.lo >> (a.lo < 0 ? b.lo : b.hi), a.hi >> (a.hi < 0 ? b.hi : b.lo));
}

static struct value divide(struct value a, struct value b, unsigned bits, bool is_unsigned)
{
	if (b.lo <= 0 || (is_unsigned && a.lo < 0))
		return full(bits);
	return some(a.lo / (a.lo < 0 ? b.lo : b.hi), a.hi / (a.hi < 0 ? b.hi : b.lo));
}

static struct value remain(struct value a, struct value b, unsigned bits, bool is_unsigned)
{
	if (b.lo <= 0)
		return full(bits);
	int64_t most = b.hi - 1;
	if (a.lo >= 0)
		return some(0, a.hi < most ? a.hi : most);
	return is_unsigned ? some(0, most) : some(a.lo > -most ? a.lo : -most, a.hi < 0 ? 0 : a.hi < most ? a.hi : most);
}

static struct value combine(const struct td_flow *f, struct value a, struct value b)
{
	if (!a.is_some || !b.is_some)
		return (struct value){0};
	switch ((enum td_flow_op)f->op) {
	case TD_FLOW_ADD: return fit((__int128)a.lo + b.lo, (__int128)a.hi + b.hi, f->bits);
	case TD_FLOW_SUB: return fit((__int128)a.lo - b.hi, (__int128)a.hi - b.lo, f->bits);
	case TD_FLOW_MUL: return multiply(a, b, f->bits);
	case TD_FLOW_AND: return mask(a, b, f->bits);
	case TD_FLOW_SHIFT_RIGHT: return shift(a, b, f->bits, f->number);
	case TD_FLOW_DIVIDE: return divide(a, b, f->bits, f->number);
	case TD_FLOW_REMAINDER: return remain(a, b, f->bits, f->number);
	default: return full(f->bits);
	}
}

static struct value extend(struct value a, unsigned from)
{
	return !a.is_some || a.lo >= 0 ? a : from < 63 ? some(0, (int64_t)((1ull << from) - 1)) : full(64);
}

static struct value clip(const struct td_flow *f, struct value a)
{
	if (f->number == TD_FLOW_WITHIN)
		return meet(a, some(f->lo, f->hi));
	if (f->number == TD_FLOW_ABOVE) /* what is negative is larger */
		return a.is_some && a.lo >= 0 ? meet(a, some(f->lo, INT64_MAX)) : a;
	if (a.is_some && a.lo == f->lo && a.lo < INT64_MAX)
		return meet(a, some(a.lo + 1, INT64_MAX));
	return a.is_some && a.hi == f->lo && a.hi > INT64_MIN ? meet(a, some(INT64_MIN, a.hi - 1)) : a;
}

/* --- places --- */

static uint64_t hash_text(const char *text)
{
	struct digest d = digest_bytes(digest_of('r'), text, strlen(text));
	return d.a;
}

static uint64_t key_of(enum td_flow_place kind, uint64_t name, uint32_t number)
{
	uint64_t key = digest_add(digest_add(digest_of(kind), name), number).a;
	return key + !key;
}

static uint32_t find(const struct ranges *r, enum td_flow_place kind, uint64_t name, uint32_t number)
{
	return map_find(&r->by_name, key_of(kind, name, number));
}

static uint32_t make(struct ranges *r, enum td_flow_place kind, uint64_t name, uint32_t number)
{
	uint32_t at = find(r, kind, name, number);
	if (at)
		return at;
	vec_push(&r->places, (struct place){ .kind = (uint8_t)kind, .name = name, .number = number });
	*map_at(&r->by_name, key_of(kind, name, number)) = (uint32_t)r->places.count - 1;
	return (uint32_t)r->places.count - 1;
}

/* What the library's functions return. */
static const struct { const char *name; int64_t lo, hi; } results[] = {
	{ "getc", -1, 255 }, { "fgetc", -1, 255 }, { "getchar", -1, 255 }, { "_IO_getc", -1, 255 }, { "getc_unlocked", -1, 255 }, { "getchar_unlocked", -1, 255 }, { "ungetc", -1, 255 },
	{ "strlen", 0, INT64_MAX }, { "strnlen", 0, INT64_MAX }, { "strspn", 0, INT64_MAX }, { "strcspn", 0, INT64_MAX }, { "fread", 0, INT64_MAX }, { "fwrite", 0, INT64_MAX },
	{ "read", -1, INT64_MAX }, { "write", -1, INT64_MAX }, { "getline", -1, INT64_MAX }, { "open", -1, INT32_MAX }, { "fileno", -1, INT32_MAX },
};

static struct value result_of_library(const char *name, unsigned bits)
{
	for (size_t i = 0; i < sizeof results / sizeof *results; i++)
		if (strcmp(results[i].name, name) == 0)
			return meet(some(results[i].lo, results[i].hi), full(bits));
	return full(bits);
}

/* Its hash, or the number of what it is the name of; false: that is nothing of the program. */
static bool name_of(const struct ranges *r, const struct facts_block *b, enum td_flow_place kind, const char *name, uint64_t *out)
{
	const struct type_variable *v;
	uint32_t function;
	switch (kind) {
	case TD_FLOW_PARAMETER: case TD_FLOW_RESULT:
		function = unit_program_named(r->program, b, name);
		*out = function;
		return function != UINT32_MAX;
	case TD_FLOW_VARIABLE:
		v = unit_program_variable(r->program, b, name);
		*out = v ? v->address : 0;
		return v;
	default:
		*out = hash_text(name);
		return true;
	}
}

/* --- setting up --- */

static void add_row(struct ranges *r, const struct facts_block *b, const struct td_flow *f, uint32_t first)
{
	struct row row = { .from = f, .first = first };
	uint64_t name;
	const char *text = facts_string(b, f->name);
	bool has_place = f->op == TD_FLOW_PLACE || f->op == TD_FLOW_STORE;
	if (has_place && name_of(r, b, f->kind, text, &name))
		row.place = make(r, f->kind, name, f->number);
	else if (f->op == TD_FLOW_PLACE)
		row.is = f->kind == TD_FLOW_RESULT ? result_of_library(text, f->bits) : full(f->bits);
	row.is_idle = f->op == TD_FLOW_STORE && f->unless && unit_program_named(r->program, b, facts_string(b, f->unless)) != UINT32_MAX;
	if (f->op == TD_FLOW_STORE && row.place && !row.is_idle)
		r->places.at[row.place].is_stored = true;
	vec_push(&r->rows, row);
}

static void add_block(struct ranges *r, const struct facts_block *b)
{
	uint32_t first = (uint32_t)r->rows.count;
	for (uint32_t i = 0; i < b->head->flows.count && !(b->head->flags & TD_FACTS_HIDDEN); i++)
		add_row(r, b, &b->flows[i], first);
}

static int by_size(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;
	return (*a > *b) - (*a < *b);
}

/* And what is one more or less. */
static void list_constants(struct ranges *r)
{
	for (size_t i = 0; i < r->rows.count; i++) {
		const struct td_flow *f = r->rows.at[i].from;
		if (f->op != TD_FLOW_RANGE && f->op != TD_FLOW_CLIP)
			continue;
		for (int step = -1; step <= 1; step++) {
			vec_push(&r->constants, f->lo > INT64_MIN && f->lo < INT64_MAX ? f->lo + step : f->lo);
			vec_push(&r->constants, f->hi > INT64_MIN && f->hi < INT64_MAX ? f->hi + step : f->hi);
		}
	}
	if (r->constants.count)
		qsort(r->constants.at, r->constants.count, sizeof *r->constants.at, by_size);
}

/* Members of new objects are 0, more often than not. */
static struct value beginning(const struct place *p)
{
	return p->kind == TD_FLOW_MEMBER && p->number != TD_FLOW_ALL ? some(0, 0) : (struct value){0};
}

/* What is put into all members of a struct is in each. That nobody puts anything into one means that somebody outside does. */
static void link_members(struct ranges *r)
{
	for (size_t i = 1; i < r->places.count; i++) {
		struct place *p = &r->places.at[i];
		p->is = beginning(p);
		if (p->kind != TD_FLOW_MEMBER || p->number == TD_FLOW_ALL)
			continue;
		p->also = find(r, TD_FLOW_MEMBER, p->name, TD_FLOW_ALL);
		p->is_any = !p->is_stored;
	}
}

/* Those that are called by a pointer get what such calls give; if there are no such calls, somebody outside makes them. */
static void link_pointers(struct ranges *r)
{
	for (uint32_t i = 0; i < r->program->count; i++) {
		const struct unit_function *f = &r->program->functions[i];
		bool taken = f->block && f->facts->flags & TD_FN_ADDRESS_TAKEN, is_main = f->block && unit_program_is_main(r->program, i);
		for (uint32_t k = 0; (taken || is_main) && k < f->facts->parameters; k++) {
			uint32_t own = make(r, TD_FLOW_PARAMETER, i, k), calls = is_main ? 0 : find(r, TD_FLOW_INDIRECT, hash_text(facts_string(f->block, f->facts->type)), k);
			r->places.at[own].is_any |= !calls;
			r->places.at[own].also = calls;
		}
	}
}

/* --- computing --- */

static struct value read_place(const struct ranges *r, uint32_t at, unsigned bits)
{
	const struct place *p = &r->places.at[at];
	if (p->is_any)
		return full(bits);
	struct value v = p->also ? join(p->is, r->places.at[p->also].is) : p->is;
	return v.is_some && !is_equal(meet(v, full(bits)), v) ? full(bits) : v;
}

static struct value compute(const struct ranges *r, const struct row *row)
{
	const struct td_flow *f = row->from;
	struct value a = f->a ? r->rows.at[row->first + f->a - 1].is : (struct value){0}, b = f->b ? r->rows.at[row->first + f->b - 1].is : (struct value){0};
	switch ((enum td_flow_op)f->op) {
	case TD_FLOW_ANY: return full(f->bits);
	case TD_FLOW_RANGE: return some(f->lo, f->hi);
	case TD_FLOW_FUNCTION: return some(1, INT64_MAX);
	case TD_FLOW_PLACE: return row->place ? read_place(r, row->place, f->bits) : row->is;
	case TD_FLOW_JOIN: return join(a, b);
	case TD_FLOW_CLIP: return clip(f, a);
	case TD_FLOW_SEXT: case TD_FLOW_STORE: return a;
	case TD_FLOW_ZEXT: return extend(a, r->rows.at[row->first + f->a - 1].from->bits);
	case TD_FLOW_TRUNC: return a.is_some ? fit(a.lo, a.hi, f->bits) : a;
	default: return combine(f, a, b);
	}
}

/* The first that is at least x; or the last that is at most. */
static int64_t constant_above(const struct ranges *r, int64_t x, int64_t otherwise)
{
	size_t low = 0, high = r->constants.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (r->constants.at[middle] < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->constants.count && r->constants.at[low] < otherwise ? r->constants.at[low] : otherwise;
}

static int64_t constant_below(const struct ranges *r, int64_t x, int64_t otherwise)
{
	size_t low = 0, high = r->constants.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (r->constants.at[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low && r->constants.at[low - 1] > otherwise ? r->constants.at[low - 1] : otherwise;
}

static struct value widen(const struct ranges *r, struct value before, struct value now, uint8_t *changes, unsigned bits)
{
	struct value all = full(bits);
	*changes += before.is_some && *changes <= CONSTANTS;
	if (*changes <= PATIENCE)
		return now;
	all = join(all, now);
	if (*changes <= CONSTANTS)
		all = some(constant_below(r, now.lo, all.lo), constant_above(r, now.hi, all.hi));
	return some(now.lo < before.lo ? all.lo : now.lo, now.hi > before.hi ? all.hi : now.hi);
}

static bool put(struct ranges *r, const struct row *row)
{
	struct place *p = &r->places.at[row->place];
	struct value now = join(p->is, row->is);
	if (row->is_idle || !row->place || is_equal(now, p->is))
		return false;
	p->is = widen(r, p->is, now, &p->changes, row->from->bits);
	return true;
}

static bool grow(struct ranges *r)
{
	bool changed = false;
	for (size_t i = 0; i < r->rows.count; i++) {
		struct row *row = &r->rows.at[i];
		struct value now = join(row->is, compute(r, row));
		if (!is_equal(now, row->is)) {
			row->is = row->from->op == TD_FLOW_JOIN ? widen(r, row->is, now, &row->changes, row->from->bits) : now;
			changed = true;
		}
		if (row->from->op == TD_FLOW_STORE)
			changed |= put(r, row);
	}
	return changed;
}

/* All that is there is more than what can be, and so is what is computed from it. */
static void narrow(struct ranges *r)
{
	for (size_t i = 1; i < r->places.count; i++)
		r->places.at[i].next = beginning(&r->places.at[i]);
	for (size_t i = 0; i < r->rows.count; i++) {
		struct row *row = &r->rows.at[i];
		row->is = compute(r, row);
		if (row->from->op == TD_FLOW_STORE && row->place && !row->is_idle)
			r->places.at[row->place].next = join(r->places.at[row->place].next, row->is);
	}
	for (size_t i = 1; i < r->places.count; i++)
		r->places.at[i].is = r->places.at[i].next;
}

struct ranges *ranges_new(const struct unit_program *p)
{
	struct ranges *r = mem_alloc(sizeof *r);
	const struct facts_module *m = &p->facts.modules[0];
	unsigned rounds = 0;
	r->program = p;
	r->arena = arena_new();
	vec_push(&r->places, (struct place){ .is_any = true });
	for (size_t i = 0; i < m->blocks_count; i++)
		add_block(r, &m->blocks[i]);
	link_pointers(r);
	link_members(r);
	list_constants(r);
	while (grow(r) && rounds < ROUNDS_MAX)
		rounds++;
	for (unsigned i = 0; i < NARROWINGS && rounds < ROUNDS_MAX; i++)
		narrow(r);
	if (rounds == ROUNDS_MAX) /* nothing is known */
		map_free(&r->by_name);
	leads_find(r);
	vec_free(&r->rows);
	vec_free(&r->constants);
	return r;
}

void ranges_free(struct ranges *r)
{
	if (!r)
		return;
	map_free(&r->by_name);
	vec_free(&r->places);
	arena_free(r->arena);
	free(r->bits);
	free(r);
}

/* --- asking --- */

uint32_t ranges_place_of_parameter(const struct ranges *r, uint32_t function, uint32_t parameter)
{
	return find(r, TD_FLOW_PARAMETER, function, parameter);
}

uint32_t ranges_place_of_result(const struct ranges *r, uint32_t function)
{
	return find(r, TD_FLOW_RESULT, function, 0);
}

uint32_t ranges_place_of_variable(const struct ranges *r, const struct type_variable *v)
{
	return find(r, TD_FLOW_VARIABLE, v->address, 0);
}

uint32_t ranges_place_of_member(const struct ranges *r, const struct type *of, uint64_t offset)
{
	const char *blank = strchr(of->name, ' ');
	uint64_t name = hash_text(blank ? blank + 1 : of->name);
	return !of->is_foreign && *of->name && offset < TD_FLOW_ALL ? find(r, TD_FLOW_MEMBER, name, (uint32_t)offset) : 0;
}

bool ranges_ask(const struct ranges *r, uint32_t place, unsigned bits, struct range *out)
{
	struct value v = place ? read_place(r, place, bits) : full(bits);
	*out = (struct range){ v.lo, v.hi };
	return v.is_some && !is_equal(v, full(bits));
}

bool ranges_is_nulled(const struct ranges *r, uint32_t place)
{
	return place && r->places.at[place].lead.null;
}

bool ranges_leads_to(const struct ranges *r, uint32_t place, uint32_t function)
{
	return leads_to(r, place, function);
}

bool ranges_gives_address(const struct ranges *r, const struct type_variable *v)
{
	return find(r, TD_FLOW_VARIABLE, v->address, TD_FLOW_ADDRESS);
}
