/* Objects for a function. They are made breadth first, as a reader would ask: the arguments and the variables, then what arguments lead to, and what that does, then the same of variables. An
 * object is added before it is laid out, so that what is found first is also near. Its slots lie next to each other, since it is laid out at once.
 *
 * Whoever follows a pointer finds an object of its own behind it, or the first one of the same type that was there before: a list can be long, have an
 * end, or lead back to itself, and a plan has an end for all that. What a stub returns is made for each call, and knows only itself. */
#include "unit/plan.h"

#include "base/vec.h"
#include "unit/ends.h"
#include "unit/ranges.h"
#include "unit/shapes.h"
#include "unit/sizes.h"

#include <inttypes.h>
#include <string.h>

#define PARAMETERS_MAX 64
#define TARGETS_MAX (TD_UNIT_KEPT - 1) /* one byte tells which */
#define POINTERS_MAX 3           /* elements of an array that a pointer to a pointer leads to */
#define LED_MAX 8                /* elements of an array whose pointers lead anywhere */
#define KEPT_OBJECTS 4           /* that an object leaves for each that is laid out after it */
#define INPUTS_MAX (1u << 20)
#define RANGES_MAX 64            /* elements of an array that are held to one */

/* What is being laid out, as the program's ranges know it. */
struct origin {
	enum { ORIGIN_NONE, ORIGIN_PARAMETER, ORIGIN_RESULT, ORIGIN_VARIABLE, ORIGIN_MEMBER } kind;
	uint32_t parameter;
	const struct type *of;       /* MEMBER */
	uint64_t offset;
};

/* A pointer to the end of what another leads to, which is known when all is laid out. */
struct ending {
	size_t slot;                 /* its own */
	size_t object;               /* where the other is, */
	uint64_t offset;
	bool is_indirect;            /* or a pointer to it */
};

struct maker {
	const struct plan_wish *wish;
	struct arena *arena;
	VEC(struct plan_object) objects;
	VEC(unsigned) depths;        /* of objects: how many pointers lead there */
	VEC(struct td_unit_slot) slots;
	VEC(struct td_unit_target) targets;
	VEC(struct td_unit_stub) stubs;
	VEC(struct td_unit_range) ranges;
	VEC(struct plan_leaf) leaves; /* of the object that is laid out */
	VEC(struct ending) endings;
	VEC(struct type_member) variables; /* that are pointers; offset: the object */
	const struct ending *ending; /* of the pointer that is laid out next; NULL: it leads where it wants to */
	struct origin origin;
	const struct plan_function *stub; /* whose result it is; NULL: it is given */
	size_t format;               /* object that may be a format, without arguments for it: no % in it; 0: none */
	unsigned elements;           /* of arrays around, too many of which have no ranges */
	size_t now;                  /* it */
	size_t first;                /* object of the given ones, or of this stub */
	size_t made, made_max, made_now; /* objects that pointers lead to; so many there may be, and when that is done which is laid out now */
	uint64_t total;              /* inputs of all */
	uint64_t inputs;             /* of it: a pointer that is half one is none */
	unsigned unled;              /* arrays around, in an element too far behind */
};

/* --- objects --- */

struct fresh {
	const struct type *type;
	uint64_t count, size, end;   /* so many of its bytes are 0, behind the inputs: of a text */
	uint32_t flags;
};

/* Room for elements in a last member that has none. */
static uint64_t tail_of(const struct type *t, uint64_t elements)
{
	const struct type *last = t->kind == TYPE_STRUCT && t->members_count ? t->members[t->members_count - 1].type : NULL;
	return last && last->kind == TYPE_ARRAY && !last->count ? elements * last->of->size : 0;
}

/* What a pointer to the type leads to; false: nothing can be made. */
static bool find_fresh(const struct plan_options *o, const struct type *t, struct fresh *r)
{
	uint64_t elements = o->elements ? o->elements : 1;
	*r = (struct fresh){ .type = t, .count = 1 };
	switch (t->kind) {
	case TYPE_UNKNOWN: case TYPE_FUNCTION:
		return false;
	case TYPE_STRUCT: case TYPE_UNION: case TYPE_ARRAY:
		r->size = t->size ? t->size + tail_of(t, elements) : 0;
		return r->size > 0;
	case TYPE_POINTER:
		r->count = (elements < POINTERS_MAX ? elements : POINTERS_MAX) + 1;
		break;
	case TYPE_CHAR:
		r->flags = TD_UNIT_TEXT;
		r->end = 1;
		r->count = elements;
		break;
	case TYPE_SIGNED: case TYPE_UNSIGNED: case TYPE_BOOL: case TYPE_ENUM: case TYPE_FLOAT:
		r->count = elements;
		break;
	}
	return !__builtin_mul_overflow(r->count, t->size, &r->size) && r->size;
}

