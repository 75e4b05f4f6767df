/* Program facts read from a binary: which source branch is edge 1234? */
#ifndef TANDEM_TRACE_FACTS_H
#define TANDEM_TRACE_FACTS_H

#include "base/err.h"
#include "contract/facts.h"

#include <stddef.h>

/* One compiled file. All indices in its tables were checked. */
struct facts_block {
	const struct td_facts *head;
	const struct td_site *sites;
	const struct td_function_facts *functions;
	const struct td_arc *arcs;
	const struct td_call *calls;
	const struct td_loop *loops;
	const uint64_t *cases;
	const char *strings;
	uint32_t first_edge; /* dense index of its edge 0 */
};

/* A site, and where it is from. */
struct facts_place {
	const struct facts_block *block;
	const struct td_site *site;
	uint32_t first_edge; /* dense index of the site's edge 0: what events call it */
};

struct facts {
	struct facts_block *blocks;
	size_t blocks_count;
	struct facts_place *places; /* all sites, by first edge */
	size_t places_count;
	uint32_t edges;             /* in the whole binary */
	void *bytes;                /* the section, which everything points into */
};

bool facts_open(struct facts *f, const char *path, struct err *err);

/* The same from a section in memory, which is copied. The addresses are those of the two sections. */
struct facts_section {
	const void *bytes;
	size_t size;
	uint64_t address, edges_address, edges_size;
};
bool facts_parse(struct facts *f, const struct facts_section *s, struct err *err);
void facts_close(struct facts *f);

const struct facts_place *facts_find(const struct facts *f, uint32_t edge); /* NULL: no site has it */
const char *facts_string(const struct facts_block *b, uint32_t offset);
const char *facts_function(const struct facts_place *p);                    /* name of its function */
const char *facts_file(const struct facts_place *p);

#endif
