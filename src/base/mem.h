/* Memory that is there or ends the process: no caller can do better than stop, and a campaign can be resumed. */
#ifndef TANDEM_BASE_MEM_H
#define TANDEM_BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size);                                    /* zeroed */
void *mem_resize(void *old, size_t size);
void *mem_resize_array(void *old, size_t count, size_t element); /* also checks the product */

/* The block will be read all over: large pages, if the system has any. Before it is used. */
void mem_spread(void *block, size_t size);

#endif
