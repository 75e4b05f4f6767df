/* Whose memory is it that an access touches, and what is known about its bounds at compile time? */
#ifndef TANDEM_COMPILE_BOUNDS_H
#define TANDEM_COMPILE_BOUNDS_H

#include "compile/unit.h"

/* An element of an array that is a member or a row: it must be within that array, whatever the object around it. */
struct bounds_element {
	Value element, array;  /* pointers */
	uint64_t bytes, inside; /* of the element; of the array */
};

void bounds_mark(struct unit *u);                       /* on the raw module: remembers which arrays have a length */
void bounds_variables(struct unit *u);                  /* on the traced one, before its variables become declarations */
bool bounds_is_gep(Value v);                            /* an instruction or a constant */
bool bounds_add_offset(const struct unit *u, Value gep, int64_t *offset); /* the bytes a GEP adds; false: not constant */
Value bounds_base(Value pointer);                       /* the pointer it was computed from, through loops and choices too */
bool bounds_size(const struct unit *u, Value base, uint64_t *size);  /* is it a variable, of which size? */
bool bounds_offset(const struct unit *u, Value pointer, Value base, int64_t *offset); /* false: not a constant */
bool bounds_extent(const struct unit *u, Value pointer, uint64_t size, Value base, int64_t *from, uint64_t *bytes); /* false: or anywhere; else what it touches is in these bytes, elements being checked */
bool bounds_is_narrow(Value v);                          /* the address of an array in an object, as it is handed on: its bounds are the array's */
bool bounds_steps_back(const struct unit *u, Value pointer); /* does anything go back from it by a constant? */
void bounds_leave(const struct unit *u, Value function); /* arrays that the object around them is found from are not narrow */
void bounds_widen(Value function);                      /* when all is looked at: it is an address as any other */
bool bounds_element(const struct unit *u, Value gep, struct bounds_element *e); /* is it to be checked? */

#endif
