/* An object is made where the first pointer that leads to it is, and goes by that pointer's name from then on: so the types of objects need no names, and those of
 * members need none either. As nothing is stored twice, the pointer stays.
 *
 * Where the source does not know a type (it has only pointers to it, or the pointer is in such an object), bytes are stored at their offsets. That is also how values are stored that C cannot
 * write down, such as a NaN. What is told of is the difference to what is there before: zeros, or what a variable has from the start. */
#include "unit/ccode.h"

#include "base/vec.h"
#include "trace/declare.h"
#include "unit/literal.h"

#include <inttypes.h>
#include <string.h>

#define SINGLE_MAX 4   /* elements of an array that are set one by one */
#define LINE 16        /* of them on a line */

struct thing {
	const char *place;   /* its address; NULL: nobody leads there so far */
	const char *name;    /* of a variable that has a place */
	bool is_bytes;       /* its type is not known there */
	bool is_const;       /* by that pointer */
	bool known, clear;   /* its start is, and is all zeros for certain */
	uint8_t *start;
};

struct coder {
	const struct ccode *c;
	struct str *out;
	struct arena *arena;
	struct thing *things;  /* by object, from the first on */
	VEC(size_t) open;      /* objects that have a place and are still to be filled */
	size_t next;           /* of these */
	unsigned own;          /* pointers that were declared for objects */
};

/* A part of an object. */
struct part {
	size_t object;
	uint64_t offset;
	const struct type *type;
	uint32_t bit, bits;    /* of a bit-field */
	bool is_const;
	bool is_untyped;       /* a pointer to void in the source, whatever its type */
	const char *name;      /* by which it can be set; NULL: by its bytes alone */
	const char *declared;  /* "int x": it is to be declared with its value; NULL: it is there */
	const char *base;      /* an address: that of the offset `from` */
	uint64_t from;
};

static void walk(struct coder *k, struct part x);

/* --- bytes --- */

static const struct plan_object *object_of(const struct coder *k, size_t object)
{
	return &k->c->plan->objects[object];
}

static struct thing *thing_of(const struct coder *k, size_t object)
{
	return &k->things[object - k->c->first];
}

static const struct plan_value *value_of(const struct coder *k, size_t object)
{
	return &k->c->values[object - k->c->first];
}

static bool leads(const struct coder *k, size_t object, const struct td_unit_slot *s);

/* What the mark does not have is 0, and stays as it is in a variable. What is in a union and no pointer lies behind the byte that says so, and there (contract/unit.h). */
static uint8_t byte_at(const struct coder *k, size_t object, uint64_t offset)
{
	const struct plan_value *v = value_of(k, object);
	const struct td_unit_slot *mixed = offset < v->size ? plan_union_slot(k->c->plan, object, offset) : NULL;
	if (mixed && leads(k, object, mixed))
		return 0;
	if (mixed)
		offset = offset - mixed->offset == TD_UNIT_SLOT - 1 ? mixed->offset : offset + 1;
	const struct thing *t = thing_of(k, object);
	if (offset < v->size && offset < object_of(k, object)->is.inputs)
		return v->bytes[offset];
	return object_of(k, object)->variable && t->known ? t->start[offset] : 0;
}

static bool is_said(const struct coder *k, size_t object, uint64_t offset)
{
	const struct plan_object *o = object_of(k, object);
	return offset < o->is.inputs && (!o->variable || offset < value_of(k, object)->size);
}

static bool differs(const struct coder *k, size_t object, uint64_t offset, uint64_t size)
{
	const struct thing *t = thing_of(k, object);
	for (uint64_t i = offset; i < offset + size && is_said(k, object, i); i++)
		if (!t->known || byte_at(k, object, i) != (t->start ? t->start[i] : 0))
			return true;
	return false;
}

/* Those of the mark in its bits alone. */
static uint64_t bits_mask(struct part x, uint64_t byte)
{
	uint64_t mask = 0;
	for (uint32_t i = 0; i < x.bits; i++)
		if ((x.bit + i) / 8 == byte)
			mask |= 1u << (x.bit + i) % 8;
	return mask;
}

