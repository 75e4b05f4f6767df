/* What the table of variables says, as the program itself can see: every object is aligned and shares no granule with another.
 * Prints only what is wrong; in a program of plain clang there is no table. */
#include "../../../../contract/facts.h"

#include <stdio.h>
#include <string.h>

extern const struct td_global __start___td_globals[] __attribute__((weak, visibility("hidden")));
extern const struct td_global __stop___td_globals[] __attribute__((weak, visibility("hidden")));
static const struct td_global *volatile rows_start = __start___td_globals, *volatile rows_end = __stop___td_globals;

static int rows_are_there(void) { return rows_start != 0; }
static int row_is_object(const struct td_global *g)
{
	return (g->flags & TD_GLOBAL_OBJECT) && (!g->own_link || (const char *)&g->own_link + g->own_link == (const char *)g->address);
}
static const char *row_name(const struct td_global *g) { return (const char *)&g->name_link + g->name_link; }
static const struct td_global *row_of(const void *address)
{
	for (const struct td_global *g = rows_start; g < rows_end; g++)
		if (row_is_object(g) && (uint64_t)address - (uint64_t)g->address < g->size)
			return g;
	return 0;
}

static void rows_check(void)
{
	for (const struct td_global *g = rows_start; g < rows_end; g++) {
		uint64_t start = (uint64_t)g->address, last = (start + g->size) / 16;
		if (row_is_object(g) && start % 16)
			printf("not aligned: %s\n", row_name(g));
		for (const struct td_global *h = rows_start; h < rows_end; h++)
			if (h != g && row_is_object(g) && row_is_object(h) && (uint64_t)h->address / 16 <= last && ((uint64_t)h->address + h->size) / 16 >= start / 16)
				printf("in one granule: %s %s\n", row_name(g), row_name(h));
	}
}

/* The variable has a row, of that name if one is given, of that size and with those flags; size 0: it has none. */
static void row_expect(const char *what, const void *address, uint64_t size, const char *name, unsigned flags)
{
	const struct td_global *g = row_of(address);
	if (!rows_are_there() || (!g && !size))
		return;
	if (!g || g->address != address || g->size != size || strcmp(row_name(g), name) != 0 || g->flags != (TD_GLOBAL_OBJECT | flags))
		printf("row of %s: %s, size %d, flags %d\n", what, g ? row_name(g) : "none", g ? (int)g->size : 0, g ? (int)g->flags : 0);
}
#define HAS_ROW(variable, flags) row_expect(#variable, &variable, sizeof variable, #variable, flags)
#define HAS_NO_ROW(variable) row_expect(#variable, &variable, 0, "", 0)
