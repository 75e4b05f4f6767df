/* Which pointer is the end of what another one leads to, by their names: buf and buf_end, ptr and end, fromP and fromLim. */
#ifndef TANDEM_UNIT_ENDS_H
#define TANDEM_UNIT_ENDS_H

#include "trace/types.h"

struct end {
	size_t begin;       /* the pointer that leads to the beginning, */
	bool is_indirect;   /* or to the pointer that does */
};

/* Of parameters, members of a struct, or variables: false if the pointer is the end of nothing. */
bool end_find(const struct type_member *members, size_t count, size_t pointer, struct end *out);

#endif
