/* Where integers go: what is written to places that are not of one function alone, as expressions over other places. The host computes from it between
 * which bounds each place is (src/unit/ranges.c), over the whole program and without regard to order.
 *
 * A block of facts (contract/facts.h) has a table of these rows. A row is a value, or, STORE, something that is done with one; it names others of its
 * block by their index plus 1, which may be larger than its own where values go round in a loop. Values are signed. A pointer is a value too, 0 or more: what is told of it is whether it can be null, and which functions of the program it can lead to.
 */
#ifndef TANDEM_CONTRACT_FLOW_H
#define TANDEM_CONTRACT_FLOW_H

#include <stdint.h>

/* FLOW(name, operands): how many of a and b are rows */
#define TD_FLOW_TABLE(FLOW) \
	FLOW(ANY, 0)      /* whatever so many bits can have */ \
	FLOW(RANGE, 0)    /* lo to hi */ \
	FLOW(FUNCTION, 0) /* the address of one */ \
	FLOW(PLACE, 0)    /* what is in the place */ \
	FLOW(JOIN, 2)     /* either */ \
	FLOW(CLIP, 1)     /* as far as it is in lo to hi: a branch has seen to that */ \
	FLOW(ZEXT, 1) \
	FLOW(SEXT, 1) \
	FLOW(TRUNC, 1) \
	FLOW(ADD, 2) \
	FLOW(SUB, 2) \
	FLOW(MUL, 2) \
	FLOW(AND, 2) \
	FLOW(SHIFT_RIGHT, 2)  /* arithmetic, or of what is not negative */ \
	FLOW(DIVIDE, 2)       /* rounded towards 0 */ \
	FLOW(REMAINDER, 2) \
	FLOW(STORE, 1)    /* a goes into the place */

enum td_flow_op {
#define FLOW(name, operands) TD_FLOW_##name,
	TD_FLOW_TABLE(FLOW)
#undef FLOW
	TD_FLOW_OPS
};

enum td_flow_place {
	TD_FLOW_PARAMETER,  /* name: of a function; number: of its parameter, as machine code counts */
	TD_FLOW_RESULT,     /* of a function */
	TD_FLOW_INDIRECT,   /* name: a type of functions; number: of the parameter. What any such function is called with by a pointer */
	TD_FLOW_VARIABLE,   /* all elements, if it is an array of integers or pointers */
	TD_FLOW_MEMBER,     /* name: of the struct; number: where it is in there. Of all objects of the struct */
	TD_FLOW_PLACES
};

enum td_flow_clip {
	TD_FLOW_WITHIN,
	TD_FLOW_ABOVE,      /* as unsigned numbers, lo to whatever is largest */
	TD_FLOW_NOT         /* it is not lo */
};

#define TD_FLOW_ALL UINT32_MAX /* a number: all that there are */
#define TD_FLOW_ADDRESS 1u /* a number: of a variable, not what is in there but who has its address because another one begins with that */

struct td_flow {
	uint8_t op;         /* enum td_flow_op */
	uint8_t kind;       /* PLACE, STORE: enum td_flow_place */
	uint16_t bits;      /* of the value */
	uint32_t a, b;
	uint32_t name;      /* PLACE, STORE, FUNCTION: a string */
	uint32_t number;    /* SHIFT_RIGHT, DIVIDE, REMAINDER: 1 if unsigned. CLIP: enum td_flow_clip. RANGE: 1 if it is what a variable begins with */
	uint32_t unless;    /* STORE: a string, the name of a function: only if the program does not define it; else 0 */
	int64_t lo, hi;     /* RANGE, CLIP */
};

#endif