static struct plan_object *add_object(struct maker *m, const struct fresh *r, const char *name, unsigned depth)
{
	uint64_t inputs = r->size - r->end, most = m->wish->options.inputs_max;
	inputs = inputs < most ? inputs : most;
	vec_push(&m->depths, depth);
	vec_push(&m->objects, (struct plan_object){ .name = name, .type = r->type, .count = r->count,
		.is = { .size = r->size, .flags = r->flags, .inputs = inputs < UINT32_MAX ? (uint32_t)inputs : UINT32_MAX } });
	return &m->objects.at[m->objects.count - 1];
}

bool plan_is_row(const struct plan_object *o)
{
	return o->count > 1 || (o->is.flags & TD_UNIT_TEXT);
}

/* --- pointers --- */

static void add_target(struct maker *m, enum td_unit_target_kind kind, size_t index)
{
	vec_push(&m->targets, (struct td_unit_target){ .kind = kind, .index = (uint32_t)index });
}

/* Without a prototype, as in `int (*compare)()`, it may take anything that is not variadic. */
static bool may_be(const struct type *pointed, const struct type *f)
{
	if (!pointed->is_variadic || pointed->members_count)
		return types_same(f, pointed);
	return !f->is_variadic && (!f->of == !pointed->of) && (!f->of || types_same(f->of, pointed->of));
}

/* What is laid out, as a place of the whole program; 0: none. */
static uint32_t place_now(const struct maker *m)
{
	const struct plan_wish *w = m->wish;
	const struct plan_function *f = m->stub ? m->stub : &w->function;
	const struct type_variable *v = m->objects.at[m->now].variable;
	if (!w->ranges || w->options.no_ranges)
		return 0;
	switch (m->origin.kind) {
	case ORIGIN_PARAMETER: return f->machine == f->type->members_count ? ranges_place_of_parameter(w->ranges, f->index, m->origin.parameter) : 0;
	case ORIGIN_RESULT: return ranges_place_of_result(w->ranges, f->index);
	case ORIGIN_VARIABLE: return v ? ranges_place_of_variable(w->ranges, v) : 0;
	case ORIGIN_MEMBER: return ranges_place_of_member(w->ranges, m->origin.of, m->origin.offset);
	case ORIGIN_NONE: break;
	}
	return 0;
}

static bool ask_range(const struct maker *m, unsigned bits, struct range *out)
{
	uint32_t place = place_now(m);
	return place && ranges_ask(m->wish->ranges, place, bits, out);
}

static void find_functions(struct maker *m, const struct type *t)
{
	const struct plan_wish *w = m->wish;
	size_t first = m->targets.count;
	uint32_t place = place_now(m);
	for (size_t i = 0; i < w->functions_count && m->targets.count - first < TARGETS_MAX; i++)
		if (w->functions[i].type && may_be(t, w->functions[i].type) && (!place || ranges_leads_to(w->ranges, place, w->functions[i].index)))
			add_target(m, TD_UNIT_FUNCTION, w->functions[i].index);
}

/* The first object of the type; the number of all: there is none. What a stub returns itself is a value, and nowhere. */
static size_t find_object(const struct maker *m, const struct type *t)
{
	for (size_t i = m->first + 1; i < m->objects.count; i++)
		if (types_same(m->objects.at[i].type, t))
			return i;
	return m->objects.count;
}

static bool is_stream(const struct type *t)
{
	return t->kind == TYPE_STRUCT && (strcmp(t->name, "FILE") == 0 || strcmp(t->name, "struct _IO_FILE") == 0);
}

/* What is written to and what is read from are both there. The one that it is called after comes first. */
static void find_streams(struct maker *m, const char *pointer)
{
	bool out = strstr(pointer, "out") || strstr(pointer, "err");
	add_target(m, TD_UNIT_STREAM, out ? 1 : 0);
	add_target(m, TD_UNIT_STREAM, out ? 0 : 1);
}

/* How the object that a pointer leads to is called. */
static const char *name_behind(struct maker *m, const struct fresh *r, const char *pointer)
{
	return r->flags & TD_UNIT_TEXT ? pointer : arena_printf(m->arena, "*%s", pointer);
}

/* What is there in truth. */
static const struct type *shape_of(const struct maker *m, const struct type *t)
{
	const struct plan_wish *w = m->wish;
	const struct plan_function *f = &w->function;
	bool is_parameter = w->shapes && !m->stub && m->origin.kind == ORIGIN_PARAMETER && f->machine == f->type->members_count;
	const struct type *shape = is_parameter ? shapes_parameter(w->shapes, f->index, m->origin.parameter, t) : NULL;
	shape = !shape && w->shapes ? shapes_around(w->shapes, t) : shape;
	return shape ? shape : t;
}

