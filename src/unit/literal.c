/* See literal.h. A floating point number is written so that it is read as the very same bytes, or not at all. */
#include "unit/literal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64 /* bytes of a text */

static void put_character(struct str *out, uint8_t c, char quote)
{
	static const char plain[] = "\n\t\r\b\f\v\a", escaped[] = "ntrbfva";
	const char *at = c ? strchr(plain, c) : NULL;
	if (at)
		str_printf(out, "\\%c", escaped[at - plain]);
	else if (c == (uint8_t)quote || c == '\\')
		str_printf(out, "\\%c", c);
	else if (c >= ' ' && c <= '~')
		str_add_char(out, (char)c);
	else
		str_printf(out, "\\%03o", c);
}

void literal_text(const uint8_t *bytes, size_t size, const char *indent, struct str *out)
{
	for (size_t i = 0; i < size; i++) {
		if (i && i % LINE == 0)
			str_printf(out, "\"\n%s\t", indent);
		if (i % LINE == 0)
			str_add_char(out, '"');
		if (bytes[i] == '?' && i && bytes[i - 1] == '?') /* no trigraph */
			str_add_char(out, '\\');
		put_character(out, bytes[i], '"');
	}
	str_add(out, size ? "\"" : "\"\"");
}

/* --- numbers --- */

static uint64_t integer_of(const struct type *t, const uint8_t *bytes)
{
	uint64_t value = 0;
	for (uint64_t i = 0; i < t->size; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	if ((t->is_signed || t->kind == TYPE_SIGNED) && t->size < 8 && value >> (8 * t->size - 1))
		value |= ~(uint64_t)0 << 8 * t->size;
	return value;
}

static const char *integer(const struct type *t, uint64_t value, struct arena *arena)
{
	if (!t->is_signed && t->kind != TYPE_SIGNED)
		return arena_printf(arena, "%" PRIu64 "%s", value, value > INT64_MAX ? "u" : "");
	if (value == (uint64_t)INT64_MIN)
		return arena_printf(arena, "%" PRId64 " - 1", INT64_MIN + 1);
	return arena_printf(arena, "%" PRId64, value);
}

static const char *character(const struct type *t, uint64_t value, struct arena *arena)
{
	struct str text = {0};
	if (value < ' ' || value > '~')
		return integer(t, value, arena);
	str_add_char(&text, '\'');
	put_character(&text, (uint8_t)value, '\'');
	str_add_char(&text, '\'');
	const char *kept = arena_strdup(arena, str_text(&text));
	str_free(&text);
	return kept;
}

static const char *constant(const struct type *t, uint64_t value, bool names, struct arena *arena)
{
	for (size_t i = 0; names && i < t->constants_count; i++)
		if ((uint64_t)t->constants[i].value == value)
			return t->constants[i].name;
	return integer(t, value, arena);
}

static const char *with_point(const char *text, const char *suffix, struct arena *arena)
{
	return arena_printf(arena, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", suffix);
}

static const char *floating(const struct type *t, const uint8_t *bytes, struct arena *arena)
{
	union { uint8_t bytes[16]; float f; double d; long double l; } is = {0}, read = {0};
	char text[64];
	memcpy(is.bytes, bytes, t->size);
	if (t->size == sizeof is.f) {
		snprintf(text, sizeof text, "%.9g", (double)is.f);
		read.f = strtof(text, NULL);
	} else if (t->size == sizeof is.d) {
		snprintf(text, sizeof text, "%.17g", is.d);
		read.d = strtod(text, NULL);
	} else {
		snprintf(text, sizeof text, "%.21Lg", is.l);
		read.l = strtold(text, NULL);
		memset(read.bytes + 10, 0, 6);
	}
	bool same = memcmp(is.bytes, read.bytes, sizeof is.bytes) == 0 && !strpbrk(text, "naif"); /* nan, inf */
	return same ? with_point(text, t->size == 4 ? "f" : t->size == 8 ? "" : "L", arena) : NULL;
}

const char *literal_number(const struct type *t, const uint8_t *bytes, bool names, struct arena *arena)
{
	bool is_float = t->kind == TYPE_FLOAT && !t->is_complex && (t->size == 4 || t->size == 8 || t->size == 16);
	if (is_float)
		return floating(t, bytes, arena);
	if (t->kind == TYPE_FLOAT || t->size > 8)
		return NULL;
	uint64_t value = integer_of(t, bytes);
	switch (t->kind) {
	case TYPE_SIGNED: case TYPE_UNSIGNED: return integer(t, value, arena);
	case TYPE_CHAR: return character(t, value, arena);
	case TYPE_ENUM: return constant(t, value, names, arena);
	case TYPE_BOOL: return value <= 1 ? integer(t, value, arena) : NULL;
	default: return NULL;
	}
}