static void bytes_of(const struct coder *k, struct part x, uint8_t *out)
{
	uint64_t value = 0;
	memset(out, 0, 16);
	if (!x.bits) {
		for (uint64_t i = 0; i < x.type->size && i < 16; i++)
			out[i] = byte_at(k, x.object, x.offset + i);
		return;
	}
	for (uint32_t i = 0; i < x.bits; i++)
		value |= (uint64_t)(byte_at(k, x.object, x.offset + (x.bit + i) / 8) >> (x.bit + i) % 8 & 1) << i;
	if (x.type->is_signed && x.bits < 64 && value >> (x.bits - 1) & 1)
		value |= ~(uint64_t)0 << x.bits;
	memcpy(out, &value, sizeof value);
}

/* --- statements --- */

static const char *address_of(const struct coder *k, struct part x, uint64_t offset)
{
	return offset == x.from ? arena_printf(k->arena, "(char *)%s", x.base) : arena_printf(k->arena, "(char *)%s + %" PRIu64, x.base, offset - x.from);
}

/* As a reader would call what is there. */
static const char *told(const struct coder *k, struct part x)
{
	const struct plan_object *o = object_of(k, x.object);
	uint64_t offset = x.offset + x.bit / 8;
	for (size_t i = 0; i < o->leaves_count; i++) {
		const struct plan_leaf *l = &o->leaves[i];
		if (offset >= l->offset && offset - l->offset < l->size && (!x.bits || (l->offset == offset && l->bit == x.bit % 8)))
			return l->name;
	}
	return o->name;
}

static void say(const struct coder *k, const char *text)
{
	str_printf(k->out, "%s%s\n", k->c->indent, text);
}

/* Its value is an expression of a type that can be assigned to it. */
static void set(const struct coder *k, struct part x, const char *value, const char *type, uint64_t size)
{
	if (x.declared)
		say(k, arena_printf(k->arena, "%s = %s;", x.declared, value));
	else if (x.name && !x.is_const)
		say(k, arena_printf(k->arena, "%s = %s;", x.name, value));
	else if (x.name && !x.bits)
		say(k, arena_printf(k->arena, "*(%s%s)&%s = %s;", type, type[strlen(type) - 1] == '*' ? "*" : " *", x.name, value));
	else
		say(k, arena_printf(k->arena, "__builtin_memcpy(%s, &(%s){ %s }, %" PRIu64 "); /* %s */", address_of(k, x, x.offset), type, value, size, told(k, x)));
}

static void set_bytes(const struct coder *k, struct part x, uint64_t size)
{
	struct str text = {0};
	uint8_t *bytes = arena_alloc(k->arena, size + 1);
	for (uint64_t i = 0; i < size; i++)
		bytes[i] = byte_at(k, x.object, x.offset + i);
	literal_text(bytes, size, k->c->indent, &text);
	say(k, arena_printf(k->arena, "__builtin_memcpy(%s, %s, %" PRIu64 "); /* %s */", address_of(k, x, x.offset), str_text(&text), size, told(k, x)));
	str_free(&text);
}

static void set_bits(const struct coder *k, struct part x)
{
	for (uint64_t i = 0; i < (x.bit + x.bits + 7) / 8; i++) {
		uint64_t mask = bits_mask(x, i);
		if (!mask)
			continue;
		const char *at = arena_printf(k->arena, "*((unsigned char *)%s + %" PRIu64 ")", x.base, x.offset + i - x.from);
		say(k, arena_printf(k->arena, "%s = (unsigned char)((%s & 0x%02x) | 0x%02x); /* %s */", at, at, (unsigned)(~mask & 0xff),
		                    (unsigned)(byte_at(k, x.object, x.offset + i) & mask), told(k, x)));
	}
}

/* --- numbers --- */

static const char *number_of(const struct coder *k, struct part x)
{
	uint8_t bytes[16];
	bytes_of(k, x, bytes);
	return literal_number(x.type, bytes, x.name && !x.is_untyped, k->arena);
}

static bool bits_differ(const struct coder *k, struct part x)
{
	const struct thing *t = thing_of(k, x.object);
	for (uint64_t i = 0; i < (x.bit + x.bits + 7) / 8; i++)
		if (is_said(k, x.object, x.offset + i) && (!t->known || (byte_at(k, x.object, x.offset + i) ^ (t->start ? t->start[x.offset + i] : 0)) & bits_mask(x, i)))
			return true;
	return false;
}

