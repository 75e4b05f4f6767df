/* The table, and what all strategies share: the static graphs, which are made when the first strategy asks for them and again when a
 * library has brought more edges. */
#include "search/search.h"

#include "search/dominate.h"
#include "search/icfg.h"
#include "search/terrain.h"
#include "trace/facts.h"

#include <stdlib.h>
#include <string.h>

const struct strategy *const search_table[] = {
#define SEARCH(row) &row,
	SEARCH_TABLE(SEARCH)
#undef SEARCH
};

const size_t search_count = sizeof search_table / sizeof *search_table;

const struct strategy *search_find(const char *name)
{
	for (size_t i = 0; i < search_count; i++)
		if (strcmp(search_table[i]->name, name) == 0)
			return search_table[i];
	return NULL;
}

void search_list(struct str *out)
{
	for (size_t i = 0; i < search_count; i++)
		str_printf(out, "%s%s%s", i ? ", " : "", search_table[i]->weighed ? "FILE." : "", search_table[i]->name);
}

bool search_is_file(const char *name)
{
	static const char end[] = ".theta";
	size_t length = strlen(name);
	return strchr(name, '/') || (length >= sizeof end - 1 && strcmp(name + length - (sizeof end - 1), end) == 0);
}

static void refresh(struct world *w)
{
	if (!w->facts || w->graph_edges == w->edges)
		return;
	icfg_free(w->icfg);
	dominators_free(w->dominators);
	terrain_free(w->terrain);
	w->icfg = NULL;
	w->dominators = NULL;
	w->terrain = NULL;
	w->graph_edges = w->edges;
}

struct icfg *world_icfg(struct world *w)
{
	refresh(w);
	if (!w->icfg && w->facts)
		w->icfg = icfg_of(w->facts);
	return w->icfg;
}

struct dominators *world_dominators(struct world *w)
{
	refresh(w);
	if (!w->dominators && w->facts)
		w->dominators = dominators_of(w->facts);
	return w->dominators;
}

struct terrain *world_terrain(struct world *w)
{
	refresh(w);
	if (!w->terrain && w->facts)
		w->terrain = terrain_of(w->facts);
	return w->terrain;
}

static void free_walk(struct walk *w)
{
	free(w->steps);
	free(w->choices);
	free(w->covered);
	free(w->risks);
}

void world_free(struct world *w)
{
	for (size_t i = 0; i < w->walks.count; i++)
		free_walk(&w->walks.at[i]);
	free(w->walks.at);
	tally_free(&w->ever);
	free(w->counted.words);
	icfg_free(w->icfg);
	dominators_free(w->dominators);
	terrain_free(w->terrain);
}
