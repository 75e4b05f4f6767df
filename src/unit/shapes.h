/* What a pointer leads to, if not what its type says: functions that take a struct for the one that it is the beginning of, or nothing that has a type for a struct. */
#ifndef TANDEM_UNIT_SHAPES_H
#define TANDEM_UNIT_SHAPES_H

#include "unit/program.h"

struct shapes;

struct shapes *shapes_new(struct unit_program *p);
void shapes_free(struct shapes *s);

/* The parameter leads to `of`, by its type: to what else in truth? NULL: to that. Parameters are counted as in machine code. */
const struct type *shapes_parameter(const struct shapes *s, uint32_t function, uint32_t parameter, const struct type *of);

/* The largest struct that begins with one of this type, and that some function of the program takes one for; NULL: there is none. */
const struct type *shapes_around(const struct shapes *s, const struct type *of);

#endif
