/* See packing.h. Names of marks are in it, since a run may have marks that the input before did not; names and types of files are not. */
#include "testcase/packing.h"

#include <string.h>

static void put_texts(struct pack *p, const char *const *texts, size_t count)
{
	pack_number(p, count);
	for (size_t i = 0; i < count; i++)
		pack_text(p, texts[i]);
}

static void put_block(struct pack *p, const uint8_t *bytes, size_t size)
{
	pack_number(p, size);
	pack_bytes(p, bytes, size);
}

void testcase_pack(struct pack *p, const struct testcase *t)
{
	put_texts(p, t->args, t->args_count);
	put_texts(p, t->env, t->env_count);
	put_block(p, t->bytes, t->size);
	for (size_t i = 0; i < t->files_count; i++) {
		put_block(p, t->files[i].bytes, t->files[i].size);
		pack_number(p, t->files[i].mode);
		pack_number(p, (uint64_t)t->files[i].mtime);
	}
	pack_number(p, t->marks_count);
	for (size_t i = 0; i < t->marks_count; i++) {
		pack_text(p, t->marks[i].name);
		put_block(p, t->marks[i].bytes, t->marks[i].size);
	}
}

static const uint8_t *take_block(struct unpack *u, size_t *size, struct arena *arena)
{
	const uint8_t *bytes = unpack_block(u, size);
	return *size ? arena_copy(arena, bytes, *size) : NULL;
}

static const char *take_text(struct unpack *u, struct arena *arena)
{
	size_t size;
	const uint8_t *bytes = unpack_block(u, &size);
	return arena_printf(arena, "%.*s", (int)size, bytes ? (const char *)bytes : "");
}

/* How many of something follow, each at least a byte. */
static size_t take_count(struct unpack *u)
{
	uint64_t n = unpack_number(u);
	u->bad |= n > (size_t)(u->end - u->at);
	return u->bad ? 0 : (size_t)n;
}

static const char *const *take_texts(struct unpack *u, size_t *count, struct arena *arena)
{
	*count = take_count(u);
	const char **texts = arena_alloc(arena, (*count + 1) * sizeof *texts);
	for (size_t i = 0; i < *count; i++)
		texts[i] = take_text(u, arena);
	return texts;
}

bool testcase_unpack(struct unpack *u, const struct testcase *like, struct testcase *out, struct arena *arena)
{
	struct testcase_file *files = arena_alloc(arena, (like->files_count + 1) * sizeof *files);
	*out = *like;
	out->args = take_texts(u, &out->args_count, arena);
	out->env = take_texts(u, &out->env_count, arena);
	out->bytes = take_block(u, &out->size, arena);
	for (size_t i = 0; i < like->files_count; i++) {
		files[i] = like->files[i];
		files[i].bytes = take_block(u, &files[i].size, arena);
		files[i].mode = (uint32_t)unpack_number(u);
		files[i].mtime = (int64_t)unpack_number(u);
	}
	out->files = files;
	out->marks_count = take_count(u);
	struct testcase_mark *marks = arena_alloc(arena, (out->marks_count + 1) * sizeof *marks);
	for (size_t i = 0; i < out->marks_count; i++) {
		marks[i].name = take_text(u, arena);
		marks[i].bytes = take_block(u, &marks[i].size, arena);
	}
	out->marks = marks;
	return !u->bad;
}
