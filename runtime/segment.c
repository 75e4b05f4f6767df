/* What the loader has put in memory when main begins: every segment of the program and of its libraries is an object of
 * uninstrumented code, until somebody who knows better adds the variables in it. */
#include "object.h"

#include <link.h>

enum { MAX_SEGMENTS = 2048 };

struct segments {
	unsigned count;
	struct { uint64_t start, size; } at[MAX_SEGMENTS];
};

static int collect(struct dl_phdr_info *module, size_t size, void *context)
{
	struct segments *all = context;
	(void)size;
	for (unsigned i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &module->dlpi_phdr[i];
		if (h->p_type != PT_LOAD || !h->p_memsz || all->count == MAX_SEGMENTS)
			continue;
		all->at[all->count].start = module->dlpi_addr + h->p_vaddr;
		all->at[all->count].size = h->p_memsz;
		all->count++;
	}
	return 0;
}

/* The loader is asked while the lock of the runtime is free: a thread that holds the loader's may wait for ours. */
void segment_add_all(void)
{
	struct segments all;
	all.count = 0;
	dl_iterate_phdr(collect, &all);
	if (!state_enter())
		return;
	for (unsigned i = 0; i < all.count; i++)
		object_add(TD_OBJECT_FOREIGN, all.at[i].start, all.at[i].size, NULL);
	state_leave();
}
