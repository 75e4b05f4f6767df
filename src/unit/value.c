/* What the marks of a plan mean, in terms of C. Printed along the types, not leaf by leaf, so that arrays and texts stay together. An object is
 * told of where the first pointer that leads to it is, under the name that this pointer gives it, which need not be the one in the plan; whoever leads there too is
 * said to be equal to that pointer. What is 0 inside of something larger is left out, but for pointers that could lead somewhere; or, where that is known, what does not matter. */
#include "unit/plan.h"

#include "base/vec.h"

#include <inttypes.h>
#include <string.h>

#define ELEMENTS_MAX 16
#define TEXT_MAX 64

struct printer {
	const struct plan *plan;
	struct plan_value *values; /* of each object */
	struct str *out;
	struct arena *names;
	const char **places;   /* of each object: the pointer that leads there; NULL: none so far */
	VEC(size_t) open;      /* objects that have a place and are still to be told of */
	size_t next;           /* of these */
	bool any;              /* something has been told in these parentheses */
	bool left_out;         /* something has not, since it does not matter */
};

/* A part of an object. */
struct part {
	size_t object;
	uint64_t offset;
	const struct type *type;
	uint32_t bit, bits;    /* of a bit-field */
};

static void show(struct printer *p, struct part x, const char *name, bool inner);

/* --- bytes --- */

static const struct plan_object *object_of(const struct printer *p, struct part x)
{
	return &p->plan->objects[x.object];
}

static uint8_t mark_byte(const struct printer *p, size_t object, uint64_t offset)
{
	bool given = offset < p->values[object].size && offset < p->plan->objects[object].is.inputs;
	return given ? p->values[object].bytes[offset] : 0;
}

static const struct td_unit_target *target_of(const struct printer *p, size_t object, const struct td_unit_slot *s);

/* As the program finds it, if it is no pointer. */
static uint8_t byte_at(const struct printer *p, size_t object, uint64_t offset)
{
	const struct td_unit_slot *s = plan_union_slot(p->plan, object, offset);
	if (!s)
		return mark_byte(p, object, offset);
	bool is_last = offset - s->offset == TD_UNIT_SLOT - 1;
	return target_of(p, object, s) ? 0 : mark_byte(p, object, is_last ? s->offset : offset + 1);
}

/* A variable that nothing is said of has what it has. */
static bool is_said(const struct printer *p, struct part x)
{
	bool given = x.offset < p->values[x.object].size;
	return x.offset < object_of(p, x)->is.inputs && (given || !object_of(p, x)->is.variable);
}

static bool is_read(struct printer *p, size_t object, uint64_t offset, uint64_t size)
{
	const uint8_t *read = p->values[object].read;
	for (uint64_t i = offset; read && i < offset + size && i < p->values[object].size; i++)
		if (read[i])
			return true;
	p->left_out |= read && p->values[object].size > offset;
	return !read;
}

/* Where a pointer leads; NULL: it is null. */
static const struct td_unit_target *target_of(const struct printer *p, size_t object, const struct td_unit_slot *s)
{
	uint8_t k = mark_byte(p, object, s->offset);
	return k && k <= s->targets ? &p->plan->targets[s->first_target + k - 1] : NULL;
}

static uint64_t bits_of(const struct printer *p, struct part x)
{
	uint32_t bits = x.bits ? x.bits : x.type->size < 8 ? (uint32_t)x.type->size * 8 : 64;
	uint64_t value = 0;
	for (uint32_t i = 0; i < bits; i++)
		value |= (uint64_t)(byte_at(p, x.object, x.offset + (x.bit + i) / 8) >> (x.bit + i) % 8 & 1) << i;
	if (x.type->is_signed && bits < 64 && value >> (bits - 1) & 1)
		value |= ~(uint64_t)0 << bits;
	return value;
}

static bool is_zero_bytes(const struct printer *p, size_t object, uint64_t offset, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		if (byte_at(p, object, offset + i))
			return false;
	return true;
}

