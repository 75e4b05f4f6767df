/* Only what changes is copied: most models change one byte of one object. */
#include "solve/model.h"

#include <string.h>

#define FILLER 'A' /* what an object grows by where nothing is demanded */

static void own(struct content *o, uint64_t length, struct arena *arena)
{
	uint8_t *bytes = arena_alloc(arena, length + 1);
	uint64_t same = length < o->length ? length : o->length;
	if (same)
		memcpy(bytes, o->bytes, same);
	memset(bytes + same, FILLER, length - same);
	*o = (struct content){ bytes, length };
}

struct assignment model_apply(const struct slice *s, const uint64_t *values, struct arena *arena)
{
	const struct assignment *seed = &path_source(s->path)->seed;
	struct content *objects = arena_copy(arena, seed->objects, seed->count * sizeof *objects);
	bool *owned = arena_alloc(arena, seed->count + 1);
	for (uint32_t i = s->variables_count; i-- > 0;) { /* a length comes before its bytes that way */
		const struct variable *v = &s->variables[i];
		struct content *o = v->object < seed->count ? &objects[v->object] : NULL;
		bool same = !o || (v->is_length ? values[i] == o->length : v->offset >= o->length || o->bytes[v->offset] == values[i]);
		if (same)
			continue;
		if (!owned[v->object] || v->is_length)
			own(o, v->is_length ? values[i] : o->length, arena);
		owned[v->object] = true;
		if (!v->is_length)
			((uint8_t *)o->bytes)[v->offset] = (uint8_t)values[i];
	}
	return (struct assignment){ objects, seed->count };
}

bool model_resizes(const struct slice *s, const uint64_t *values)
{
	for (uint32_t i = 0; i < s->variables_count; i++)
		if (s->variables[i].is_length && values[i] != s->variables[i].seed)
			return true;
	return false;
}
