/* What the runtime says when a run does what no C program may do: one record, written into the trace before the run ends. It has all that is
 * needed to tell the story when the process is gone: a copy of the object, call stacks, and which file is loaded where.
 * docs/trace-format.md has the offset table. */
#ifndef TANDEM_CONTRACT_REPORT_H
#define TANDEM_CONTRACT_REPORT_H

#include <stdint.h>

/* Line and column in one word. */
#define TD_PLACE(line, column) ((uint32_t)(line) << 12 | ((uint32_t)(column) < 4096 ? (uint32_t)(column) : 4095))
#define TD_PLACE_LINE(place) ((place) >> 12)
#define TD_PLACE_COLUMN(place) ((place) & 4095)

/* VIOLATION(name, key, text): `key` is for programs and stays as it is. */
#define TD_VIOLATION_TABLE(VIOLATION) \
	VIOLATION(NULL, "null-dereference", "null pointer dereference") \
	VIOLATION(LOWER, "underflow", "access before the start of an object") \
	VIOLATION(UPPER, "overflow", "access past the end of an object") \
	VIOLATION(FREED, "use-after-free", "use of freed memory") \
	VIOLATION(DEAD, "use-after-return", "use of a local variable that is gone") \
	VIOLATION(SCOPE, "use-after-scope", "use of a local variable whose block has ended") \
	VIOLATION(CONSTANT, "read-only-write", "write to a constant") \
	VIOLATION(WILD, "wild", "access to memory that is not there") \
	VIOLATION(DOUBLE_FREE, "double-free", "block freed twice") \
	VIOLATION(INVALID_FREE, "invalid-free", "free of what is not a heap block") \
	VIOLATION(INTERIOR_FREE, "invalid-free", "free of a pointer into a heap block") \
	VIOLATION(ALLOCATION, "allocation-overflow", "allocation of an absurd size") \
	VIOLATION(DIVISION, "division-by-zero", "division by zero") \
	VIOLATION(QUOTIENT, "division-overflow", "division overflow") \
	VIOLATION(SHIFT, "shift-out-of-range", "shift by too much") \
	VIOLATION(ASSERT, "assertion", "assertion failed") \
	VIOLATION(LEAK, "memory-leak", "memory never freed") \
	VIOLATION(UNINITIALISED, "uninitialised-read", "use of what was never set") \
	VIOLATION(SIGNED, "signed-overflow", "signed overflow") \
	VIOLATION(STACK, "stack-exhausted", "no room left on the stack") \
	VIOLATION(ILLEGAL, "illegal-instruction", "instruction that cannot be executed") \
	VIOLATION(MEMORY, "memory-blow-up", "no memory left")

enum td_violation {
	TD_NO_VIOLATION, /* of a condition: not wrong by itself if it does not hold */
#define VIOLATION(name, key, text) TD_VIOLATION_##name,
	TD_VIOLATION_TABLE(VIOLATION)
#undef VIOLATION
	TD_VIOLATIONS
};

#define TD_MAX_REPORTS 16u       /* of one run: more than one only if it goes on (TD_GO_ON) */
#define TD_REPORT_FRAMES 32u
#define TD_REPORT_MODULES 64u
#define TD_REPORT_NAME_SIZE 64u
#define TD_REPORT_TEXT_SIZE 128u
#define TD_REPORT_PATH_SIZE 1000u
#define TD_REPORT_TERMS 4u

/* The object as it was at that moment: see contract/object.h. */
struct td_report_object {
	uint64_t start, size;
	uint32_t number;                /* 0: none is known, and the rest says nothing */
	uint32_t serial;
	uint16_t flags;
	uint8_t kind, state;
	uint32_t place;                 /* of a local variable: TD_PLACE of its declaration, or 0 */
	char name[TD_REPORT_NAME_SIZE]; /* of a variable, or empty; cut off if it is longer */
};

struct td_report_stack {
	uint32_t count;
	uint32_t place;                 /* TD_PLACE in the innermost function; 0: what its debug information says */
	uint64_t frames[TD_REPORT_FRAMES]; /* return addresses, innermost first; none of the runtime's own */
};

/* Where a file is loaded. What the file calls an address is `bias` less. */
struct td_report_module {
	uint64_t start, end;
	uint64_t bias;
	char path[TD_REPORT_PATH_SIZE]; /* absolute if possible; empty: the program, if it is the first, or not known */
};

enum td_report_where { TD_WHERE_HAPPENED, TD_WHERE_MADE, TD_WHERE_GONE, TD_WHERES };

struct td_report {
	uint32_t violation;             /* enum td_violation */
	uint8_t write;                  /* 0: it read */
	uint8_t library;                /* 1: the text is a library function, which has no frame */
	uint16_t thread;                /* 0: the first one */
	uint64_t address;
	uint64_t bytes;                 /* of the access; 0: it was none */
	uint32_t events;                /* how many there were at that moment */
	uint32_t modules_count;
	uint64_t member_start, member_size; /* of the array in the object that was left, or 0 */
	struct td_report_object object;
	struct td_report_stack stacks[TD_WHERES];
	char text[TD_REPORT_TEXT_SIZE]; /* of an assertion: what does not hold; of a leak how much; of what was never set how it was used; else the library function it would happen in, which has no frame; cut off if it is longer */
	uint32_t terms[TD_REPORT_TERMS]; /* conditions that do not hold, or 0 */
	uint32_t planned;               /* unit mode: which object of the plan it is about, plus 1; 0: none */
	uint32_t reserved;
	struct td_report_module modules[TD_REPORT_MODULES]; /* the program is the first */
};

#endif
