/* A quick look before two paths are put together: what one demands of single bytes and of numbers of its input, and whether a call of another gives it something else there; and what that demands of the other's input. */
#ifndef TANDEM_UNIT_SIEVE_H
#define TANDEM_UNIT_SIEVE_H

#include "base/vec.h"
#include "unit/formula.h"

/* A byte, and which values it may have. */
struct sieve_hole {
	uint32_t object, offset;
	uint64_t allowed[4];
};

struct sieve_shape;

enum { SIEVE_BYTES = 8, SIEVE_UNKNOWN = 256 };

struct sieve_byte {
	uint32_t object, offset;
	uint16_t value;               /* SIEVE_UNKNOWN: it is that byte of the input */
};

/* A demand on several bytes, some of which may be known. */
struct sieve_number {
	const struct sieve_shape *shape;
	struct sieve_byte bytes[SIEVE_BYTES];
};

/* For which values of a byte a pointer that the path's call gives is what it was, and for which it is null. */
struct sieve_pointer {
	const struct formula_piece *piece;
	struct sieve_hole same, null;
	bool is_known;                /* it depends on that one byte */
};

struct sieve {
	VEC(struct sieve_hole) holes; /* by object and offset */
	VEC(struct sieve_number) numbers;
	VEC(struct sieve_shape *) shapes; /* its own */
	VEC(struct sieve_pointer) pointers; /* those that were asked for */
};

/* Of a path, which is borrowed. */
void sieve_take(struct sieve *s, const struct formula *path);
void sieve_free(struct sieve *s);

/* The same for the same demands. */
struct digest sieve_name(const struct sieve *s);

/* What has to be so of the caller's input, so that the call at the end of its path gives what `below` allows: with what the path demands itself, if it is to be so `whole`. own: of the caller's path; its shapes are borrowed. given: objects of the callee's plan. False: the call cannot. */
bool sieve_through(struct sieve *s, const struct sieve *below, const struct formula *caller, struct sieve *own, bool whole, uint32_t given);

#endif
