/* See testcase.h. */
#include "testcase/testcase.h"

#include "base/rng.h"

#include <string.h>

static const char *const *copy_strings(const char *const *from, size_t count, struct arena *arena)
{
	const char **to = arena_alloc(arena, (count + 1) * sizeof *to);
	for (size_t i = 0; i < count; i++)
		to[i] = arena_strdup(arena, from[i]);
	return to;
}

static const uint8_t *copy_bytes(const uint8_t *from, size_t size, struct arena *arena)
{
	return size ? arena_copy(arena, from, size) : NULL;
}

struct testcase testcase_copy(const struct testcase *t, struct arena *arena)
{
	struct testcase copy = *t;
	struct testcase_file *files = arena_alloc(arena, (t->files_count + 1) * sizeof *files);
	struct testcase_mark *marks = arena_alloc(arena, (t->marks_count + 1) * sizeof *marks);
	for (size_t i = 0; i < t->files_count; i++) {
		files[i] = t->files[i];
		files[i].path = arena_strdup(arena, t->files[i].path);
		files[i].bytes = copy_bytes(t->files[i].bytes, t->files[i].size, arena);
	}
	for (size_t i = 0; i < t->marks_count; i++) {
		marks[i] = t->marks[i];
		marks[i].name = arena_strdup(arena, t->marks[i].name);
		marks[i].bytes = copy_bytes(t->marks[i].bytes, t->marks[i].size, arena);
	}
	copy.args = copy_strings(t->args, t->args_count, arena);
	copy.bytes = copy_bytes(t->bytes, t->size, arena);
	copy.env = copy_strings(t->env, t->env_count, arena);
	copy.files = files;
	copy.marks = marks;
	copy.directory = t->directory ? arena_strdup(arena, t->directory) : NULL;
	return copy;
}

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t size)
{
	const uint8_t *b = bytes;
	for (size_t i = 0; i < size; i++)
		h = (h ^ b[i]) * 0x100000001b3u;
	return rng_mix(h ^ size);
}

static uint64_t hash_string(uint64_t h, const char *s)
{
	return hash_bytes(h, s, strlen(s));
}

uint64_t testcase_hash(const struct testcase *t)
{
	uint64_t h = hash_bytes(1, t->bytes, t->size) ^ t->input ^ (uint64_t)t->umask << 8;
	for (size_t i = 1; i < t->args_count; i++)
		h = hash_string(h, t->args[i]);
	for (size_t i = 0; i < t->env_count; i++)
		h = hash_string(h, t->env[i]);
	for (size_t i = 0; i < t->files_count; i++) {
		const struct testcase_file *f = &t->files[i];
		h = hash_bytes(hash_string(h, f->path), f->bytes, f->size) ^ f->mode;
		h = rng_mix(h ^ (uint64_t)f->mtime) ^ f->type;
	}
	for (size_t i = 0; i < t->marks_count; i++)
		h = hash_bytes(hash_string(h, t->marks[i].name), t->marks[i].bytes, t->marks[i].size);
	return h;
}

size_t testcase_size(const struct testcase *t)
{
	size_t size = t->size;
	for (size_t i = 0; i < t->files_count; i++)
		size += t->files[i].size;
	return size;
}
