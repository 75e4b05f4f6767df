/* Unit mode calls a function through a thunk, which takes its arguments out of a block of memory (contract/unit.h): whoever fills the block knows types of C alone. How parameters of C become
 * those of machine code (in parts, in registers, by address) is read off the code that clang has written, which begins by putting each part where its parameter is. */
#ifndef TANDEM_COMPILE_THUNK_H
#define TANDEM_COMPILE_THUNK_H

#include "compile/unit.h"

/* Two constants of the module; both null: there is none. */
struct thunk {
	Value function, layout;
};

/* body: of the same type, as clang has written it. */
struct thunk thunk_write(struct unit *u, Value function, Value body);

#endif
