/* Who calls whom in a program: by name, and through pointers as far as types tell. */
#ifndef TANDEM_SEARCH_CALLS_H
#define TANDEM_SEARCH_CALLS_H

#include <stdint.h>

struct facts;

/* Blocks and functions are numbered as by flow_each. */
struct call {
	uint32_t block;           /* that calls */
	uint32_t function, entry; /* what it calls, and the block that begins with */
};

/* A call through a pointer is one of each that it may be. What is not in the program is left out. */
typedef void calls_visit(void *context, const struct call *c);
void calls_each(const struct facts *f, calls_visit *visit, void *context);

#endif
