/* Sizes of allocations that wrap. */
#ifndef TANDEM_COMPILE_SIZE_H
#define TANDEM_COMPILE_SIZE_H

#include "compile/unit.h"

void size_tag(LLVMModuleRef module, bool wraps);      /* before promises are stripped, if there are any: which arithmetic is of signed numbers */
void size_insert(struct unit *u, Value function);     /* when variables are in registers: marks of safety.h before allocations */

#endif