static bool is_zero_leaf(const struct printer *p, size_t object, const struct plan_leaf *l)
{
	if (l->type->kind == TYPE_POINTER) {
		const struct td_unit_slot *s = plan_slot(p->plan, object, l->offset);
		return !s || !target_of(p, object, s);
	}
	const struct td_unit_slot *mixed = plan_union_slot(p->plan, object, l->offset);
	if (mixed && target_of(p, object, mixed))
		return false;
	if (l->bits)
		return !bits_of(p, (struct part){ object, l->offset, l->type, l->bit, l->bits });
	return is_zero_bytes(p, object, l->offset, l->size);
}

/* All leaves that begin in the stretch. They are in order, but for what members of a union might do. */
static bool is_zero(const struct printer *p, size_t object, uint64_t offset, uint64_t size)
{
	const struct plan_object *o = &p->plan->objects[object];
	for (size_t i = 0; i < o->leaves_count; i++)
		if (o->leaves[i].offset >= offset && o->leaves[i].offset - offset < size && !is_zero_leaf(p, object, &o->leaves[i]))
			return false;
	return true;
}

/* --- single values --- */

static void begin(struct printer *p, const char *name)
{
	str_printf(p->out, "%s%s = ", p->any ? ", " : "", name);
	p->any = true;
}

static void show_character(struct str *out, uint8_t c, char quote)
{
	static const char plain[] = "\n\t\r\b\f\v\a", escaped[] = "ntrbfva";
	const char *at = c ? strchr(plain, c) : NULL;
	if (at)
		str_printf(out, "\\%c", escaped[at - plain]);
	else if (c == quote || c == '\\')
		str_printf(out, "\\%c", c);
	else if (c >= ' ' && c <= '~')
		str_add_char(out, (char)c);
	else
		str_printf(out, "\\%03o", c);
}

static void show_enum(struct printer *p, const struct type *t, uint64_t value)
{
	for (size_t i = 0; i < t->constants_count; i++)
		if ((uint64_t)t->constants[i].value == value) {
			str_add(p->out, t->constants[i].name);
			return;
		}
	str_printf(p->out, t->is_signed ? "%" PRId64 : "%" PRIu64, value);
}

static double float_at(const struct printer *p, struct part x, uint64_t size)
{
	union { uint8_t bytes[16]; float f; double d; long double l; } u = {0};
	for (uint64_t i = 0; i < size && i < sizeof u.bytes; i++)
		u.bytes[i] = byte_at(p, x.object, x.offset + i);
	return size == sizeof u.f ? (double)u.f : size == sizeof u.d ? u.d : size == sizeof u.l ? (double)u.l : 0;
}

static void show_float(struct printer *p, struct part x)
{
	uint64_t size = x.type->size / (x.type->is_complex ? 2 : 1);
	str_printf(p->out, "%g", float_at(p, x, size));
	x.offset += size;
	if (x.type->is_complex)
		str_printf(p->out, " + %gi", float_at(p, x, size));
}

/* More than a number of the machine has. */
static void show_wide(struct printer *p, struct part x)
{
	str_add(p->out, "0x");
	for (uint64_t i = x.type->size; i > 0; i--)
		str_printf(p->out, "%02x", byte_at(p, x.object, x.offset + i - 1));
}

static void show_char(struct printer *p, uint64_t value)
{
	str_add_char(p->out, '\'');
	show_character(p->out, (uint8_t)value, '\'');
	str_add_char(p->out, '\'');
}

/* Without its name. Numbers, and nothing that leads anywhere. */
static void show_number(struct printer *p, struct part x)
{
	uint64_t value = bits_of(p, x);
	if (x.type->kind == TYPE_FLOAT)
		show_float(p, x);
	else if (x.type->size > 8)
		show_wide(p, x);
	else if (x.type->kind == TYPE_ENUM)
		show_enum(p, x.type, value);
	else if (x.type->kind == TYPE_CHAR && value >= ' ' && value <= '~')
		show_char(p, value);
	else
		str_printf(p->out, x.type->is_signed ? "%" PRId64 : "%" PRIu64, value);
}

/* --- several --- */

static void show_text(struct printer *p, struct part x, uint64_t size)
{
	uint64_t n = 0;
	while (n < size && byte_at(p, x.object, x.offset + n))
		n++;
	str_add_char(p->out, '"');
	for (uint64_t i = 0; i < n && i < TEXT_MAX; i++)
		show_character(p->out, byte_at(p, x.object, x.offset + i), '"');
	str_add(p->out, n > TEXT_MAX ? "\"..." : "\"");
}

