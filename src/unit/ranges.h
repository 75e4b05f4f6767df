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

/* Where something is; 0: nothing is known of it. Parameters are counted as in machine code; a struct is known by the name that its type has ("struct node", or a typedef's), and where the member is in it. */
uint32_t ranges_place_of_parameter(const struct ranges *r, uint32_t function, uint32_t parameter);
uint32_t ranges_place_of_result(const struct ranges *r, uint32_t function);
uint32_t ranges_place_of_variable(const struct ranges *r, const struct type_variable *v);
uint32_t ranges_place_of_member(const struct ranges *r, const struct type *of, uint64_t offset);

/* Of an integer of so many bits there, or a pointer. False: nothing is known. */
bool ranges_ask(const struct ranges *r, uint32_t place, unsigned bits, struct range *out);

/* Does anybody put null there, in so many words? What a variable or a new object begins with does not count, nor what a function of the library returns. */
bool ranges_is_nulled(const struct ranges *r, uint32_t place);

/* Can a pointer there lead to the function? It can if nothing is known. */
bool ranges_leads_to(const struct ranges *r, uint32_t place, uint32_t function);

/* Does another variable begin with its address? */
bool ranges_gives_address(const struct ranges *r, const struct type_variable *v);

#endif
