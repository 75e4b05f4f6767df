/* The plan of a run in unit mode, which calls one function of the program in place of main: what it is given, and which of its
 * callees are stubs. The host makes it from the program's debug information (src/unit/plan.c), once for a function; it lies in the shared file at `unit_off`
 * and holds for all runs of a server. Behind the header come objects, slots, targets, stubs, ranges and strings, in this order.
 *
 * All that varies from run to run are values of marks (contract/trace.h), one for each object in the order of the plan, then what stubs return, in the
 * order of their calls. The bytes of a mark are those of its object as it lies in memory, but for pointers: of the eight bytes of a slot the first says where
 * the pointer leads, 0: nowhere, k: to the slot's k-th target, TD_UNIT_KEPT: a variable's to where it leads already, anything else: nowhere; the others are unused. So a pointer's value is a term over that byte, and whether it is
 * null is a branch like any other.
 *
 * The function may be the program's main. Then there is no block and nothing is given: it is called with the arguments of the run, and variables are as they are.
 */
#ifndef TANDEM_CONTRACT_UNIT_H
#define TANDEM_CONTRACT_UNIT_H

#include <stdint.h>

#define TD_UNIT_ALIGN 16u      /* of the arguments in their block: each begins at the next multiple behind the one before */
#define TD_UNIT_SLOT 8u        /* bytes of a pointer */
#define TD_UNIT_KEPT 255u

struct td_unit {
	uint32_t size;             /* bytes of all of it, a multiple of 8 */
	uint32_t function;         /* index of its record in the program's function section */
	uint32_t objects, slots, targets, stubs, strings; /* how many rows, and bytes of strings */
	uint32_t given;            /* so many objects are there before the call, the first of which is the block of its arguments; the others belong to stubs. 0: the function is main */
	uint64_t facts;            /* address of the program's facts in its file: tells where its variables are in memory */
	uint32_t watched;          /* offset from here to another plan, whose function's calls are told (below), and which may lead to the next of those; 0: none */
	uint32_t ranges;           /* rows */
};

struct td_unit_object {
	uint64_t size;             /* bytes; the block of a function without parameters has none */
	uint64_t variable;         /* its address in the program's file; 0: it is made for the run, with exact bounds */
	uint32_t inputs;           /* so many of its bytes, from the first on, are inputs; the others are 0, or what the variable has */
	uint32_t flags;            /* enum td_unit_flag */
	uint32_t first_slot, slots;
	uint32_t first_range, ranges;
	uint32_t name;             /* string: as the reader of an alarm would call it: "p", "p->next", "g_count" */
	uint32_t reserved;
};

enum td_unit_flag { TD_UNIT_TEXT = 1 /* its last byte is 0 and no input */ };

struct td_unit_slot {
	uint32_t offset;           /* in its object */
	uint32_t first_target;
	uint16_t targets;
	uint16_t flags;            /* enum td_unit_slot_flag */
};

enum td_unit_slot_flag {
	/* In a union there may be something else than a pointer: it is there if the byte is 0 or none of the slot's choices. Its first seven bytes are those behind that one, and its last is that one itself. */
	TD_UNIT_MIXED = 1,
	TD_UNIT_LAST = 2           /* of several, and null to begin with, as a list ends */
};

/* An integer that is never anything else in the program, or that goes with the size of an object of the plan: an input with another value is of no interest, and the run ends. What is no input stays as it is. Signed. */
struct td_unit_range {
	uint32_t offset;           /* in its object */
	uint16_t bytes;            /* 1, 2, 4 or 8 */
	uint16_t flags;            /* enum td_unit_range_flag */
	int64_t lo, hi;
};

enum td_unit_range_flag {
	TD_UNIT_SIZE = 1,          /* it is only the plan that wants it: others may well call the function with something else */
	TD_UNIT_NOT = 2            /* anything but lo */
};

struct td_unit_target {
	uint32_t kind;             /* enum td_unit_target_kind */
	uint32_t index;            /* of the object, or of the record of a function; or 0, 1, 2 */
	uint64_t offset;           /* in the object */
};

enum td_unit_target_kind {
	TD_UNIT_OBJECT,
	TD_UNIT_FUNCTION,
	TD_UNIT_STREAM,            /* index: standard input, output, error. What else could a FILE be made of */
	TD_UNIT_OPAQUE             /* somewhere: whoever wants to know what is there ends the run. For pointers of which the type does not say what they lead to */
};

/* A function of the program that is not called: it returns the first of its objects, made anew for each call with all that it leads to. */
struct td_unit_stub {
	uint32_t function;
	uint32_t first_object, objects; /* none: it returns nothing */
	uint32_t flags;            /* enum td_unit_stub_flag */
};

enum td_unit_stub_flag { TD_UNIT_NORETURN = 1 /* the run ends there */ };

/* A call of a watched function, as events: TD_EV_CALL, with its return address as in the program's file, then what the objects of its plan are in that call, as far as pointers lead to them:
 *
 *   TD_EV_SNAPSHOT   site: the object; aux: an offset in it; sub: enum td_snapshot
 *
 * Of a pointer the choice is told that leads there (see above), and a node only if the pointer is symbolic. An object is told of if a choice leads to it, if it is a variable, and the block of arguments always.
 * An object that is not told of was not reached. */
enum td_snapshot {
	TD_SNAPSHOT_BYTES,         /* eight bytes (fewer at the end): value, and node if they are symbolic */
	TD_SNAPSHOT_POINTER,       /* value: TD_UNIT_CHOICE of it */
	TD_SNAPSHOT_EXTENT         /* the first of an object that a pointer leads to. value: bytes of the caller's from there to its end, UINT64_MAX: nobody knows; aux: bytes before (at most UINT32_MAX) */
};

#define TD_UNIT_CHOICE(choice, targets) ((uint64_t)(targets) << 8 | (choice)) /* the slot's byte; so many targets it might lead to */
#define TD_UNIT_ELSEWHERE 254u /* a choice: somewhere, but where none of the targets is */
#define TD_UNIT_CALLS 16u      /* of each in a run, that are told */

#endif