static void find_targets(struct maker *m, const struct type *t, const char *pointer)
{
	const struct plan_options *o = &m->wish->options;
	struct fresh r;
	t = shape_of(m, t);
	if (t->kind == TYPE_FUNCTION)
		find_functions(m, t);
	if (is_stream(t))
		find_streams(m, pointer);
	if (t->kind == TYPE_UNKNOWN)
		add_target(m, TD_UNIT_OPAQUE, 0);
	if (is_stream(t) || !find_fresh(o, t, &r))
		return;
	size_t before = m->objects.count, other = o->no_alias ? before : find_object(m, t);
	unsigned depth = m->depths.at[m->now];
	if (depth < o->depth && m->made < m->made_now) {
		m->made++;
		add_object(m, &r, name_behind(m, &r, pointer), depth + 1);
		add_target(m, TD_UNIT_OBJECT, before);
	}
	if (other < before)
		add_target(m, TD_UNIT_OBJECT, other);
}

/* --- what is in an object --- */

static void lay(struct maker *m, const struct type *t, uint64_t offset, const char *name);

static bool is_integer(const struct type *t)
{
	switch (t->kind) {
	case TYPE_SIGNED: case TYPE_UNSIGNED: case TYPE_CHAR: case TYPE_BOOL: case TYPE_ENUM: return t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8;
	default: return false;
	}
}

static void hold_to(struct maker *m, uint64_t offset, uint64_t size, struct range r, unsigned flags)
{
	vec_push(&m->ranges, (struct td_unit_range){ .offset = (uint32_t)offset, .bytes = (uint16_t)size, .flags = (uint16_t)flags, .lo = r.lo, .hi = r.hi });
}

/* One that is unsigned may be larger than what the ranges know. */
static void add_range(struct maker *m, const struct type *t, uint64_t offset)
{
	struct range r = { 0, 1 };
	bool known = t->kind == TYPE_BOOL || ask_range(m, (unsigned)t->size * 8, &r);
	if (known && (r.lo >= 0 || t->is_signed || t->kind == TYPE_SIGNED))
		hold_to(m, offset, t->size, r, 0);
}

static void add_leaf(struct maker *m, const struct type *t, uint64_t offset, uint64_t size, const char *name)
{
	if (!size || offset >= m->inputs || size > m->inputs - offset)
		return;
	vec_push(&m->leaves, (struct plan_leaf){ .offset = offset, .size = size, .type = t, .name = name });
	if (m->wish->ranges && !m->wish->options.no_ranges && is_integer(t) && size == t->size && m->elements <= RANGES_MAX)
		add_range(m, t, offset);
}

/* An integer that says how many elements a pointer's object has is not more than that; the null behind pointers is none of them. */
static void add_sizes(struct maker *m, const struct type_member *members, size_t count, const uint64_t *at)
{
	for (size_t i = 0; i < count && !m->wish->options.no_sizes; i++) {
		const struct type *t = members[i].type;
		size_t pointer = is_integer(t) && !members[i].bits && t->kind != TYPE_BOOL && t->kind != TYPE_ENUM && t->size > 1 ? sizes_pointer(members, count, i) : count;
		struct fresh r;
		if (pointer < count && find_fresh(&m->wish->options, members[pointer].type->of, &r) && at[i] < m->inputs && t->size <= m->inputs - at[i])
			hold_to(m, at[i], t->size, (struct range){ 0, (int64_t)(r.count - (r.type->kind == TYPE_POINTER)) }, TD_UNIT_SIZE);
	}
}

static void lay_bits(struct maker *m, const struct type_member *member, uint64_t offset, const char *name)
{
	uint64_t from = offset + member->offset + member->bit / 8, bit = member->bit % 8;
	size_t before = m->leaves.count;
	add_leaf(m, member->type, from, (bit + member->bits + 7) / 8, name);
	if (m->leaves.count > before) {
		m->leaves.at[before].bit = (uint32_t)bit;
		m->leaves.at[before].bits = member->bits;
	}
}

/* Nobody in the whole program gives it, returns it or puts it there null. It is the address that is none, not its lowest byte. */
static void add_not_null(struct maker *m, uint64_t offset)
{
	struct range r = { 0, 0 };
	if (ask_range(m, 64, &r) && r.lo > 0)
		hold_to(m, offset, TD_UNIT_SLOT, (struct range){ 0, 0 }, TD_UNIT_NOT);
}

static const struct td_unit_slot *slot_in(const struct maker *m, size_t object, uint64_t offset)
{
	const struct td_unit_object *o = &m->objects.at[object].is;
	for (size_t i = o->first_slot; i < o->first_slot + o->slots; i++)
		if (m->slots.at[i].offset == offset)
			return &m->slots.at[i];
	return NULL;
}

