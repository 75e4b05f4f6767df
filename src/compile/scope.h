/* Variables of inner blocks live as long as their block: where it is entered and left. */
#ifndef TANDEM_COMPILE_SCOPE_H
#define TANDEM_COMPILE_SCOPE_H

#include "compile/cfg.h"
#include "compile/unit.h"

enum scope_field { SCOPE_VARIABLE, SCOPE_SIZE, SCOPE_NAME, SCOPE_TURN, SCOPE_INLINE, SCOPE_FIELDS }; /* operands of a mark; local.c fills in name and inline */
enum scope_turn { SCOPE_BEGINS, SCOPE_LEFT, SCOPE_RETURNED };                          /* what happens to the variable there */

void scope_mark(struct unit *u);                       /* on the raw IR, which has all variables in memory and the blocks in its debug information */
bool scope_is_mark(Value i);
uint64_t scope_number(Value mark, enum scope_field field);
bool scope_has_marks(Value alloca);
void scope_drop(Value alloca);                         /* its marks */
bool scope_doubts(struct unit *u, const struct cfg *cfg, Value alloca); /* may it be touched by name, as it were, when its block is over? Such accesses are remembered, */
bool scope_in_doubt(const struct unit *u, Value access);                /* and this tells */

#endif
