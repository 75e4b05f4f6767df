/* A region of the symbolic side as data: which hooks to run on which shadows and values, interpreted by the runtime. Code would be
 * an order of magnitude larger, and compiling it took most of the compiler's time.
 *
 * 32-bit words:
 *   struct td_region
 *   inputs     frame slot each; input i becomes shadow 1 + i
 *   pages      value each: addresses whose pages make the region symbolic
 *   operations head, the number of the result's shadow (0: it has none), then the arguments: first all shadows' numbers (S), then
 *              in the order of hook.def numbers (W), values (L, P) and the number of an edge in its file (E)
 *   outputs    frame slot, shadow number
 * A value is a word 2 * k (values[k]), TD_VALUE_CONSTANT followed by two words of it, or TD_VALUE_FIELD(offset in the state, log2 of bytes).
 * If all inputs are 0, no page has shadows and force does not apply, all outputs become 0 and no operation runs.
 */
#ifndef TANDEM_CONTRACT_REGION_H
#define TANDEM_CONTRACT_REGION_H

#include <stdint.h>

/* What numbers in a region of a file count from. */
struct td_bases {
	const void *data;   /* where the regions are */
	char *edges;
	const struct td_function *functions;
	char *const *cover; /* where it is written down which edges were taken */
};

/* How a frame begins; shadows are behind it. */
struct td_frame {
	const struct td_bases *bases;
	const char *state;  /* the variables of a function with two sides */
};

enum { TD_FRAME_HEAD = sizeof(struct td_frame) / sizeof(uint32_t) };

#define TD_VALUE_CONSTANT 1u
#define TD_VALUE_FIELD(offset, size) (3u | (uint32_t)(size) << 2 | (uint32_t)(offset) << 4)

#define TD_NO_EDGE 0xFFFFFFFFu

struct td_region {
	uint32_t inputs, pages, operations, outputs;
	uint32_t shadows;  /* how many numbers are used, 0 included */
	uint32_t values;   /* how many 64-bit values or pointers the call has behind this */
	uint32_t flags;    /* enum td_region_flag */
	uint32_t words;    /* how many follow */
};

enum td_region_flag {
	TD_REGION_FORCE = 1,  /* records a branch: runs when all branches are wanted */
	TD_REGION_ALWAYS = 2  /* runs in any case */
};

enum td_hook {
#define HOOK(name, memory, ...) TD_HOOK_##name,
#include "hook.def"
#undef HOOK
	TD_HOOK_COUNT
};

/* Of the hook `table`. */
enum td_table_flag {
	TD_TABLE_LAST = 1,    /* no other index of this address is tried: if there is no table, the address is lost */
	TD_TABLE_OBJECT = 2,  /* a variable as a whole: there is no doubt that all of it may be read */
	TD_TABLE_ASK = 4      /* a pointer used as an array: up to the end of the object it points into */
};

/* Of the hooks about division, shifts and arithmetic: the width, and */
enum td_safety_shape {
	TD_SAFETY_SIGNED = 1 << 8,   /* signed division */
	TD_SAFETY_SHIFT = 1 << 9,
	TD_SAFETY_ADD = 1 << 10, TD_SAFETY_SUB = 1 << 11, TD_SAFETY_MUL = 1 << 12, /* of signed numbers */
	TD_SAFETY_ARITHMETIC = TD_SAFETY_ADD | TD_SAFETY_SUB | TD_SAFETY_MUL,
	TD_SAFETY_UNSIGNED = 1 << 13, /* of unsigned ones */
	TD_SAFETY_SIZE = 1 << 14,     /* arithmetic that gave the size of an allocation */
	TD_SAFETY_ASKED = 1 << 15     /* not wrong by itself if it overflows: a condition, but no check */
};

/* Of the hook about what is handed to somebody. */
enum td_given {
	TD_GIVEN_CALLEE,  /* a function pointer that is called */
	TD_GIVEN_SIZE,    /* the size of an allocation: a product of two */
	TD_GIVEN_ROOM,    /* likewise on the stack */
	TD_GIVEN_BLOCK,   /* a pointer that is freed */
	TD_GIVEN_POINTER  /* to code that is not instrumented, which may fail if it is null */
};

/* A value that the concrete side hands over: the words of a list that ends with bits 0. */
struct td_live {
	uint32_t offset;  /* in the state */
	uint16_t kind;    /* enum td_live_kind */
	uint16_t bits;
};

enum td_live_kind { TD_LIVE_WORD, TD_LIVE_FLOAT, TD_LIVE_NOT };

/* Of the hook `cross`; behind it a list of struct td_look and one of struct td_live, which is about all arguments. The first of them are the pointers. */
struct td_crossing {
	uint32_t where;    /* what the hook answers if the concrete side has to leave, else 0 */
	uint32_t pointers; /* how many */
};

/* What a block is about to touch; a list that ends with TD_LOOK_END. The pointers come with the call. */
struct td_look {
	uint8_t kind;      /* enum td_look_kind */
	uint8_t pointer;   /* the how many-th it is counted from, */
	uint8_t base;      /* and the one it was computed from; TD_NO_BASE: it is inside for sure */
	uint8_t flags;     /* enum td_look_flag */
	int32_t offset;    /* from the pointer */
	uint32_t bytes;
	uint32_t inside;   /* of so many bytes from base on; 0: of base's object */
	uint32_t place;    /* TD_PLACE */
};

enum td_look_kind {
	TD_LOOK_END,
	TD_LOOK_READS,     /* is any of it symbolic? */
	TD_LOOK_CLEARS,    /* it is stored to */
	TD_LOOK_LOSES,     /* it is read as a type without terms */
	TD_LOOK_INSIDE     /* all that matters are bounds */
};

enum td_look_flag {
	TD_LOOK_WRITES = 1,
	TD_LOOK_VARIABLE = 2, /* `inside` is all of a variable */
	TD_LOOK_WIDE = 4,     /* the concrete side's: all that an access may touch; */
	TD_LOOK_EXACT = 8     /* the symbolic side's, in front of that access: what it does */
};

#define TD_NO_BASE 255
#define TD_ASK_POINTERS 5

/* The head of an operation. `idle` is the number of its shadows if it does nothing, and its result is 0, as long as all of them are 0 (unless
 * the run records what does not depend on the input); else 0. That is most operations most of the time: it takes no more than this to pass over them. */
#define TD_OPERATION(hook, condition, idle, words) ((uint32_t)(hook) | (uint32_t)(condition) << 8 | (uint32_t)(idle) << 12 | (uint32_t)(words) << 16)
#define TD_OPERATION_HOOK(head) ((enum td_hook)((head) & 255))
#define TD_OPERATION_CONDITION(head) ((enum td_condition)((head) >> 8 & 15))
#define TD_OPERATION_IDLE(head) ((head) >> 12 & 15)
#define TD_OPERATION_WORDS(head) ((head) >> 16) /* its arguments */

#define TD_IDLE_HOOKS(X) X(unary) X(unary_wide) X(binary) X(binary_wide) X(ternary) X(ternary_wide) X(select) X(select_wide) X(index) X(table) \
	X(branch) X(switch) X(lose) X(operands) X(inside) X(reaches) X(given)

enum td_condition {
	TD_WHEN_ALWAYS,
	TD_WHEN_WOVEN,    /* the function asked about last (hook `known`) is instrumented */
	TD_WHEN_FOREIGN   /* it is not */
};

#endif