static void lay_pointer(struct maker *m, const struct type *t, uint64_t offset, const char *name)
{
	const struct ending *ending = m->ending;
	m->ending = NULL;
	if (offset >= m->inputs)
		return;
	if (TD_UNIT_SLOT > m->inputs - offset) {
		m->inputs = offset;
		return;
	}
	add_leaf(m, t, offset, TD_UNIT_SLOT, name);
	size_t first = m->targets.count;
	if (ending) {
		vec_push(&m->endings, *ending);
		m->endings.at[m->endings.count - 1].slot = m->slots.count;
	} else if (!m->unled) {
		find_targets(m, t->of, name);
	}
	if (m->targets.count > first)
		add_not_null(m, offset);
	vec_push(&m->slots, (struct td_unit_slot){ .offset = (uint32_t)offset, .first_target = (uint32_t)first, .targets = (uint16_t)(m->targets.count - first) });
}

/* What the next pointer is the end of. */
static void begin_with(struct maker *m, const struct type_member *members, size_t count, const uint64_t *at, size_t pointer, struct ending *space)
{
	const struct plan_options *o = &m->wish->options;
	struct end end;
	m->ending = NULL;
	if (o->no_ends || o->no_alias || !end_find(members, count, pointer, &end))
		return;
	*space = (struct ending){ .object = m->now, .offset = at[end.begin], .is_indirect = end.is_indirect };
	m->ending = space;
}

/* The last of pointers that are found behind one: null, which many take for the end of a list. The plan alone has chosen to let it end there: of a path that goes by it a caller's own pointer at that place is not null. */
static void lay_end(struct maker *m, const struct type *t, uint64_t offset, const char *name)
{
	if (offset >= m->inputs || TD_UNIT_SLOT > m->inputs - offset)
		return;
	add_leaf(m, t, offset, TD_UNIT_SLOT, name);
	vec_push(&m->slots, (struct td_unit_slot){ (uint32_t)offset, (uint32_t)m->targets.count, 1, TD_UNIT_LAST });
	add_target(m, TD_UNIT_OPAQUE, 0);
	hold_to(m, offset, TD_UNIT_SLOT, (struct range){ 0, 0 }, TD_UNIT_SIZE);
}

/* A pointer, or something else that is there in its place: that is for the search to find out. What all of the members lead to counts. */
static void lay_union(struct maker *m, const struct type *t, uint64_t offset, const char *name)
{
	bool fits = offset < m->inputs && TD_UNIT_SLOT <= m->inputs - offset;
	size_t first = m->targets.count;
	add_leaf(m, t, offset, t->size, name);
	bool behind = *name == '*';
	for (size_t i = 0; fits && !m->unled && i < t->members_count; i++)
		if (plan_is_led(&t->members[i]))
			find_targets(m, t->members[i].type->of, plan_member_name(m->arena, name + behind, behind ? "->" : ".", &t->members[i]));
	if (m->targets.count > first && m->targets.count - first <= TARGETS_MAX)
		vec_push(&m->slots, (struct td_unit_slot){ (uint32_t)offset, (uint32_t)first, (uint16_t)(m->targets.count - first), TD_UNIT_MIXED });
}

/* A text is one leaf, of a type that has its size. */
static void lay_text(struct maker *m, const struct type *of, uint64_t offset, uint64_t size, const char *name)
{
	uint64_t left = offset < m->inputs ? m->inputs - offset : 0;
	struct type *t = arena_alloc(m->arena, sizeof *t);
	size = size < left ? size : left;
	*t = (struct type){ .kind = TYPE_ARRAY, .size = size, .name = "", .of = of, .count = size };
	add_leaf(m, t, offset, size, name);
	for (uint64_t i = 0; i < size && m->format && m->now == m->format; i++)
		hold_to(m, offset + i, 1, (struct range){ '%', '%' }, TD_UNIT_NOT);
}

static const char *element_name(struct maker *m, const char *name, uint64_t i)
{
	return arena_printf(m->arena, *name == '*' ? "(%s)[%" PRIu64 "]" : "%s[%" PRIu64 "]", name, i);
}

static void lay_elements(struct maker *m, const struct type *of, uint64_t count, uint64_t offset, const char *name)
{
	if (of->kind == TYPE_CHAR) {
		lay_text(m, of, offset, count, name);
		return;
	}
	unsigned before = m->elements;
	m->elements = count < RANGES_MAX && before * count <= RANGES_MAX ? before * (unsigned)count : RANGES_MAX + 1;
	for (uint64_t i = 0; i < count && of->size && offset + i * of->size < m->inputs; i++) {
		m->unled += i >= LED_MAX;
		lay(m, of, offset + i * of->size, element_name(m, name, i));
		m->unled -= i >= LED_MAX;
	}
	m->elements = before;
}

