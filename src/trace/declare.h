/* Declarations of C for types that the debug information tells of. */
#ifndef TANDEM_TRACE_DECLARE_H
#define TANDEM_TRACE_DECLARE_H

#include "base/str.h"
#include "trace/types.h"

/* "struct node *next", "int table[8]"; a name with parameters behind it makes a function of it. False: the type, or one that it is made of, has no name. */
bool declare_print(const struct type *t, const char *name, struct str *out);

/* "int": a number's type by what it is in memory, which every source knows, whatever it is called. NULL: there is none. */
const char *declare_plain(const struct type *t);

#endif