static void set_number(const struct coder *k, struct part x)
{
	if (!x.declared && !(x.bits ? bits_differ(k, x) : differs(k, x.object, x.offset, x.type->size)))
		return;
	const char *number = number_of(k, x), *plain = declare_plain(x.type);
	if (x.bits && (!x.name || x.is_const || !number)) {
		set_bits(k, x);
	} else if (number && plain) {
		set(k, x, number, plain, x.type->size);
	} else {
		if (x.declared)
			say(k, arena_printf(k->arena, "%s;", x.declared));
		set_bytes(k, x, x.type->size);
	}
}

/* --- several --- */

static bool is_number(const struct type *t)
{
	switch (t->kind) {
	case TYPE_SIGNED: case TYPE_UNSIGNED: case TYPE_CHAR: case TYPE_BOOL: case TYPE_ENUM: case TYPE_FLOAT: return true;
	default: return false;
	}
}

static struct part element_of(const struct coder *k, struct part x, uint64_t i)
{
	struct part e = x;
	e.offset += i * x.type->size;
	e.name = x.name ? arena_printf(k->arena, "%s[%" PRIu64 "]", x.name, i) : NULL;
	return e;
}

static const char *row_address(const struct coder *k, struct part x)
{
	return x.name && !x.is_const ? x.name : x.name ? arena_printf(k->arena, "(char *)%s", x.name) : address_of(k, x, x.offset);
}

static void set_text(const struct coder *k, struct part x, uint64_t size)
{
	struct str text = {0};
	uint8_t *bytes = arena_alloc(k->arena, size + 1);
	for (uint64_t i = 0; i < size; i++)
		bytes[i] = byte_at(k, x.object, x.offset + i);
	literal_text(bytes, size, k->c->indent, &text);
	const char *note = x.name ? "" : arena_printf(k->arena, " /* %s */", told(k, x));
	say(k, arena_printf(k->arena, "__builtin_memcpy(%s, %s, %" PRIu64 ");%s", row_address(k, x), str_text(&text), size, note));
	str_free(&text);
}

/* All at once, up to the last that is not as it was. */
static void set_list(const struct coder *k, struct part x, uint64_t count)
{
	struct str text = {0};
	for (uint64_t i = 0; i < count; i++) {
		if (i)
			str_add(&text, i % LINE ? ", " : arena_printf(k->arena, ",\n%s\t", k->c->indent));
		str_add(&text, number_of(k, element_of(k, x, i)));
	}
	const char *type = declare_plain(x.type);
	say(k, arena_printf(k->arena, "__builtin_memcpy(%s, (%s[]){ %s }, %" PRIu64 " * sizeof(%s));", row_address(k, x), type, str_text(&text), count, type));
	str_free(&text);
}

static bool is_writable(const struct coder *k, struct part x, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (!number_of(k, element_of(k, x, i)))
			return false;
	return declare_plain(x.type) != NULL;
}

static void set_numbers(const struct coder *k, struct part x, uint64_t count)
{
	uint64_t size = x.type->size, last = 0, changed = 0;
	for (uint64_t i = 0; i < count; i++)
		if (differs(k, x.object, x.offset + i * size, size)) {
			last = i + 1;
			changed++;
		}
	if (last && x.type->kind == TYPE_CHAR)
		set_text(k, x, last);
	else if (changed > SINGLE_MAX && is_writable(k, x, last))
		set_list(k, x, last);
	else
		for (uint64_t i = 0; i < last; i++)
			set_number(k, element_of(k, x, i));
}

/* x.type: of an element. */
static void set_elements(struct coder *k, struct part x, uint64_t count)
{
	const struct plan_object *o = object_of(k, x.object);
	uint64_t size = x.type->size, fit = size && x.offset < o->is.inputs ? (o->is.inputs - x.offset) / size : 0;
	count = count < fit ? count : fit;
	x.is_const |= x.type->is_const;
	if (is_number(x.type)) {
		set_numbers(k, x, count);
		return;
	}
	for (uint64_t i = 0; i < count; i++)
		walk(k, element_of(k, x, i));
}