const char *plan_member_name(struct arena *a, const char *of, const char *dot, const struct type_member *member)
{
	const struct type *t = member->type;
	const char *name = member->name;
	for (; !*name && t->kind == TYPE_UNION && t->members_count; t = t->members[0].type) /* as one of the names for the same place */
		name = t->members[0].name;
	return arena_printf(a, "%s%s%s", of, dot, *name ? name : "?");
}

bool plan_is_led(const struct type_member *member)
{
	return member->type->kind == TYPE_POINTER && !member->offset;
}

static const uint64_t *places_of_members(struct maker *m, const struct type *t, uint64_t offset)
{
	uint64_t *at = arena_alloc(m->arena, (t->members_count + 1) * sizeof *at);
	for (size_t i = 0; i < t->members_count; i++)
		at[i] = offset + t->members[i].offset;
	return at;
}

static void lay_struct(struct maker *m, const struct type *t, uint64_t offset, const char *name, const char *dot)
{
	const uint64_t *places = places_of_members(m, t, offset);
	struct ending ending;
	add_sizes(m, t->members, t->members_count, places);
	for (size_t i = 0; i < t->members_count; i++) {
		const struct type_member *member = &t->members[i];
		const struct type *its = member->type;
		uint64_t at = offset + member->offset, tail = its->kind == TYPE_ARRAY && !its->count && offset == 0 && i + 1 == t->members_count;
		if (at >= m->inputs)
			continue;
		m->origin = (struct origin){ .kind = ORIGIN_MEMBER, .of = t, .offset = member->offset };
		if (its->kind == TYPE_STRUCT && !*member->name) {
			lay_struct(m, its, at, name, dot);
			continue;
		}
		const char *its_name = plan_member_name(m->arena, name, dot, member);
		if (member->bits)
			lay_bits(m, member, offset, its_name);
		else if (tail)
			lay_elements(m, its->of, plan_tail(&m->objects.at[m->now]), at, its_name);
		else {
			begin_with(m, t->members, t->members_count, places, i, &ending);
			lay(m, its, at, its_name);
		}
	}
}

static void lay(struct maker *m, const struct type *t, uint64_t offset, const char *name)
{
	switch (t->kind) {
	case TYPE_UNKNOWN: case TYPE_FUNCTION: break;
	case TYPE_STRUCT: lay_struct(m, t, offset, name, "."); break;
	case TYPE_ARRAY: lay_elements(m, t->of, t->count, offset, name); break;
	case TYPE_POINTER: lay_pointer(m, t, offset, name); break;
	case TYPE_UNION: lay_union(m, t, offset, name); break;
	default: add_leaf(m, t, offset, t->size, name);
	}
}

uint64_t plan_tail(const struct plan_object *o)
{
	const struct type *t = o->type;
	uint64_t one = t ? tail_of(t, 1) : 0;
	return one && !o->is.variable && o->count == 1 && o->is.size > t->size ? (o->is.size - t->size) / one : 0;
}

uint64_t plan_argument_at(const struct type *function, size_t argument)
{
	uint64_t at = 0;
	for (size_t i = 0; i < argument; i++)
		at = (at + function->members[i].type->size + TD_UNIT_ALIGN - 1) / TD_UNIT_ALIGN * TD_UNIT_ALIGN;
	return at;
}

const char *plan_argument_name(struct arena *a, const struct type *function, size_t argument)
{
	const char *name = function->members[argument].name;
	return *name ? name : arena_printf(a, "arg%zu", argument + 1);
}

/* What is behind the last parameter that has a name. */
static void note_format(struct maker *m, const struct type *f, size_t objects)
{
	const struct type *last = f->is_variadic && f->members_count ? f->members[f->members_count - 1].type : NULL;
	if (last && last->kind == TYPE_POINTER && last->of->kind == TYPE_CHAR && m->objects.count > objects)
		m->format = m->objects.count - 1;
}

static void lay_arguments(struct maker *m)
{
	const struct type *f = m->wish->function.type;
	size_t objects = 0;
	uint64_t *at = arena_alloc(m->arena, (f->members_count + 1) * sizeof *at);
	struct ending ending;
	for (size_t i = 0; i < f->members_count; i++)
		at[i] = plan_argument_at(f, i);
	for (size_t i = 0; i < f->members_count; i++) {
		begin_with(m, f->members, f->members_count, at, i, &ending);
		m->origin = (struct origin){ .kind = ORIGIN_PARAMETER, .parameter = (uint32_t)i };
		objects = m->objects.count;
		lay(m, f->members[i].type, at[i], plan_argument_name(m->arena, f, i));
	}
	note_format(m, f, objects);
	add_sizes(m, f->members, f->members_count, at);
}

