/* Program facts of one source file (contract/facts.h): collected from the raw IR, where every branch of the source is
 * still there, then written into the module as data. Collecting also numbers the sites: each gets metadata
 * that the passes before instrumentation keep. */
#ifndef TANDEM_COMPILE_FACTS_H
#define TANDEM_COMPILE_FACTS_H

#include "compile/unit.h"
#include "contract/facts.h"
#include "contract/flow.h"

struct facts {
	LIST(struct td_site) sites;
	LIST(struct td_function_facts) functions;
	LIST(struct td_arc) arcs;
	LIST(struct td_call) calls;
	LIST(struct td_loop) loops;
	LIST(uint64_t) cases;
	LIST(struct td_use) uses;
	LIST(struct td_flow) flows;
	LIST(struct td_shape) shapes;
	LIST(uint32_t) taken;
	LIST(char) strings;
	uint32_t *known;       /* hash table of the strings */
	size_t known_size, known_count;
	uint32_t edges;
	uint32_t source, directory;
	uint32_t code;         /* hash of the module as it came */
	char *root;            /* what names of files are seen from */
};

void facts_collect(struct facts *facts, struct unit *u);
uint32_t facts_string(struct facts *facts, const char *text);

/* Types of the arrays the woven code refers to; clone.c defines them. */
Type facts_edges_type(const struct facts *facts, const struct unit *u);
Type facts_record_type(const struct unit *u);

/* Writes the block; `edges` and `records` are the arrays it links to. Returns the global. */
Value facts_write(const struct facts *facts, struct unit *u, Value edges, Value records);

#endif
