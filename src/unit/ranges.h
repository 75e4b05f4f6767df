/* Between which bounds the integers of a program are, over all of it and without regard to order: what a function is ever called with, what it returns, what is in variables and members of structs (contract/flow.h). What comes from outside may be anything. */
#ifndef TANDEM_UNIT_RANGES_H
#define TANDEM_UNIT_RANGES_H

#include "unit/program.h"

struct ranges;

/* Signed. */
struct range {
	int64_t lo, hi;
};

struct ranges *ranges_new(const struct unit_program *p);
void ranges_free(struct ranges *r);

/* Of an integer of so many bits. False: nothing is known. Parameters are counted as in machine code; a struct is known by the name that its type has ("struct node", or a typedef's), and where the member is in it. */
bool ranges_parameter(const struct ranges *r, uint32_t function, uint32_t parameter, unsigned bits, struct range *out);
bool ranges_result(const struct ranges *r, uint32_t function, unsigned bits, struct range *out);
bool ranges_variable(const struct ranges *r, const struct type_variable *v, unsigned bits, struct range *out);
bool ranges_member(const struct ranges *r, const struct type *of, uint64_t offset, unsigned bits, struct range *out);

#endif
