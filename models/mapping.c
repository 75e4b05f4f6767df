/* Mappings as objects. In traced runs the system is asked to put them where the runtime says, with room between them: the same input has the
 * same addresses, and no two are neighbours, which a program may join and use as one. One that wants a certain place builds something of its
 * own: that mapping is part of the one it lies in, or unknown memory. */
#include "model.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

enum { MEMORY, OF_FILE, PLACED }; /* enum td_mapped */

void *MODEL(mmap)(void *wish, size_t bytes, int access, int flags, int fd, off_t at)
{
	int special = MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_GROWSDOWN | MAP_STACK | MAP_HUGETLB, placed = wish || flags & special;
	void *p = mmap(placed ? wish : (void *)__td_map_hint(bytes), bytes, access, flags, fd, at);
	if (p == MAP_FAILED && errno == ENOMEM)
		__td_refused(bytes);
	if (p != MAP_FAILED)
		__td_mapped(p, bytes, placed ? PLACED : flags & MAP_ANONYMOUS ? MEMORY : OF_FILE, access);
	if (p != MAP_FAILED && !(flags & MAP_ANONYMOUS))
		__td_input_mapped(fd, p, bytes, (uint64_t)at, access);
	return p;
}

void *MODEL(mmap64)(void *wish, size_t bytes, int access, int flags, int fd, off_t at)
{
	return MODEL(mmap)(wish, bytes, access, flags, fd, at);
}

int MODEL(munmap)(void *p, size_t bytes)
{
	int result = munmap(p, bytes);
	if (result == 0)
		__td_unmapped(p, bytes);
	return result;
}

int MODEL(mprotect)(void *p, size_t bytes, int access)
{
	int result = mprotect(p, bytes, access);
	if (result == 0)
		__td_protected(p, bytes, access);
	return result;
}

/* One that may move and grows does move, like a block, so that pointers to the old place are found out. */
static void *grow(void *old, size_t bytes, size_t wanted)
{
	void *hint = (void *)__td_map_hint(wanted);
	int before = errno;
	void *p = hint ? mremap(old, bytes, wanted, MREMAP_MAYMOVE | MREMAP_FIXED, hint) : MAP_FAILED;
	if (p != MAP_FAILED)
		return p;
	errno = before;
	return mremap(old, bytes, wanted, MREMAP_MAYMOVE);
}

void *MODEL(mremap)(void *old, size_t bytes, size_t wanted, int flags, ...)
{
	void *wish = NULL;
	if (flags & MREMAP_FIXED) {
		va_list arguments;
		va_start(arguments, flags);
		wish = va_arg(arguments, void *);
		va_end(arguments);
	}
	void *p = flags == MREMAP_MAYMOVE && bytes && wanted > bytes ? grow(old, bytes, wanted) : mremap(old, bytes, wanted, flags, wish);
	if (p != MAP_FAILED)
		__td_remapped(p, old, bytes, wanted, flags & MREMAP_DONTUNMAP || !bytes);
	return p;
}
