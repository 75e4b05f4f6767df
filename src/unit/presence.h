/* What pointers were seen to be in system tests: null, somewhere, or where another one leads. Of a function that no test calls something is known all the same: its variables and structs are others' too, and whoever is called by a pointer is called as those are that the pointer leads to otherwise. */
#ifndef TANDEM_UNIT_PRESENCE_H
#define TANDEM_UNIT_PRESENCE_H

#include "base/arena.h"
#include "unit/carve.h"
#include "unit/formula.h"
#include "unit/program.h"

struct presence;

struct presence *presence_new(struct unit_program *p);
void presence_free(struct presence *p);

/* What calls of the function have told of its plan's slots (carve_pointers). */
void presence_note(struct presence *p, uint32_t function, const struct plan *plan, const uint8_t *seen);

/* How the pointers of a function's input are if nothing more is known of whoever calls it, by object and offset; in the arena. seen: as above; NULL: it was never called. */
size_t presence_expect(const struct presence *p, uint32_t function, const struct plan *plan, const uint8_t *seen, struct arena *arena, const struct formula_pointer **out);

#endif
