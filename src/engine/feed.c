/* Object numbers are the trace's business: they are matched by kind and argument number, never by position, so
 * that marks in the program may come in between. An argument object includes its NUL, which the solver may overwrite:
 * the argument is then one byte longer. */
#include "engine/feed.h"

#include "expr/op.h"

#include <string.h>

#define FILLER 'A'

/* Bytes that nobody changes, as far as the trace has them. */
static struct content recorded(const struct trace *t, uint32_t object, struct arena *arena)
{
	uint64_t length = t->inputs[object].length;
	if (length > t->terms.count) /* a garbled length; each byte has its node */
		length = t->terms.count;
	uint8_t *bytes = arena_alloc(arena, length + 1);
	for (uint32_t id = 1; id < t->terms.count; id++) {
		const struct td_node *n = &t->terms.nodes[id];
		if (n->op == TD_INPUT && n->a == object && n->b < length)
			bytes[n->b] = (uint8_t)n->lo;
	}
	return (struct content){ bytes, length };
}

struct assignment feed_assignment(const struct testcase *f, const struct trace *t, struct arena *arena)
{
	struct content *objects = arena_alloc(arena, (t->inputs_count + 1) * sizeof *objects);
	for (uint32_t i = 0; i < t->inputs_count; i++) {
		const struct td_input *in = &t->inputs[i];
		if (in->kind == TD_IN_STDIN)
			objects[i] = (struct content){ f->bytes, f->size };
		else if (in->kind == TD_IN_ARG && in->index < f->args_count)
			objects[i] = (struct content){ (const uint8_t *)f->args[in->index], strlen(f->args[in->index]) + 1 };
		else
			objects[i] = recorded(t, i, arena);
	}
	return (struct assignment){ objects, t->inputs_count };
}

struct testcase feed_from(const struct testcase *seed, const struct trace *t, const struct assignment *content, struct arena *arena)
{
	struct testcase f = *seed;
	const char **args = arena_copy(arena, seed->args, seed->args_count * sizeof *args);
	for (uint32_t i = 0; i < t->inputs_count && i < content->count; i++) {
		const struct td_input *in = &t->inputs[i];
		const struct content *c = &content->objects[i];
		if (in->kind == TD_IN_STDIN) {
			f.bytes = c->bytes;
			f.size = c->length;
		} else if (in->kind == TD_IN_ARG && in->index < seed->args_count) {
			size_t length = strnlen((const char *)c->bytes, c->length);
			char *text = arena_alloc(arena, length + 1);
			memcpy(text, c->bytes, length);
			args[in->index] = text;
		}
	}
	f.args = args;
	return f;
}

struct testcase feed_resized(const struct testcase *f, size_t size, struct arena *arena)
{
	struct testcase out = *f;
	uint8_t *bytes = arena_alloc(arena, size + 1);
	size_t same = size < f->size ? size : f->size;
	if (same)
		memcpy(bytes, f->bytes, same);
	memset(bytes + same, FILLER, size - same);
	out.bytes = bytes;
	out.size = size;
	return out;
}
