/* Allocation that does not fail; see mem.h. This is the one place in the host where memory runs out, so a test that
 * fails the Nth allocation has one place to hook into. */
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Noreturn void run_out(void)
{
	static const char text[] = "tandem: out of memory\n";
	ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
	(void)ignored;
	_exit(6);
}

void *mem_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);
	if (!p)
		run_out();
	return p;
}

void *mem_resize(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);
	if (!p)
		run_out();
	return p;
}

void *mem_resize_array(void *old, size_t count, size_t element)
{
	if (element && count > SIZE_MAX / element)
		run_out();
	return mem_resize(old, count * element);
}

void mem_spread(void *block, size_t size)
{
	const uintptr_t large = (uintptr_t)2 << 20;
	uintptr_t start = ((uintptr_t)block + large - 1) & -large, end = ((uintptr_t)block + size) & -large;
	if (start < end)
		madvise((void *)start, end - start, MADV_HUGEPAGE);
}
