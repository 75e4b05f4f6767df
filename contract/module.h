/* What an instrumented module (a program or a shared library) hands to the runtime. The tables lie between symbols that the
 * linker defines for each module; contract/facts.h has their rows.
 *
 * Every object that tandem cc makes has a struct td_module and a constructor that registers it with the runtime, if there is one.
 * The objects of a module share the variable `tracing`, which stands for the module. Whoever links the module need not
 * know of all this: without a runtime nobody sets the variable, and the program runs natively.
 */
#ifndef TANDEM_CONTRACT_MODULE_H
#define TANDEM_CONTRACT_MODULE_H

#include "facts.h"

#include <stdint.h>

#define TD_MODEL_SECTION "__td_models"
#define TD_TEXT_SECTION "__td_text"       /* all traced code: what runs there keeps to our rules */
#define TD_RUNTIME_SECTION "__td_runtime" /* there is one: the host looks for it */
#define TD_CODE_SECTION "__td_code"       /* all code of the runtime: call stacks are without it (the Makefile names it) */
#define TD_MEMORY_SECTION "__td_memory"   /* its variables: what they point to is not the program's (likewise) */

/* Traced code sets a byte per edge it takes: in the edge section itself, which nobody reads, unless the runtime has made another
 * place known before any traced code of the module ran. */
struct td_module {
	uint32_t *tracing;  /* what dispatchers of this module look at */
	const char *edges, *edges_end;
	const struct td_function *functions, *functions_end;
	const struct td_global *globals, *globals_end;
	const char *facts, *facts_end;
	const char *text, *text_end;
	char **covers, **covers_end; /* one of each object: where it writes down which of its edges were taken, counted like its edges */
};

/* A library function and its model: only the models have such rows. `function` is null if a static program has no use for it. */
struct td_model { void *function, *model; };

#endif
