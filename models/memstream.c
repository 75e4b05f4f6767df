/* Streams over memory have no terms: what is written to one comes back unseen. */
#include "stream.h"

#include "contract/slots.h"

#include <stdio.h>

FILE *MODEL(open_memstream)(char **text, size_t *size)
{
	__td_unseen(TD_UNSEEN_MEMORY, 0);
	return open_memstream(text, size);
}

FILE *MODEL(fmemopen)(void *memory, size_t size, const char *mode)
{
	__td_handed("fmemopen");
	if (mode[0] == 'r' && memory)
		__td_external(memory, size, TD_EFFECT_READS);
	if (mode[0] != 'r' || mode[1])
		__td_unseen(TD_UNSEEN_MEMORY, 0);
	return fmemopen(memory, size, mode);
}

FILE *MODEL(fopencookie)(void *cookie, const char *mode, cookie_io_functions_t functions)
{
	__td_unseen(TD_UNSEEN_MEMORY, 0);
	return fopencookie(cookie, mode, functions);
}