static void begin_with_variable(struct maker *m, struct ending *space)
{
	const struct plan_options *o = &m->wish->options;
	struct end end;
	for (size_t i = 0; i < m->variables.count && !o->no_ends && !o->no_alias; i++)
		if (m->variables.at[i].offset == m->now && end_find(m->variables.at, m->variables.count, i, &end)) {
			*space = (struct ending){ .object = m->variables.at[end.begin].offset, .is_indirect = end.is_indirect };
			m->ending = space;
		}
}

static void lay_row(struct maker *m, const struct plan_object *o, const char *name)
{
	uint64_t ends = o->type->kind == TYPE_POINTER && !o->variable;
	lay_elements(m, o->type, o->count - ends, 0, name);
	if (ends)
		lay_end(m, o->type, (o->count - 1) * TD_UNIT_SLOT, element_name(m, name, o->count - 1));
}

static void lay_whole(struct maker *m, struct plan_object o)
{
	struct ending ending;
	if (!o.type)
		lay_arguments(m);
	else if (plan_is_row(&o))
		lay_row(m, &o, o.name + (*o.name == '*'));
	else if (o.type->kind == TYPE_STRUCT)
		lay_struct(m, o.type, 0, o.name + (*o.name == '*'), *o.name == '*' ? "->" : ".");
	else {
		begin_with_variable(m, &ending);
		lay(m, o.type, 0, o.name);
	}
}

/* One with very many pointers leaves some for those that are as near as it is. */
static size_t share_of(const struct maker *m, size_t index)
{
	size_t left = m->made_max > m->made ? m->made_max - m->made : 0, waiting = 0;
	for (size_t i = index + 1; i < m->objects.count; i++)
		waiting += m->depths.at[i] == m->depths.at[index] && !m->objects.at[i].variable;
	size_t even = left / (waiting + 1), kept = waiting * KEPT_OBJECTS;
	return m->made + (left > kept + even ? left - kept : even);
}

static void lay_object(struct maker *m, size_t index)
{
	struct plan_object *o = &m->objects.at[index];
	m->made_now = share_of(m, index);
	size_t first = m->slots.count, first_range = m->ranges.count;
	m->now = index;
	m->inputs = o->is.inputs;
	m->origin = (struct origin){ .kind = o->variable ? ORIGIN_VARIABLE : m->stub && index == m->first ? ORIGIN_RESULT : ORIGIN_NONE };
	m->elements = 1;
	vec_clear(&m->leaves);
	lay_whole(m, *o);
	o = &m->objects.at[index];
	o->is.inputs = (uint32_t)m->inputs;
	o->is.first_slot = (uint32_t)first;
	o->is.slots = (uint32_t)(m->slots.count - first);
	o->is.first_range = (uint32_t)first_range;
	o->is.ranges = (uint32_t)(m->ranges.count - first_range);
	o->leaves = arena_copy(m->arena, m->leaves.at, m->leaves.count * sizeof *m->leaves.at);
	o->leaves_count = m->leaves.count;
}

/* --- ends --- */

static void lead_within(struct maker *m, struct td_unit_slot *s, uint32_t object)
{
	static const uint64_t elements[] = { 0, 1, 2, 3, 4, 8 };
	const struct plan_object *o = &m->objects.at[object];
	uint64_t size = o->is.size;
	s->first_target = (uint32_t)m->targets.count;
	add_target(m, TD_UNIT_OBJECT, object);
	m->targets.at[s->first_target].offset = size;
	for (size_t i = 0; i < sizeof elements / sizeof *elements && elements[i] * o->type->size < size; i++) {
		add_target(m, TD_UNIT_OBJECT, object);
		m->targets.at[m->targets.count - 1].offset = elements[i] * o->type->size;
	}
	s->targets = (uint16_t)(m->targets.count - s->first_target);
}

/* Whoever has an end leads nowhere else. */
static struct td_unit_target *only_target(struct maker *m, size_t object, uint64_t offset)
{
	const struct td_unit_slot *found = slot_in(m, object, offset);
	struct td_unit_slot *s = found ? &m->slots.at[found - m->slots.at] : NULL;
	struct td_unit_target *t = s && s->targets && !s->flags ? &m->targets.at[s->first_target] : NULL;
	if (!t || t->kind != TD_UNIT_OBJECT || t->offset)
		return NULL;
	s->targets = 1;
	return t;
}

static void lead_to_ends(struct maker *m)
{
	for (size_t i = 0; i < m->endings.count; i++) {
		const struct ending *e = &m->endings.at[i];
		const struct td_unit_target *t = only_target(m, e->object, e->offset);
		if (t && e->is_indirect)
			t = only_target(m, t->index, 0);
		if (t && m->objects.at[t->index].type)
			lead_within(m, &m->slots.at[e->slot], t->index);
	}
}

/* --- all of them --- */

