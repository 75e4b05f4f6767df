/* Variables as objects with exact bounds (contract/object.h): each gets granules of its own, and a row that says where it ends. */
#ifndef TANDEM_COMPILE_GLOBAL_H
#define TANDEM_COMPILE_GLOBAL_H

#include "compile/unit.h"

void global_pad(struct unit *u);          /* before the second reading: both versions share the variables */
void global_write_table(struct unit *u);  /* when nothing is optimised any more: what is gone by then has no row */
bool global_is_padded(Value g);
uint64_t global_size(const struct unit *u, Value variable); /* as the program knows it, without our padding */

#endif
