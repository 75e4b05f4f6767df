/* What models of comparisons want to know of two strings before they read them: over how many bytes can they be compared without a
 * branch for each? That has to read on behind a NUL that is there on this input only, which must neither leave an object nor count as a use of
 * what was never set. */
#include "object.h"

enum { MOST = 256 }; /* bytes: each one is a few terms, wanted or not */

static uint8_t fold(uint8_t c, bool folded)
{
	return (uint8_t)(folded && c - 'A' < 26u ? c + 32 : c);
}

/* Twice the number of bytes from the start that may be read and compared, plus one if they decide the comparison whatever the input: there is
 * a concrete NUL of either string, or two concrete bytes that differ. 0: there is nothing symbolic in them. */
uint64_t __td_compare_span(const void *a, const void *b, uint32_t folded)
{
	uint64_t x = (uint64_t)a, y = (uint64_t)b, left_x, left_y, n = 0;
	bool any = false, decided = false;
	if (shadow_is_empty() || !(left_x = library_left(x, x)) || !(left_y = library_left(y, y)) || !state_enter())
		return 0;
	uint64_t left = left_x < left_y ? left_x : left_y;
	for (; n < left && n < MOST && !decided; n++) {
		bool sx = shadow_byte(x + n), sy = shadow_byte(y + n);
		uint8_t cx = ((const uint8_t *)a)[n], cy = ((const uint8_t *)b)[n];
		any |= sx || sy;
		decided = (!sx && !cx) || (!sy && !cy) || (!sx && !sy && fold(cx, folded) != fold(cy, folded));
	}
	any &= !(td_state.header->flags & TD_UNINITIALISED);
	state_leave();
	return any ? 2 * n + decided : 0;
}

uint32_t __td_plain_string(const void *s)
{
	uint64_t at = (uint64_t)s, left = library_left(at, at), n = 0;
	while (n < left && ((const char *)s)[n])
		n++;
	if (n == left || shadow_is_empty() || !state_enter())
		return n < left;
	bool any = shadow_any(at, n + 1);
	state_leave();
	return !any;
}
