/* Debug information and symbols of one ELF file. */
#ifndef TANDEM_TRACE_DEBUG_H
#define TANDEM_TRACE_DEBUG_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct debug;

/* NULL: there is no such file, or it is none that can be read. What is missing in it is simply not found later. */
struct debug *debug_open(const char *path);
void debug_close(struct debug *d);

struct debug_place {
	const char *function;  /* NULL: not known */
	const char *file;      /* NULL: not known; without detours, absolute if the compiler's directory is known */
	uint32_t line, column; /* 0: not known */
};

/* What the instruction at an address of the file belongs to: the innermost inlined call first, the function itself last.
 * 0: there is no debug information about it. Texts are the file's own or in the arena. */
size_t debug_find(struct debug *d, uint64_t address, struct debug_place *places, size_t room, struct arena *a);

/* An instruction of the function around an address that is of this line and column: the next one, or the last before it; the address itself: there is none.
 * For an instruction that stands for another: it has the function in common with it, not what was inlined there, nor the file. */
uint64_t debug_instead(struct debug *d, uint64_t address, uint32_t line, uint32_t column);

bool debug_is_runtime(const struct debug *d, uint64_t address);   /* is it code of the runtime? Known without symbols too */
bool debug_is_model(struct debug *d, uint64_t address);           /* is it code of models/? */
const char *debug_symbol(const struct debug *d, uint64_t address); /* the function symbol that covers it, or NULL */
bool debug_has_symbol(const struct debug *d, const char *name);   /* a function of that name */

#endif
