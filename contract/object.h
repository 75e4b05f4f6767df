/* Objects: which memory belongs together, and up to where it may be touched. The runtime keeps a record per object and, for
 * every 16 bytes of the address space, the number of the object they belong to. Woven code reads both inline:
 *
 *     object = objects + owners[(address & mask) >> TD_GRANULE_BITS] * TD_NUMBER_BYTES;  fine if (address - object.start) < object.open
 *
 * and asks the runtime when that fails, which settles it exactly. So `open` may be too small, never too large. Number 0 is no
 * object: memory that nobody told us of, of which nothing is known and nothing wrong is said. The byte behind an object's end has the object's
 * number too, so that a pointer one past the end is still a pointer to it. A number says where the record is, counted in 8 bytes, by which the machine multiplies for nothing. */
#ifndef TANDEM_CONTRACT_OBJECT_H
#define TANDEM_CONTRACT_OBJECT_H

#include <stdint.h>

#define TD_GRANULE_BITS 4
#define TD_GRANULE (1u << TD_GRANULE_BITS)
#define TD_NUMBER_BYTES 8

/* KIND(name, text) */
#define TD_OBJECT_KIND_TABLE(KIND) \
	KIND(NONE, "unknown memory") \
	KIND(HEAP, "heap block") \
	KIND(STACK, "local variable") \
	KIND(GLOBAL, "global variable") \
	KIND(ARGUMENT, "program argument") \
	KIND(ENVIRONMENT, "environment string") \
	KIND(MAPPING, "mapped memory") \
	KIND(FOREIGN, "memory of uninstrumented code") /* many objects, of which we know the outermost bounds: leaving them is no error */

enum td_object_kind {
#define KIND(name, text) TD_OBJECT_##name,
	TD_OBJECT_KIND_TABLE(KIND)
#undef KIND
	TD_OBJECT_KINDS
};

enum td_object_state { TD_OBJECT_LIVE, TD_OBJECT_GONE }; /* freed, unmapped, or its function has returned */

enum td_object_flag {
	TD_OBJECT_CONSTANT = 1, /* writing to it is an error */
	TD_OBJECT_NARROW = 2,   /* an array in the object `next`, for as long as a function has it that was lent a pointer to it */
	TD_OBJECT_TORN = 4,     /* of a local variable: it cannot be brought back inline, since another one has taken some of its entries in the map, or more is to be done */
	TD_OBJECT_LEFT = 8      /* of a local variable that is gone: its block has ended, but not its function */
};

struct td_object {
	uint64_t start;
	uint64_t open;      /* bytes from the start on that may be touched without asking: its size; 0 if it is gone or any of it is symbolic */
	uint64_t size;
	uint8_t kind;       /* enum td_object_kind */
	uint8_t state;      /* enum td_object_state */
	uint16_t flags;     /* enum td_object_flag */
	uint32_t symbolic;  /* bytes of it that have terms */
	const char *name;   /* of a variable, or null */
	uint32_t made, gone; /* call stacks (runtime/stack.c), 0: not known */
	uint32_t next;      /* object around it, if it is narrow; else allocator's own */
	uint32_t serial;    /* heap: the how many-th allocation it is */
	uint32_t references; /* entries of the map that name it, runtime's own */
	uint16_t room, list; /* runtime's own. Heap: granules of its slot, and where that goes when it is free */
};

/* kind, state, flags and symbolic as one word: of a local variable that lives, or is gone, of which nothing is symbolic. */
#define TD_LOCAL_LIVES ((uint64_t)TD_OBJECT_STACK)
#define TD_LOCAL_GONE ((uint64_t)TD_OBJECT_STACK | (uint64_t)TD_OBJECT_GONE << 8)

#define TD_LOCAL_LEFT ((uint64_t)TD_OBJECT_LEFT << 16) /* and that may be with it */

/* A local variable, as a function tells of it when it begins. */
struct td_local {
	uint64_t size;
	uint32_t name;      /* where its name is, counted in bytes from the first of the list; in the 4 bytes before it TD_PLACE of its declaration */
	uint32_t reserved;
};

#define TD_LOCALS_AT_ONCE 5

/* One for the whole program, in the runtime. */
struct td_space {
	const uint32_t *owners;  /* numbers of objects; all may be read, what was never set is 0 */
	uint64_t mask;           /* of addresses */
	struct td_object *objects;
};

#endif