/* Zeros at the end are left out. */
static void show_list(struct printer *p, struct part x, uint64_t count)
{
	uint64_t size = x.type->size, last = 0;
	for (uint64_t i = 0; i < count && x.offset + i * size < object_of(p, x)->is.inputs; i++)
		if (!is_zero_bytes(p, x.object, x.offset + i * size, size))
			last = i + 1;
	str_add(p->out, last ? "{" : "{0");
	for (uint64_t i = 0; i < last && i < ELEMENTS_MAX; i++) {
		str_add(p->out, i ? ", " : "");
		show_number(p, (struct part){ x.object, x.offset + i * size, x.type, 0, 0 });
	}
	str_add(p->out, last > ELEMENTS_MAX ? ", ...}" : "}");
}

static bool is_number(const struct type *t)
{
	switch (t->kind) {
	case TYPE_SIGNED: case TYPE_UNSIGNED: case TYPE_CHAR: case TYPE_BOOL: case TYPE_ENUM: case TYPE_FLOAT: return true;
	default: return false;
	}
}

/* Where it is known what matters, a 0 that does is told. */
static bool is_left_out(const struct printer *p, size_t object, bool inner)
{
	return inner && !p->values[object].read;
}

static bool show_nothing(struct printer *p, const struct part *x, uint64_t size, const char *name, bool inner)
{
	if (p->values[x->object].read || !is_zero(p, x->object, x->offset, size))
		return false;
	if (!inner) {
		begin(p, name);
		str_add(p->out, "{0}");
	}
	return true;
}

/* x.type: of an element. */
static void show_elements(struct printer *p, struct part x, uint64_t count, const char *name, bool inner)
{
	uint64_t size = x.type->size;
	if (!is_read(p, x.object, x.offset, count * size))
		return;
	if (is_number(x.type)) {
		if (is_left_out(p, x.object, inner) && is_zero_bytes(p, x.object, x.offset, count * size))
			return;
		begin(p, name);
		if (x.type->kind == TYPE_CHAR)
			show_text(p, x, count);
		else
			show_list(p, x, count);
		return;
	}
	if (show_nothing(p, &x, count * size, name, inner))
		return;
	for (uint64_t i = 0; i < count && i < ELEMENTS_MAX; i++)
		show(p, (struct part){ x.object, x.offset + i * size, x.type, 0, 0 }, arena_printf(p->names, *name == '*' ? "(%s)[%" PRIu64 "]" : "%s[%" PRIu64 "]", name, i), true);
}

/* Elements of the last member, if it has none itself but its object has; 0: it is an ordinary one. */
static uint64_t tail_here(const struct printer *p, struct part whole, const struct type_member *m)
{
	bool is_last = m == &whole.type->members[whole.type->members_count - 1];
	bool flexible = is_last && m->type->kind == TYPE_ARRAY && !m->type->count && !whole.offset;
	return flexible ? plan_tail(object_of(p, whole)) : 0;
}

static void show_members(struct printer *p, struct part x, const char *name, const char *dot)
{
	for (size_t i = 0; i < x.type->members_count; i++) {
		const struct type_member *m = &x.type->members[i];
		struct part its = { x.object, x.offset + m->offset, m->type, m->bit, m->bits };
		uint64_t tail = tail_here(p, x, m);
		if (m->type->kind == TYPE_STRUCT && !*m->name) {
			show_members(p, its, name, dot);
			continue;
		}
		const char *its_name = plan_member_name(p->names, name, dot, m);
		if (tail)
			show_elements(p, (struct part){ x.object, its.offset, m->type->of, 0, 0 }, tail, its_name, true);
		else
			show(p, its, its_name, true);
	}
}

static void show_pointer(struct printer *p, struct part x, const char *name, bool inner);

