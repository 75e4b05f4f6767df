/* The sections of a binary that Tandem reads: program facts, and where the edges and function records they speak of are. */
#ifndef TANDEM_TRACE_BINARY_H
#define TANDEM_TRACE_BINARY_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Addresses are those in the file. */
struct facts_section {
	const void *bytes;
	size_t size;
	uint64_t address;
	uint64_t edges_address, edges_size;
	uint64_t functions_address, functions_size;
};

enum binary_kind {
	BINARY_PROGRAM, /* with a runtime in it */
	BINARY_LIBRARY  /* that uses the program's */
};

/* s->bytes is the caller's to free. The message of a program names it; of a library it is a reason alone. */
bool binary_read(struct facts_section *s, const char *path, enum binary_kind kind, struct err *err);

#endif