static struct part member_of(const struct coder *k, struct part x, const struct type_member *m, const char *dot)
{
	struct part its = x;
	its.offset += m->offset;
	its.type = m->type;
	its.bit = m->bit;
	its.bits = m->bits;
	its.is_const |= m->type->is_const;
	if (*m->name)
		its.name = x.name ? arena_printf(k->arena, "%s%s%s", x.name, dot, m->name) : NULL;
	return its;
}

static void set_members(struct coder *k, struct part x, const char *dot);

/* The first member that has all of it, if that is nothing but numbers. */
static const struct type_member *best_member(const struct coder *k, struct part x)
{
	for (size_t i = 0; i < x.type->members_count && x.name; i++) {
		const struct type_member *m = &x.type->members[i];
		const struct type *t = m->type->kind == TYPE_ARRAY ? m->type->of : m->type;
		bool writable = *m->name && is_number(t) && !m->bits && t->size && is_writable(k, (struct part){ .object = x.object, .offset = x.offset, .type = t }, m->type->size / t->size);
		if (writable && !differs(k, x.object, x.offset + m->type->size, x.type->size - m->type->size))
			return m;
	}
	return NULL;
}

/* By the first of its members that is a pointer. */
static bool set_led(struct coder *k, struct part x, const char *dot)
{
	const struct td_unit_slot *s = plan_union_slot(k->c->plan, x.object, x.offset);
	for (size_t i = 0; s && s->offset == x.offset && leads(k, x.object, s) && i < x.type->members_count; i++)
		if (plan_is_led(&x.type->members[i])) {
			walk(k, member_of(k, x, &x.type->members[i], dot));
			return true;
		}
	return false;
}

static void set_union(struct coder *k, struct part x, const char *dot)
{
	if (set_led(k, x, dot))
		return;
	if (!differs(k, x.object, x.offset, x.type->size))
		return;
	const struct type_member *m = best_member(k, x);
	if (m)
		walk(k, member_of(k, x, m, dot));
	else
		set_bytes(k, x, x.type->size);
}

static void set_whole(struct coder *k, struct part x, const char *dot)
{
	if (x.type->kind == TYPE_UNION)
		set_union(k, x, dot);
	else
		set_members(k, x, dot);
}

static void set_members(struct coder *k, struct part x, const char *dot)
{
	const struct plan_object *o = object_of(k, x.object);
	for (size_t i = 0; i < x.type->members_count; i++) {
		const struct type_member *m = &x.type->members[i];
		struct part its = member_of(k, x, m, dot);
		bool is_tail = m->type->kind == TYPE_ARRAY && !m->type->count && !x.offset && i + 1 == x.type->members_count;
		bool is_whole = m->type->kind == TYPE_STRUCT || m->type->kind == TYPE_UNION;
		if (is_tail) {
			its.type = m->type->of;
			set_elements(k, its, plan_tail(o));
		} else if (!*m->name && is_whole) {
			set_whole(k, its, dot);
		} else if (*m->name) {
			walk(k, its);
		}
	}
}

/* --- pointers --- */

/* As the runtime does it (set_pointer). */
static uint8_t choice_of(const struct coder *k, size_t object, const struct td_unit_slot *s)
{
	const struct plan_value *v = value_of(k, object);
	if (s->offset < v->size)
		return v->bytes[s->offset];
	return object_of(k, object)->variable ? TD_UNIT_KEPT : s->targets && !(s->flags & TD_UNIT_LAST);
}

static bool leads(const struct coder *k, size_t object, const struct td_unit_slot *s)
{
	uint8_t choice = choice_of(k, object, s);
	return choice && choice <= s->targets;
}

static const struct type *innermost(const struct type *t)
{
	while (t->kind == TYPE_ARRAY && t->of)
		t = t->of;
	return t;
}

static bool is_known(const struct coder *k, const struct type *t)
{
	t = innermost(t);
	return (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION) || !*t->name || k->c->names->knows(k->c->names->context, t);
}

