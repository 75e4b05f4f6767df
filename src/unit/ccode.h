/* Objects of a plan as statements of C that make them, in the words of the source that has the function. */
#ifndef TANDEM_UNIT_CCODE_H
#define TANDEM_UNIT_CCODE_H

#include "base/arena.h"
#include "base/str.h"
#include "unit/plan.h"

/* What that source has, and by which names. */
struct ccode_names {
	void *context;
	const char *(*variable)(void *context, const struct type_variable *v, bool *is_bytes); /* an expression; is_bytes: its type has no name there, and it is an address */
	const char *(*function)(void *context, uint32_t index);
	const char *(*stream)(void *context, uint32_t index);                  /* standard input, output, error */
	const char *(*somewhere)(void *context);                               /* an address where nobody can look */
	bool (*knows)(void *context, const struct type *t);                    /* a struct or union */
	bool (*start)(void *context, const struct type_variable *v, uint64_t size, uint8_t *out, bool *clear); /* as types_start */
};

/* Objects that know only each other: the given ones, or those of one call of a stub. */
struct ccode {
	const struct plan *plan;
	size_t first, count;
	const struct plan_value *values; /* of these: bytes of their marks */
	const struct ccode_names *names;
	const char *indent;              /* of the statements */
};

/* Declares the arguments by these names, makes what they lead to, and sets variables. False: the type of an argument has no name. */
bool ccode_given(const struct ccode *c, const char *const *arguments, struct str *out, struct err *err);

/* The last one is "return ...;". result: a variable of that name, as it is declared; is_void_pointer: as one to void, whatever it leads to. */
void ccode_result(const struct ccode *c, const char *result, bool is_void_pointer, struct str *out);

#endif
