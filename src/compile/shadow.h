/* Shadows of types and values: for every scalar the program computes with, a 32-bit word beside it that names its
 * term, 0 if concrete. Structs, arrays and vectors have shadows of the same shape, a word per leaf. */
#ifndef TANDEM_COMPILE_SHADOW_H
#define TANDEM_COMPILE_SHADOW_H

#include "compile/unit.h"

enum { SHADOW_MAX_LEAVES = 64 };

unsigned shadow_bits(const struct unit *u, Type type);       /* width of a tracked scalar, else 0 */
bool shadow_is_float(Type type);
bool shadow_tracked(const struct unit *u, Type type);        /* has at least one tracked scalar, and not too many */
Type shadow_type(const struct unit *u, Type type);
unsigned shadow_leaves(const struct unit *u, Type type);

/* A leaf of a compound value: where it is and what it is. */
struct leaf {
	unsigned path[8];
	unsigned depth;
	Type type;
	uint64_t offset; /* bytes from the start of the value in memory */
};

/* Leaves in order, untracked ones included; at most `room` are written, the number of all is returned. */
unsigned shadow_flatten(const struct unit *u, Type type, struct leaf *leaves, unsigned room);
Value shadow_get(struct unit *u, Value compound, const struct leaf *leaf);             /* works on values and shadows */
Value shadow_put(struct unit *u, Value compound, const struct leaf *leaf, Value part);

/* A scalar as one or two 64-bit words (low, high); high is 0 up to 64 bits. */
void shadow_words(struct unit *u, Value scalar, Value words[2]);

#endif
