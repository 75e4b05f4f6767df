/* How models take characters out of glibc's FILE. */
#ifndef TANDEM_MODELS_STREAM_H
#define TANDEM_MODELS_STREAM_H

#include "model.h"

#include <stdio.h>

int __underflow(FILE *f);

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