/* From this one on, and what they lead to, nearest first. */
static bool lay_from(struct maker *m, size_t first, size_t end, struct err *err)
{
	for (size_t i = first; i < end && i < m->objects.count; i++) {
		m->total += m->objects.at[i].is.inputs;
		if (m->total > INPUTS_MAX)
			return err_set(err, "%.200s has more than 1 MiB of inputs", m->wish->function.name);
		lay_object(m, i);
	}
	return true;
}

/* Half of the objects are for what arguments lead to, so that many variables do not leave them without. */
static bool lay_given(struct maker *m, struct err *err)
{
	size_t variables = m->objects.count;
	m->made_max = m->wish->options.objects_max / 2;
	if (!lay_from(m, 0, 1, err) || !lay_from(m, variables, SIZE_MAX, err))
		return false;
	size_t behind = m->objects.count;
	m->made_max = m->wish->options.objects_max;
	return lay_from(m, 1, variables, err) && lay_from(m, behind, SIZE_MAX, err);
}

static bool has_values(const struct type *t)
{
	return t->kind != TYPE_UNKNOWN && t->kind != TYPE_FUNCTION && (t->kind != TYPE_ARRAY || t->size);
}

static bool check_parameters(const struct plan_function *f, struct err *err)
{
	if (!f->type || f->type->kind != TYPE_FUNCTION)
		return err_set(err, "the debug information does not tell of %.200s", f->name);
	if (f->type->members_count > PARAMETERS_MAX)
		return err_set(err, "%.200s has more than %d parameters", f->name, PARAMETERS_MAX);
	for (size_t i = 0; i < f->type->members_count; i++)
		if (!has_values(f->type->members[i].type))
			return err_set(err, "the type of parameter %zu of %.200s is not known", i + 1, f->name);
	return true;
}

static void add_arguments(struct maker *m)
{
	const struct type *f = m->wish->function.type;
	size_t n = f->members_count;
	struct fresh r = { .count = 1, .size = n ? plan_argument_at(f, n - 1) + f->members[n - 1].type->size : 0 };
	add_object(m, &r, m->wish->function.name, 0);
}

static void add_variable(struct maker *m, const struct type_variable *v)
{
	const struct type *t = v->type;
	struct fresh r = { .type = t, .count = 1, .size = t->size };
	if (t->is_const || !t->size || !has_values(t))
		return;
	if (t->kind == TYPE_ARRAY) {
		r.type = t->of;
		r.count = t->count;
	}
	struct plan_object *o = add_object(m, &r, arena_strdup(m->arena, v->name), 0);
	o->is.variable = v->address;
	o->variable = v;
	if (t->kind == TYPE_POINTER)
		vec_push(&m->variables, (struct type_member){ .name = v->name, .type = t, .offset = m->objects.count - 1 });
}

static bool add_stub(struct maker *m, const struct plan_function *f, struct err *err)
{
	const struct type *result = f->type ? f->type->of : NULL;
	struct fresh r = { .type = result, .count = 1, .size = result ? result->size : 0 };
	bool returns = result && result->size && has_values(result);
	m->first = m->objects.count;
	m->stub = f;
	if (returns)
		add_object(m, &r, arena_printf(m->arena, "%s()", f->name), 0);
	m->made = 0;
	if (!lay_from(m, m->first, SIZE_MAX, err))
		return false;
	vec_push(&m->stubs, (struct td_unit_stub){ f->index, returns ? (uint32_t)m->first : 0, (uint32_t)(m->objects.count - m->first), f->ends ? TD_UNIT_NORETURN : 0 });
	return true;
}

static bool make_all(struct maker *m, struct plan *out, struct err *err)
{
	const struct plan_wish *w = m->wish;
	if (!w->is_main && !check_parameters(&w->function, err))
		return false;
	if (!w->is_main)
		add_arguments(m);
	for (size_t i = 0; i < w->variables_count && !w->is_main; i++)
		add_variable(m, w->variables[i]);
	if (!w->is_main && !lay_given(m, err))
		return false;
	out->given = (uint32_t)m->objects.count;
	m->made_max = w->options.objects_max;
	for (size_t i = 0; i < w->stubs_count; i++)
		if (!add_stub(m, &w->stubs[i], err))
			return false;
	lead_to_ends(m);
	return true;
}

static const struct plan_function *copy_functions(const struct plan_wish *w, struct arena *a)
{
	struct plan_function *f = arena_copy(a, w->functions, w->functions_count * sizeof *f);
	for (size_t i = 0; i < w->functions_count; i++)
		f[i].name = arena_strdup(a, f[i].name);
	return f;
}

