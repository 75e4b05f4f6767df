/* How shadows travel with calls: a thread-local block, laid out once for runtime and instrumenter.
 *
 * A caller with symbolic arguments stores their ids, then the callee's address in `callee`. A callee that finds
 * its own address there takes the ids and clears the tag; any other callee (or one called out of
 * uninstrumented code) finds no match and has concrete arguments. Results go back the same way: a callee
 * with a symbolic result stores its ids and its own address in `returner`, one whose result
 * could have been symbolic and is not clears it, lest a result that an inner activation of it left be taken for its own.
 */
#ifndef TANDEM_CONTRACT_SLOTS_H
#define TANDEM_CONTRACT_SLOTS_H

#include <stdint.h>

#define TD_DIRECTORY_ENTRIES (1u << 20) /* shadow pages by the low 32 bits of their address: see runtime/shadow.c */
#define TD_MAX_ARGS 32u     /* leaves: a struct of two words counts as two */
#define TD_MAX_RESULTS 16u

struct td_slots {
	void *callee;
	void *returner;
	const void *variadic;          /* struct td_va[] of the call under way, or null */
	uint32_t arg[TD_MAX_ARGS];
	uint32_t result[TD_MAX_RESULTS];
	void *by_value[TD_MAX_ARGS];   /* where a by-value argument was copied from */
	void *stacked_for;             /* a variadic function about to be called with arguments on the stack, symbolic or not, */
	uint64_t stacked;              /* of so many bytes: terms of what was there before are no longer theirs */
	uint64_t value[TD_MAX_ARGS];   /* what a function whose flag word is set was called with, by leaf; of what is wider, or copied, where it is */
};

/* Where the callee of a variadic call finds one argument: ended by size 0. Offsets are those of the x86-64
 * System V register save area and overflow area. */
struct td_va {
	uint32_t offset;
	uint32_t bytes;
	uint16_t slot;     /* index into the ids */
	uint8_t overflow;  /* 0: register save area, 1: overflow area */
	uint8_t size;      /* bytes; 0 ends the list, 255: a by-value argument of `bytes` bytes */
};

/* What an uninstrumented function does with what it is given. */
enum td_effect {
	TD_EFFECT_UNKNOWN,  /* may read and write: its bytes become concrete, before and after */
	TD_EFFECT_READS,    /* its result depends on them */
	TD_EFFECT_SINK,     /* output only: nothing in the program depends on it */
	TD_EFFECT_WRITES,   /* writes concrete data there */
	TD_EFFECT_STRING    /* reads them, but no further than to the null */
};

/* What an uninstrumented function reads from. */
enum td_unseen {
	TD_UNSEEN_STDIN, TD_UNSEEN_STREAM, TD_UNSEEN_DESCRIPTOR,
	TD_UNSEEN_FILES,    /* that it finds itself, or what the system says about them */
	TD_UNSEEN_MEMORY    /* a stream that is memory */
};

/* Where something came through, and how wide it is meant to be where it is taken. */
#define TD_SLOT(index, bits) ((uint32_t)(index) | (uint32_t)(bits) << 16)
#define TD_SLOT_INDEX(slot) ((slot) & 0xFFFFu)
#define TD_SLOT_BITS(slot) ((slot) >> 16)

#endif