static const char *make_object(const struct coder *k, const struct plan_object *o, const char *pointer)
{
	uint64_t one = o->type->size, size = o->is.size;
	if (!pointer)
		return arena_printf(k->arena, "__builtin_calloc(1, %" PRIu64 ")", size);
	if (o->count > 1 && o->count * one == size)
		return arena_printf(k->arena, "__builtin_calloc(%" PRIu64 ", sizeof *%s)", o->count, pointer);
	if (size > one)
		return arena_printf(k->arena, "__builtin_calloc(1, sizeof *%s + %" PRIu64 ")", pointer, size - one);
	return arena_printf(k->arena, "__builtin_calloc(1, sizeof *%s)", pointer);
}

static struct part whole_of(const struct coder *k, size_t object)
{
	const struct thing *t = thing_of(k, object);
	const struct plan_object *o = object_of(k, object);
	return (struct part){ .object = object, .type = o->type, .is_const = t->is_const, .base = t->place, .name = t->is_bytes ? NULL : t->place };
}

static void fill(struct coder *k, size_t object)
{
	const struct plan_object *o = object_of(k, object);
	struct part x = whole_of(k, object);
	bool is_struct = o->type->kind == TYPE_STRUCT || o->type->kind == TYPE_UNION;
	if (is_struct && !plan_is_row(o))
		set_whole(k, x, "->");
	else
		set_elements(k, x, o->count);
}

static void place(struct coder *k, size_t object, const char *pointer, bool is_bytes, bool is_const)
{
	struct thing *t = thing_of(k, object);
	t->place = pointer;
	t->is_bytes = is_bytes;
	t->is_const = is_const;
	if (is_number(object_of(k, object)->type)) /* short: it follows the pointer */
		fill(k, object);
	else
		vec_push(&k->open, object);
}

/* What it leads to is new, and nothing has a name for the pointer: it is given one. */
static const char *declare_own(struct coder *k, struct part x, const struct plan_object *o, bool *is_bytes)
{
	const char *name = arena_printf(k->arena, "object%u", ++k->own);
	struct str text = {0};
	*is_bytes = !is_known(k, x.type->of) || !*innermost(x.type->of)->name || !declare_print(x.type, name, &text);
	if (*is_bytes) {
		str_clear(&text);
		str_printf(&text, "char *%s", name);
	}
	say(k, arena_printf(k->arena, "%s = %s; /* %s */", str_text(&text), make_object(k, o, *is_bytes ? NULL : name), o->name));
	str_free(&text);
	return name;
}

static void lead_to_new(struct coder *k, struct part x, const struct td_unit_target *t)
{
	const struct plan_object *o = object_of(k, t->index);
	bool is_bytes = x.is_untyped || !is_known(k, x.type->of), is_const = x.type->of->is_const;
	const char *name = x.name;
	if (name && !t->offset) {
		set(k, x, make_object(k, o, is_bytes ? NULL : name), "void *", TD_UNIT_SLOT);
	} else {
		name = declare_own(k, x, o, &is_bytes);
		set(k, x, t->offset ? arena_printf(k->arena, "(void *)((char *)%s + %" PRIu64 ")", name, t->offset) : name, "void *", TD_UNIT_SLOT);
	}
	place(k, t->index, name, is_bytes, is_const);
}

/* "(*p)" on its own is "*p". */
static const char *bare_name(const struct coder *k, const char *name)
{
	size_t n = strlen(name);
	return *name == '(' && strchr(name, ')') == name + n - 1 ? arena_printf(k->arena, "%.*s", (int)n - 2, name + 1) : name;
}

/* A variable is asked for by its name when that is needed. */
static void place_variable(struct coder *k, size_t object)
{
	const struct type_variable *v = object_of(k, object)->variable;
	struct thing *t = thing_of(k, object);
	if (!t->place)
		t->name = k->c->names->variable(k->c->names->context, v, &t->is_bytes);
	t->place = t->is_bytes || v->type->kind == TYPE_ARRAY ? t->name : arena_printf(k->arena, "&%s", t->name);
}

