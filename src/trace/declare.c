/* A declaration is made from the name outwards, as C reads it. A typedef of a pointer goes by its name, and any other pointer by what it leads to: the name that
 * struct type has for it says too little of what is const. */
#include "trace/declare.h"

#include <inttypes.h>
#include <string.h>

#define DEPTH_MAX 16

static bool print(const struct type *t, const char *inner, unsigned depth, struct str *out);

static bool is_named(const struct type *t)
{
	return *t->name && (t->kind != TYPE_POINTER || !strchr(t->name, '*'));
}

const char *declare_plain(const struct type *t)
{
	static const char *const integers[2][9] = {
		{ [1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned int", [8] = "unsigned long" },
		{ [1] = "signed char", [2] = "short", [4] = "int", [8] = "long" } };
	static const char *const floats[33] = { [4] = "float", [8] = "double", [16] = "long double" };
	static const char *const complexes[33] = { [8] = "float _Complex", [16] = "double _Complex", [32] = "long double _Complex" };
	switch (t->kind) {
	case TYPE_SIGNED: case TYPE_UNSIGNED: case TYPE_ENUM: return t->size <= 8 ? integers[t->is_signed || t->kind == TYPE_SIGNED][t->size] : NULL;
	case TYPE_CHAR: return "char";
	case TYPE_BOOL: return "_Bool";
	case TYPE_FLOAT: return t->size > 32 ? NULL : t->is_complex ? complexes[t->size] : floats[t->size];
	default: return NULL;
	}
}

static bool print_named(const struct type *t, const char *inner, struct str *out)
{
	const char *name = t->is_complex && declare_plain(t) ? declare_plain(t) : t->name;
	if (!*name)
		return false;
	str_printf(out, "%s%s%s%s", t->is_const ? "const " : "", name, *inner ? " " : "", inner);
	return true;
}

static bool print_pointer(const struct type *t, const char *inner, unsigned depth, struct str *out)
{
	bool binds = t->of->kind == TYPE_FUNCTION || t->of->kind == TYPE_ARRAY;
	struct str more = {0};
	str_printf(&more, binds ? "(*%s%s)" : "*%s%s", t->is_const ? "const " : "", inner);
	bool ok = print(t->of, str_text(&more), depth, out);
	str_free(&more);
	return ok;
}

static bool print_array(const struct type *t, const char *inner, unsigned depth, struct str *out)
{
	struct str more = {0};
	str_printf(&more, "%s[%" PRIu64 "]", inner, t->count);
	bool ok = print(t->of, str_text(&more), depth, out);
	str_free(&more);
	return ok;
}

static bool print_parameters(const struct type *t, unsigned depth, struct str *out)
{
	for (size_t i = 0; i < t->members_count; i++) {
		str_add(out, i ? ", " : "");
		if (!print(t->members[i].type, "", depth, out))
			return false;
	}
	str_add(out, t->members_count && t->is_variadic ? ", ..." : t->members_count || t->is_variadic ? "" : "void");
	return true;
}

static bool print_function(const struct type *t, const char *inner, unsigned depth, struct str *out)
{
	struct str more = {0};
	str_printf(&more, "%s(", inner);
	bool ok = print_parameters(t, depth, &more);
	str_add_char(&more, ')');
	if (ok && t->of)
		ok = print(t->of, str_text(&more), depth, out);
	else if (ok)
		str_printf(out, "void %s", str_text(&more));
	str_free(&more);
	return ok;
}

static bool print(const struct type *t, const char *inner, unsigned depth, struct str *out)
{
	if (depth == 0)
		return false;
	if (is_named(t))
		return print_named(t, inner, out);
	switch (t->kind) {
	case TYPE_POINTER: return print_pointer(t, inner, depth - 1, out);
	case TYPE_ARRAY: return print_array(t, inner, depth - 1, out);
	case TYPE_FUNCTION: return print_function(t, inner, depth - 1, out);
	default: return false;
	}
}

/* What is const of the whole is left out: who declares it gives it a value. */
bool declare_print(const struct type *t, const char *name, struct str *out)
{
	struct type whole = *t;
	size_t before = out->length;
	whole.is_const = false;
	if (print(&whole, name, DEPTH_MAX, out))
		return true;
	out->length = before;
	if (out->text)
		out->text[before] = '\0';
	return false;
}
