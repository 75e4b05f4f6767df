/* What functions of the library that have no model do to memory. Woven code calls these hooks before the function, or behind it where only
 * the result tells how much it was. When in doubt nothing is said. None of this is done with the runtime's lock: the library is asked
 * how long a text becomes, and reads what the program gave it. */
#include "object.h"

#include <errno.h>
#include <stdarg.h>

extern int __vsnprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, va_list arguments); /* a name that no program has */

enum { MAX_SCANNED = 32 };

/* ---- strings ---- */

/* Bytes up to the end of its object; 0: nothing is known, or reading them could be a mistake of ours. */
uint64_t library_left(uint64_t base, uint64_t at)
{
	uint64_t left = 0;
	if (!state_enter())
		return 0;
	const struct td_object *o = object_get(object_at(base));
	bool known = o && o->kind != TD_OBJECT_FOREIGN && o->kind != TD_OBJECT_MAPPING && o->state == TD_OBJECT_LIVE;
	if (known && at - o->start < o->size)
		left = o->size - (at - o->start);
	state_leave();
	return left;
}

uint64_t __td_room_at(const void *memory)
{
	uint64_t left = library_left((uint64_t)memory, (uint64_t)memory);
	return left ? left : UINT64_MAX;
}

void __td_string(void *base, void *at, uint32_t writes, uint32_t place, void *function, void *name)
{
	struct reach r = {(uint64_t)base, (uint64_t)at, 1, writes, place, function, name, __builtin_frame_address(0), 0};
	uint64_t left = library_left(r.base, r.at), n = 0;
	while (n < left && ((const char *)at)[n])
		n++;
	r.bytes = n + 1; /* of what is not known, at least the first: is it freed? */
	check_range(&r);
}

/* ---- printf ---- */

__attribute__((no_builtin)) /* the compiler would call the other name */
static void check_printed(struct reach *r, uint64_t room, const char *format, va_list arguments)
{
	int before = errno;
	if (!td_state.live || !r->at || !room)
		return;
	int n = __vsnprintf_chk(NULL, 0, 0, 0, format, arguments);
	errno = before;
	if (n < 0)
		return;
	r->bytes = (uint64_t)n < room ? (uint64_t)n + 1 : room;
	check_range(r);
}

void __td_printed(void *base, void *at, uint64_t room, uint32_t place, void *function, void *name, void *format, ...)
{
	va_list arguments;
	struct reach r = {(uint64_t)base, (uint64_t)at, 0, true, place, function, name, __builtin_frame_address(0), 0};
	va_start(arguments, format);
	check_printed(&r, room, format, arguments);
	va_end(arguments);
}

void __td_vprinted(void *base, void *at, uint64_t room, uint32_t place, void *function, void *name, void *format, void *list)
{
	va_list copy;
	struct reach r = {(uint64_t)base, (uint64_t)at, 0, true, place, function, name, __builtin_frame_address(0), 0};
	va_copy(copy, *(va_list *)list);
	check_printed(&r, room, format, copy);
	va_end(copy);
}

/* ---- scanf ---- */

/* A conversion that takes a pointer. */
struct conversion {
	uint64_t at, bytes;  /* 0 bytes: of no interest, or a text */
	uint64_t most;       /* of a text, without its end; 0: not a text */
	bool counts;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static uint64_t number_bytes(char kind, char length, bool twice)
{
	bool real = kind == 'a' || kind == 'A' || kind == 'e' || kind == 'E' || kind == 'f' || kind == 'F' || kind == 'g' || kind == 'G';
	if (real)
		return length == 'L' ? 16 : length == 'l' ? 8 : 4;
	if (kind == 'p' || length == 'l' || length == 'j' || length == 'z' || length == 't' || length == 'q' || length == 'L')
		return 8;
	return length == 'h' ? (twice ? 1 : 2) : 4;
}

/* Behind "%[": where the set ends. */
static const char *skip_set(const char *f)
{
	if (*f == '^')
		f++;
	if (*f == ']')
		f++;
	while (*f && *f != ']')
		f++;
	return f;
}

/* Reads one conversion, f behind its '%'. False: not understood. `takes`: has it an argument? */
static bool read_conversion(const char **format, struct conversion *c, bool *takes)
{
	static const char numbers[] = "diouxXaAeEfFgGp";
	const char *f = *format;
	uint64_t width = 0;
	char length = 0;
	bool twice = false, own = false;
	*takes = *f != '*';
	f += !*takes;
	while (is_digit(*f) && width < UINT32_MAX)
		width = width * 10 + (uint64_t)(*f++ - '0');
	for (; *f == 'h' || *f == 'l' || *f == 'j' || *f == 'z' || *f == 't' || *f == 'L' || *f == 'q' || *f == 'm'; f++) {
		own |= *f == 'm';
		twice |= *f == length;
		length = *f == 'm' ? length : *f;
	}
	*c = (struct conversion){.counts = *f != 'n'};
	bool known = false;
	for (const char *k = numbers; *k; k++)
		known |= *k == *f;
	if (*f == 's' || *f == '[')
		c->most = own || length == 'l' ? 0 : width ? width : UINT64_MAX;
	else if (*f == 'c')
		c->bytes = own || length == 'l' || width > 1 ? 0 : 1; /* more may be cut short by the end of the input */
	else if (known || *f == 'n')
		c->bytes = number_bytes(*f, length, twice);
	else
		return false;
	if (*f == '[')
		f = skip_set(f + 1);
	*format = *f ? f + 1 : f;
	return true;
}

static uint64_t text_bytes(const struct conversion *c)
{
	uint64_t n = 0;
	while (n < c->most && ((const char *)c->at)[n])
		n++;
	return n + 1;
}

/* Was something else scanned into the middle of it later? Then its end may be gone. */
static bool is_overwritten(const struct conversion *c, const struct conversion *end, uint64_t bytes)
{
	for (const struct conversion *later = c + 1; later < end; later++)
		if (later->at + 16 > c->at && later->at < c->at + bytes)
			return true;
	return false;
}

void __td_scanned(uint32_t result, uint32_t place, void *function, void *name, void *format, ...)
{
	struct conversion all[MAX_SCANNED];
	unsigned count = 0, assigned = 0;
	va_list pointers;
	if (!td_state.live || (int32_t)result <= 0)
		return;
	va_start(pointers, format);
	for (const char *f = format; *f && assigned < result && count < MAX_SCANNED;) {
		bool takes;
		struct conversion *c = &all[count];
		if (*f++ != '%' || (*f == '%' && f++))
			continue;
		if (!read_conversion(&f, c, &takes))
			break;
		if (!takes)
			continue;
		c->at = (uint64_t)va_arg(pointers, void *);
		assigned += c->counts;
		count++;
	}
	va_end(pointers);
	for (unsigned k = 0; k < count; k++) {
		struct conversion *c = &all[k];
		uint64_t bytes = c->most ? text_bytes(c) : c->bytes;
		if (!is_overwritten(c, all + count, bytes))
			check_range(&(struct reach){c->at, c->at, bytes, true, place, function, name, __builtin_frame_address(0), 0});
	}
}