static void lead_to_object(struct coder *k, struct part x, const struct td_unit_target *t)
{
	const struct thing *to = thing_of(k, t->index);
	if (object_of(k, t->index)->variable)
		place_variable(k, t->index);
	if (!to->place)
		lead_to_new(k, x, t);
	else if (t->offset)
		set(k, x, arena_printf(k->arena, "(void *)((char *)%s + %" PRIu64 ")", to->place, t->offset), "void *", TD_UNIT_SLOT);
	else
		set(k, x, to->is_const != x.type->of->is_const || to->is_bytes ? arena_printf(k->arena, "(void *)%s", to->place) : to->place, "void *", TD_UNIT_SLOT);
}

/* Where there is no object. */
static const char *outside(const struct coder *k, const struct td_unit_target *t)
{
	const struct ccode_names *n = k->c->names;
	if (t->kind == TD_UNIT_STREAM)
		return n->stream(n->context, t->index);
	return t->kind == TD_UNIT_OPAQUE ? n->somewhere(n->context) : arena_printf(k->arena, "(void *)%s", n->function(n->context, t->index));
}

/* NULL: to nothing, or it is kept. */
static const struct td_unit_target *target_of(const struct coder *k, size_t object, const struct td_unit_slot *s, uint8_t *choice)
{
	*choice = s ? choice_of(k, object, s) : 0;
	return s && *choice && *choice <= s->targets ? &k->c->plan->targets[s->first_target + *choice - 1] : NULL;
}

static void set_pointer(struct coder *k, struct part x)
{
	uint8_t choice;
	const struct td_unit_slot *s = plan_slot(k->c->plan, x.object, x.offset);
	const struct td_unit_target *t = target_of(k, x.object, s, &choice);
	bool is_kept = object_of(k, x.object)->variable && (choice == TD_UNIT_KEPT || !s);
	if (!t && !is_kept && (x.declared || !thing_of(k, x.object)->clear))
		set(k, x, "0", "void *", TD_UNIT_SLOT);
	else if (t && t->kind == TD_UNIT_OBJECT)
		lead_to_object(k, x, t);
	else if (t)
		set(k, x, outside(k, t), "void *", TD_UNIT_SLOT);
}

/* --- all of it --- */

static void walk(struct coder *k, struct part x)
{
	if (!x.declared && !is_said(k, x.object, x.offset))
		return;
	switch (x.type->kind) {
	case TYPE_UNKNOWN: case TYPE_FUNCTION: return;
	case TYPE_STRUCT: case TYPE_UNION: set_whole(k, x, "."); return;
	case TYPE_POINTER: set_pointer(k, x); return;
	case TYPE_ARRAY: {
		uint64_t count = x.type->count;
		x.type = x.type->of;
		set_elements(k, x, count);
		return;
	}
	default: set_number(k, x);
	}
}

static void fill_open(struct coder *k)
{
	for (; k->next < k->open.count; k->next++)
		fill(k, k->open.at[k->next]);
}

/* What is declared here need not be const as the function has it: it is written to. Pointers behind pointers have to be what they are. */
static const struct type *unlocked(const struct coder *k, const struct type *t)
{
	if (t->kind != TYPE_POINTER || !t->of->is_const || t->of->kind == TYPE_POINTER || t->of->kind == TYPE_ARRAY)
		return t;
	struct type *pointer = arena_copy(k->arena, t, sizeof *t), *of = arena_copy(k->arena, t->of, sizeof *of);
	of->is_const = false;
	pointer->of = of;
	pointer->name = "";
	return pointer;
}

/* Of something that is declared here. */
static void declare(struct coder *k, struct part x)
{
	bool is_whole = x.type->kind == TYPE_STRUCT || x.type->kind == TYPE_UNION || x.type->kind == TYPE_ARRAY;
	if (is_whole) {
		say(k, arena_printf(k->arena, "%s = { 0 };", x.declared));
		x.declared = NULL;
	}
	walk(k, x);
}

static bool declare_argument(struct coder *k, size_t i, const char *name, struct err *err)
{
	const struct type *f = k->c->plan->type, *t = unlocked(k, f->members[i].type);
	struct str text = {0};
	uint64_t at = plan_argument_at(f, i);
	struct part x = { .object = k->c->first, .offset = at, .type = t, .name = name, .from = at, .base = arena_printf(k->arena, "&%s", name) };
	if (!declare_print(t, name, &text)) {
		if (t->kind != TYPE_POINTER)
			return err_set(err, "the type of argument %zu has no name", i + 1);
		str_printf(&text, "void *%s", name);
		x.is_untyped = true;
	}
	x.declared = arena_strdup(k->arena, str_text(&text));
	str_free(&text);
	declare(k, x);
	return true;
}

