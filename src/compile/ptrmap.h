/* A map from pointer to pointer, for what LLVM values have no field for. Zero-initialised is empty. */
#ifndef TANDEM_COMPILE_PTRMAP_H
#define TANDEM_COMPILE_PTRMAP_H

#include <stddef.h>

struct ptrmap {
	void **keys, **values;
	size_t used, capacity;
};

void *ptrmap_get(const struct ptrmap *map, const void *key); /* NULL if absent */
void ptrmap_set(struct ptrmap *map, void *key, void *value);
void ptrmap_clear(struct ptrmap *map);
void ptrmap_free(struct ptrmap *map);

#endif
