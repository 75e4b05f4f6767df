/* Program facts, read from the program and the libraries that a trace says it loaded: which source branch is edge 1234? */
#ifndef TANDEM_TRACE_FACTS_H
#define TANDEM_TRACE_FACTS_H

#include "base/err.h"
#include "contract/facts.h"
#include "contract/flow.h"
#include "trace/binary.h"
#include "trace/trace.h"

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
	const struct td_use *uses;
	const struct td_flow *flows;
	const struct td_shape *shapes;
	const uint32_t *taken;
	const char *strings;
	uint32_t first_edge; /* dense index of its edge 0 */
	uint32_t first_function;
};

/* A site, and where it is from. */
struct facts_place {
	const struct facts_block *block;
	const struct td_site *site;
	uint32_t first_edge; /* dense index of the site's edge 0: what events call it */
};

/* The program or a shared library. */
struct facts_module {
	char *path;                 /* of the file; empty: not known */
	char *trouble;              /* NULL; or why its sites have no names: it has no blocks then */
	uint64_t build;             /* contract/facts.h */
	uint32_t first_edge, edges;
	uint32_t first_function, functions;
	struct facts_block *blocks;
	size_t blocks_count;
	uint64_t address;           /* of the section in the file */
	struct facts_place *places; /* its sites, by first edge */
	size_t places_count;
	uint32_t *place_of;         /* by edge, from its first on: index into places, or UINT32_MAX */
	void *bytes;                /* the section, which everything points into */
};

struct facts {
	struct facts_module *modules; /* by first edge; the program is the first */
	size_t modules_count;
	uint32_t edges;               /* in all modules */
};

/* Those of the program. */
bool facts_open(struct facts *f, const char *path, struct err *err);
bool facts_parse(struct facts *f, const struct facts_section *s, struct err *err); /* the same from memory, which is copied */
void facts_close(struct facts *f);

/* Takes in the modules that a trace speaks of: what is new or another one is read from its file. `note` is told, once for each, of
 * modules whose file is gone, has changed or cannot be read. All traces must come from one file, or be from one run. */
typedef void facts_note(void *context, const char *text);
void facts_learn(struct facts *f, const struct trace *t, facts_note *note, void *context);

const struct facts_place *facts_find(const struct facts *f, uint32_t edge); /* NULL: no site is known to have it */
const struct facts_module *facts_module(const struct facts *f, uint32_t edge); /* NULL: no module has it */
const char *facts_string(const struct facts_block *b, uint32_t offset);
const char *facts_function(const struct facts_place *p);                    /* name of its function */
const char *facts_file(const struct facts_place *p);

/* Functions that are called and that nobody knows: not defined in any module, without a model or known effects. Sorted; the list is the caller's. */
size_t facts_externals(const struct facts *f, const char ***names);

/* The function with this number, and its block; NULL: not known. */
const struct td_function_facts *facts_callee(const struct facts *f, uint32_t function, const struct facts_block **block);

#endif