/* --- variables --- */

static void start_variable(const struct coder *k, size_t object)
{
	const struct plan_object *o = object_of(k, object);
	struct thing *t = thing_of(k, object);
	t->start = arena_alloc(k->arena, o->is.size + 1);
	t->known = k->c->names->start(k->c->names->context, o->variable, o->is.size, t->start, &t->clear);
}

static bool has_news(const struct coder *k, size_t object)
{
	const struct plan_object *o = object_of(k, object);
	for (size_t i = 0; i < o->leaves_count; i++) {
		const struct plan_leaf *l = &o->leaves[i];
		const struct td_unit_slot *s = l->type->kind == TYPE_POINTER ? plan_slot(k->c->plan, object, l->offset) : NULL;
		bool is_kept = s && choice_of(k, object, s) == TD_UNIT_KEPT, is_null = s && !choice_of(k, object, s) && thing_of(k, object)->clear;
		if (s ? !is_kept && !is_null : l->type->kind != TYPE_POINTER && differs(k, object, l->offset, l->size))
			return true;
	}
	return false;
}

static void set_variable(struct coder *k, size_t object)
{
	const struct plan_object *o = object_of(k, object);
	const struct thing *t = thing_of(k, object);
	if (!has_news(k, object))
		return;
	place_variable(k, object);
	struct part x = { .object = object, .type = o->type, .name = t->is_bytes ? NULL : t->name, .base = t->place };
	bool is_row = o->variable->type->kind == TYPE_ARRAY, is_whole = o->type->kind == TYPE_STRUCT || o->type->kind == TYPE_UNION;
	if (x.name && !is_row && !is_whole)
		x.name = bare_name(k, x.name);
	if (is_row)
		set_elements(k, x, o->count);
	else
		walk(k, x);
	fill_open(k);
}

/* --- */

static struct coder coder_new(const struct ccode *c, struct str *out)
{
	struct coder k = { .c = c, .out = out, .arena = arena_new() };
	k.things = arena_alloc(k.arena, (c->count + 1) * sizeof *k.things);
	for (size_t i = 0; i < c->count; i++)
		k.things[i].known = k.things[i].clear = true;
	return k;
}

static void coder_free(struct coder *k)
{
	vec_free(&k->open);
	arena_free(k->arena);
}

bool ccode_given(const struct ccode *c, const char *const *arguments, struct str *out, struct err *err)
{
	struct coder k = coder_new(c, out);
	bool ok = true;
	for (size_t i = 0; i < c->count; i++)
		if (c->plan->objects[c->first + i].variable)
			start_variable(&k, c->first + i);
	for (size_t i = 0; ok && i < c->plan->type->members_count; i++)
		ok = declare_argument(&k, i, arguments[i], err);
	if (ok)
		fill_open(&k);
	for (size_t i = 0; ok && i < c->count; i++)
		if (c->plan->objects[c->first + i].variable)
			set_variable(&k, c->first + i);
	coder_free(&k);
	return ok;
}

/* What can be written down at once. */
static const char *short_result(const struct coder *k, const struct type *t)
{
	uint8_t choice;
	if (t->kind == TYPE_POINTER)
		return target_of(k, k->c->first, plan_slot(k->c->plan, k->c->first, 0), &choice) ? NULL : "0";
	return is_number(t) ? number_of(k, (struct part){ .object = k->c->first, .type = t }) : NULL;
}

void ccode_result(const struct ccode *c, const char *result, bool is_void_pointer, struct str *out)
{
	struct coder k = coder_new(c, out);
	struct part x = { .object = c->first, .type = unlocked(&k, c->plan->objects[c->first].type), .name = "result", .base = "&result", .declared = result, .is_untyped = is_void_pointer };
	const char *value = short_result(&k, x.type);
	if (value) {
		say(&k, arena_printf(k.arena, "return %s;", value));
	} else {
		declare(&k, x);
		fill_open(&k);
		say(&k, "return result;");
	}
	coder_free(&k);
}