/* As the first of its members that is one. */
static bool show_led(struct printer *p, struct part x, const char *name, bool inner)
{
	const struct td_unit_slot *s = plan_union_slot(p->plan, x.object, x.offset);
	if (!s || s->offset != x.offset || !target_of(p, x.object, s))
		return false;
	for (size_t i = 0; i < x.type->members_count; i++)
		if (plan_is_led(&x.type->members[i])) {
			show_pointer(p, x, plan_member_name(p->names, name + (*name == '*'), *name == '*' ? "->" : ".", &x.type->members[i]), inner);
			return true;
		}
	return false;
}

static void show_union(struct printer *p, struct part x, const char *name, bool inner)
{
	if (show_led(p, x, name, inner))
		return;
	static const struct type byte = { .kind = TYPE_UNSIGNED, .size = 1, .name = "" };
	uint64_t size = x.type->size, last = 0;
	for (uint64_t i = 0; i < size; i++)
		if (byte_at(p, x.object, x.offset + i))
			last = i + 1;
	if (is_left_out(p, x.object, inner) && !last)
		return;
	begin(p, name);
	str_add(p->out, last ? "{" : "{0");
	for (uint64_t i = 0; i < last && i < ELEMENTS_MAX; i++) {
		str_add(p->out, i ? ", " : "");
		show_number(p, (struct part){ x.object, x.offset + i, &byte, 0, 0 });
	}
	str_add(p->out, last > ELEMENTS_MAX ? ", ...}" : "}");
}

/* --- pointers --- */

static const char *function_name(const struct plan *plan, uint32_t index)
{
	for (size_t i = 0; i < plan->functions_count; i++)
		if (plan->functions[i].index == index)
			return plan->functions[i].name;
	return "?";
}

static bool is_list(const struct plan_object *o)
{
	return plan_is_row(o) && is_number(o->type);
}

/* The first pointer there: what is short follows it, the rest is for later. */
static void enter(struct printer *p, size_t object, const char *name)
{
	const struct plan_object *o = &p->plan->objects[object];
	p->places[object] = name;
	if (is_list(o) && is_read(p, object, 0, o->is.inputs))
		show_elements(p, (struct part){ object, 0, o->type, 0, 0 }, o->count, name, false);
	else
		vec_push(&p->open, object);
}

static void show_address(struct printer *p, const struct td_unit_target *t)
{
	const struct plan_object *o = &p->plan->objects[t->index];
	str_printf(p->out, "%s%s", o->is.variable && !plan_is_row(o) ? "&" : "", p->places[t->index]);
	if (t->offset)
		str_printf(p->out, " + %" PRIu64, t->offset / o->type->size);
}

static void show_pointer(struct printer *p, struct part x, const char *name, bool inner)
{
	const struct td_unit_slot *s = plan_slot(p->plan, x.object, x.offset);
	const struct td_unit_target *t = s ? target_of(p, x.object, s) : NULL;
	if (!s || (object_of(p, x)->is.variable && mark_byte(p, x.object, x.offset) == TD_UNIT_KEPT))
		return;
	if (t && t->kind == TD_UNIT_OBJECT && !p->places[t->index]) {
		const char *own = p->plan->objects[t->index].name;
		enter(p, t->index, t->offset ? own + (*own == '*') : name);
		if (!t->offset)
			return;
	}
	if (!t && inner && !s->targets)
		return;
	begin(p, name);
	if (!t)
		str_add(p->out, "NULL");
	else if (t->kind == TD_UNIT_FUNCTION)
		str_add(p->out, function_name(p->plan, t->index));
	else if (t->kind == TD_UNIT_STREAM)
		str_add(p->out, (const char *const[]){ "stdin", "stdout", "stderr" }[t->index % 3]);
	else if (t->kind == TD_UNIT_OPAQUE)
		str_add(p->out, "(not null)");
	else
		show_address(p, t);
}

/* --- all of it --- */

