/* Local variables whose address goes where we cannot follow it are objects: known to the runtime from entry to return, or as long as their
 * block lasts (scope.h). */
#ifndef TANDEM_COMPILE_LOCAL_H
#define TANDEM_COMPILE_LOCAL_H

#include "compile/unit.h"

void local_mark(struct unit *u, Value function);     /* which ones those are; while debug information is there */
bool local_is_object(const struct unit *u, Value alloca);
bool local_is_scoped(const struct unit *u, Value alloca); /* an object as long as its block lasts */
Value local_build(struct unit *u, Value alloca);     /* one like it, with room behind it that is not somebody else's */
void local_enter(struct unit *u, const Value *allocas, const Value *addresses, size_t count); /* they exist, */
void local_leave(struct unit *u, const Value *addresses, size_t count);                       /* no longer */
void local_turn(struct unit *u, Value function, Block *here, Value mark); /* instead of a mark of scope.h: inline, from `here` on; here NULL: a call */
Value local_grow(struct unit *u, Value alloca);      /* instead of one of a size known at run time only */
void local_unwind(struct unit *u, bool frame, bool left); /* what is below the stack pointer is gone, or all of this frame that has grown; left: with a block */
void local_threads(struct unit *u, Value function);  /* thread-local variables whose address gets away are told of */
void local_finish(struct unit *u, Value function, Block entry); /* for the marked ones in `entry`, when all else is written */

#endif
