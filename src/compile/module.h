/* The link of an object with whatever it becomes part of: contract/module.h. */
#ifndef TANDEM_COMPILE_MODULE_H
#define TANDEM_COMPILE_MODULE_H

#include "compile/unit.h"

Value module_tracing(struct unit *u);               /* the variable that says whether this is a traced run */
void module_write(struct unit *u);                  /* the module's struct, its constructor and destructor */
void module_keep(struct unit *u, const Value *values, unsigned count); /* no linker leaves these out; null ones do not count */
void module_write_main(struct unit *u, Value program); /* `program` is what the source calls main */
void module_write_marks(struct unit *native, struct unit *traced); /* the functions of tandem.h, which need a runtime in traced code only */

#endif