/* inner: of something larger, which leaves out what is 0. */
static void show(struct printer *p, struct part x, const char *name, bool inner)
{
	if (!is_said(p, x) || !is_read(p, x.object, x.offset, x.bits ? (x.bit + x.bits + 7) / 8 : x.type->size))
		return;
	switch (x.type->kind) {
	case TYPE_UNKNOWN: case TYPE_FUNCTION:
		return;
	case TYPE_STRUCT:
		if (!show_nothing(p, &x, x.type->size, name, inner))
			show_members(p, x, name, ".");
		return;
	case TYPE_UNION:
		show_union(p, x, name, inner);
		return;
	case TYPE_ARRAY:
		show_elements(p, (struct part){ x.object, x.offset, x.type->of, 0, 0 }, x.type->count, name, inner);
		return;
	case TYPE_POINTER:
		show_pointer(p, x, name, inner);
		return;
	default:
		if (is_left_out(p, x.object, inner) && (x.bits ? !bits_of(p, x) : is_zero_bytes(p, x.object, x.offset, x.type->size)))
			return;
		begin(p, name);
		show_number(p, x);
	}
}

/* An object as the pointer of that name has it. */
static void show_behind(struct printer *p, size_t object, const char *pointer)
{
	const struct plan_object *o = &p->plan->objects[object];
	struct part x = { object, 0, o->type, 0, 0 };
	if (plan_is_row(o))
		show_elements(p, x, o->count, pointer, false);
	else if (o->type->kind != TYPE_STRUCT)
		show(p, x, arena_printf(p->names, "*%s", pointer), false);
	else if (!show_nothing(p, &x, o->is.size, pointer, false))
		show_members(p, x, pointer, "->");
}

/* It leads somewhere, and what is there does not matter. */
static void show_open(struct printer *p)
{
	for (; p->next < p->open.count; p->next++) {
		size_t object = p->open.at[p->next];
		uint64_t before = p->out->length;
		show_behind(p, object, p->places[object]);
		if (p->out->length == before && p->values[object].read) {
			begin(p, p->places[object]);
			str_add(p->out, "{...}");
		}
	}
}

static void show_arguments(struct printer *p)
{
	const struct type *f = p->plan->type;
	for (size_t i = 0; i < f->members_count; i++)
		show(p, (struct part){ 0, plan_argument_at(f, i), f->members[i].type, 0, 0 }, plan_argument_name(p->names, f, i), false);
	show_open(p);
}

static void show_variable(struct printer *p, size_t object)
{
	const struct plan_object *o = &p->plan->objects[object];
	struct part x = { object, 0, o->type, 0, 0 };
	if (!is_said(p, x))
		return;
	if (plan_is_row(o))
		show_elements(p, x, o->count, o->name, false);
	else
		show(p, x, o->name, false);
	show_open(p);
}

/* One call of a stub; how many marks it takes. */
static size_t show_result(struct printer *p, const struct plan_value *marks, size_t count)
{
	const struct plan *plan = p->plan;
	for (size_t i = 0; i < plan->stubs_count; i++) {
		const struct td_unit_stub *s = &plan->stubs[i];
		if (!s->objects || !marks->name || strcmp(plan->objects[s->first_object].name, marks->name) != 0)
			continue;
		for (size_t k = 0; k < s->objects; k++) {
			p->values[s->first_object + k] = k < count ? marks[k] : (struct plan_value){0};
			p->places[s->first_object + k] = NULL;
		}
		show_variable(p, s->first_object);
		return s->objects;
	}
	return 1;
}

void plan_print(const struct plan *plan, const char *function, const struct plan_value *marks, size_t count, struct str *out)
{
	struct printer p = { .plan = plan, .out = out, .names = arena_new() };
	p.places = arena_alloc(p.names, (plan->objects_count + 1) * sizeof *p.places);
	p.values = arena_alloc(p.names, (plan->objects_count + 1) * sizeof *p.values);
	for (size_t i = 0; i < plan->given; i++) {
		p.places[i] = plan->objects[i].is.variable ? plan->objects[i].name : NULL;
		p.values[i] = i < count ? marks[i] : (struct plan_value){0};
	}
	str_printf(out, "%s(", function);
	show_arguments(&p);
	if (p.left_out)
		str_add(out, p.any ? ", ..." : "...");
	str_add_char(out, ')');
	p.any = true;
	for (size_t i = 0; i < plan->given; i++)
		if (plan->objects[i].is.variable)
			show_variable(&p, i);
	for (size_t i = plan->given; i < count;)
		i += show_result(&p, &marks[i], count - i);
	vec_free(&p.open);
	arena_free(p.names);
}
