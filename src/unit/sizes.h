/* Which integer says how many elements are behind which pointer, by their names: buf and buf_len, or a pointer and an n right behind it. */
#ifndef TANDEM_UNIT_SIZES_H
#define TANDEM_UNIT_SIZES_H

#include "trace/types.h"

/* Of parameters, or of members of a struct: the pointer that the integer goes with; `count`: none. */
size_t sizes_pointer(const struct type_member *members, size_t count, size_t integer);

#endif