#define TAKE(plan, maker, what) \
	((plan)->what = arena_copy((maker)->arena, (maker)->what.at, (maker)->what.count * sizeof *(maker)->what.at), (plan)->what##_count = (maker)->what.count)

bool plan_make(const struct plan_wish *w, struct arena *arena, struct plan *out, struct err *err)
{
	struct maker m = { .wish = w, .arena = arena };
	*out = (struct plan){ .function = w->function.index, .facts = w->facts, .type = w->function.type };
	bool ok = make_all(&m, out, err);
	if (ok) {
		TAKE(out, &m, objects);
		TAKE(out, &m, slots);
		TAKE(out, &m, targets);
		TAKE(out, &m, stubs);
		TAKE(out, &m, ranges);
		out->functions = copy_functions(w, arena);
		out->functions_count = w->functions_count;
	}
	vec_free(&m.objects);
	vec_free(&m.depths);
	vec_free(&m.slots);
	vec_free(&m.targets);
	vec_free(&m.stubs);
	vec_free(&m.ranges);
	vec_free(&m.leaves);
	vec_free(&m.endings);
	vec_free(&m.variables);
	return ok;
}

/* --- slots --- */

const struct td_unit_slot *plan_slot(const struct plan *p, size_t object, uint64_t offset)
{
	const struct td_unit_object *o = &p->objects[object].is;
	for (size_t i = o->first_slot; i < o->first_slot + o->slots; i++)
		if (p->slots[i].offset == offset)
			return &p->slots[i];
	return NULL;
}

const struct td_unit_slot *plan_union_slot(const struct plan *p, size_t object, uint64_t offset)
{
	const struct td_unit_object *o = &p->objects[object].is;
	for (size_t i = o->first_slot; i < o->first_slot + o->slots; i++) {
		const struct td_unit_slot *s = &p->slots[i];
		if (s->flags & TD_UNIT_MIXED && s->offset <= offset && offset - s->offset < TD_UNIT_SLOT)
			return s;
	}
	return NULL;
}

/* --- for the runtime --- */

/* Rows of targets are aligned if those of slots before them are even in number: one that no object has does it. */
static size_t even_slots(const struct plan *p)
{
	return p->slots_count + p->slots_count % 2;
}

static void pack_objects(const struct plan *p, struct str *out, struct str *strings)
{
	for (size_t i = 0; i < p->objects_count; i++) {
		struct td_unit_object o = p->objects[i].is;
		o.name = (uint32_t)strings->length;
		str_add_bytes(strings, p->objects[i].name, strlen(p->objects[i].name) + 1);
		str_add_bytes(out, &o, sizeof o);
	}
}

static void pack_one(const struct plan *p, bool last, struct str *out)
{
	static const char zeros[sizeof(struct td_unit_slot)];
	struct str strings = {0};
	struct td_unit head = { .function = p->function, .objects = (uint32_t)p->objects_count, .slots = (uint32_t)even_slots(p),
		.targets = (uint32_t)p->targets_count, .stubs = (uint32_t)p->stubs_count, .ranges = (uint32_t)p->ranges_count, .given = p->given, .facts = p->facts };
	size_t start = out->length;
	str_add_bytes(out, &head, sizeof head);
	pack_objects(p, out, &strings);
	str_add_bytes(out, p->slots, p->slots_count * sizeof *p->slots);
	str_add_bytes(out, zeros, (even_slots(p) - p->slots_count) * sizeof *p->slots);
	str_add_bytes(out, p->targets, p->targets_count * sizeof *p->targets);
	str_add_bytes(out, p->stubs, p->stubs_count * sizeof *p->stubs);
	str_add_bytes(out, p->ranges, p->ranges_count * sizeof *p->ranges);
	str_add_bytes(out, strings.text, strings.length);
	str_add_bytes(out, zeros, -(out->length - start) % 8);
	head.strings = (uint32_t)strings.length;
	head.size = (uint32_t)(out->length - start);
	head.watched = last ? 0 : head.size;
	memcpy(out->text + start, &head, sizeof head);
	str_free(&strings);
}

void plan_pack(const struct plan *p, const struct plan *const *watched, size_t watched_count, struct str *out)
{
	pack_one(p, !watched_count, out);
	for (size_t i = 0; i < watched_count; i++)
		pack_one(watched[i], i + 1 == watched_count, out);
}

uint8_t *plan_first(const struct plan *p, size_t object, struct arena *arena, size_t *size)
{
	const struct td_unit_object *o = &p->objects[object].is;
	uint8_t *bytes = arena_alloc(arena, o->inputs);
	for (size_t i = o->first_slot; i < o->first_slot + o->slots; i++)
		bytes[p->slots[i].offset] = p->slots[i].targets > 0 && !(p->slots[i].flags & TD_UNIT_LAST);
	for (size_t i = o->first_range; i < o->first_range + o->ranges; i++) {
		const struct td_unit_range *r = &p->ranges[i];
		int64_t value = r->lo > 0 ? r->lo : r->hi < 0 ? r->hi : 0;
		if (value)
			memcpy(bytes + r->offset, &value, r->bytes); /* the lowest bytes of it */
	}
	*size = o->inputs;
	return bytes;
}
