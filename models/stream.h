/* What models of input and output share: room for bytes, and how characters are taken out of glibc's FILE. */
#ifndef TANDEM_MODELS_STREAM_H
#define TANDEM_MODELS_STREAM_H

#include "model.h"

#include <stdio.h>

int __underflow(FILE *f);

/* More than there is room for is an error, when reading only if there is so much: a path of its own. */
static inline void part_at_room(const void *memory, size_t n)
{
	if (n > __td_room_at(memory))
		__asm__ volatile("");
}

/* Makes sure that a byte is there; 0 at the end of the file. */
static inline int fill(FILE *f)
{
	if (f->_IO_read_ptr < f->_IO_read_end)
		return 1;
	const char *old_end = f->_IO_read_end;
	int c = __underflow(f);
	__td_input_filled(f, old_end, c == EOF); /* before anything depends on it */
	return c != EOF;
}

#endif
