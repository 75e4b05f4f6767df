/* What an instrumented module (a program or a shared library) hands to the runtime. The tables lie between symbols that the
 * linker defines for each module; contract/facts.h has their rows. */
#ifndef TANDEM_CONTRACT_MODULE_H
#define TANDEM_CONTRACT_MODULE_H

#define TD_MODEL_SECTION "__td_models"

/* A library function and its model: only the models have such rows. `function` is null if a static program has no use for it. */
struct td_model { void *function, *model; };

#endif
