/* What functions of the library that have no model do to memory. Woven code calls these hooks before the function, or behind it where only
 * the result tells how much it was. When in doubt nothing is said. None of this is done with the runtime's lock: the library is asked
 * how long a text becomes, and reads what the program gave it. */
#include "object.h"

#include <errno.h>
#include <stdarg.h>

extern int __vsnprintf_chk(char *to, size_t room, int flag, size_t size, const char *format, va_list arguments); /* a name that no program has */

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

uint32_t __td_same(uint64_t a, uint64_t b)
{
	return a == b;
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

void __td_vprinted(void *base, void *at, uint64_t room, uint32_t place, void *function, void *name, void *format, void *list)
{
	va_list copy;
	struct reach r = {(uint64_t)base, (uint64_t)at, 0, true, place, function, name, __builtin_frame_address(0), 0};
	va_copy(copy, *(va_list *)list);
	check_printed(&r, room, format, copy);
	va_end(copy);
}
