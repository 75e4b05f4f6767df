/* Numbers and texts as constants of C. */
#ifndef TANDEM_UNIT_LITERAL_H
#define TANDEM_UNIT_LITERAL_H

#include "base/arena.h"
#include "base/str.h"
#include "trace/types.h"

/* 16 bytes, or as many as the type has; of a bit-field the value alone, with its sign. In the arena. NULL: C has no constant for it. names: those of an enum are known. */
const char *literal_number(const struct type *t, const uint8_t *bytes, bool names, struct arena *arena);

/* "\001ab": between quotes, on several lines if it is long, which begin with the indent. */
void literal_text(const uint8_t *bytes, size_t size, const char *indent, struct str *out);

#endif
