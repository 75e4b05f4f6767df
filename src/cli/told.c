/* See told.h. The bytes go from one process to another of the same program, so numbers are as they are in memory. */
#include "cli/told.h"

#include "cli/cases.h"
#include "base/fs.h"

#include <string.h>

#define NUMBERS 7

/* --- bytes --- */

static void put(struct str *out, const void *bytes, size_t size)
{
	str_add_bytes(out, &size, sizeof size);
	if (size)
		str_add_bytes(out, bytes, size);
}

static void put_text(struct str *out, const char *text)
{
	put(out, text ? text : "", text ? strlen(text) : 0);
}

void told_pack(const struct told *t, struct str *out)
{
	uint64_t numbers[NUMBERS] = { t->kind, t->name, t->hash, t->parent, t->run, t->distance, t->depth };
	put(out, numbers, sizeof numbers);
	put_text(out, t->test);
	put_text(out, t->class);
	put_text(out, t->place);
	put_text(out, t->file);
	put(out, t->content, t->size);
	put(out, t->original, t->original_size);
	put_text(out, t->line);
	put_text(out, t->more);
	put(out, t->edges, t->edges_count * sizeof *t->edges);
}

struct reader {
	const char *at, *end;
	struct arena *arena;
};

/* The next piece, with a NUL behind it; NULL: there is none. */
static const void *take(struct reader *r, size_t *size)
{
	if ((size_t)(r->end - r->at) < sizeof *size)
		return NULL;
	memcpy(size, r->at, sizeof *size);
	r->at += sizeof *size;
	if ((size_t)(r->end - r->at) < *size)
		return NULL;
	char *bytes = arena_alloc(r->arena, *size + 1);
	memcpy(bytes, r->at, *size);
	bytes[*size] = '\0';
	r->at += *size;
	return bytes;
}

bool told_unpack(struct told *t, const void *bytes, size_t size, struct arena *arena)
{
	struct reader r = { bytes, (const char *)bytes + size, arena };
	size_t n, edges;
	const uint64_t *numbers = take(&r, &n);
	if (!numbers || n != NUMBERS * sizeof *numbers)
		return false;
	*t = (struct told){ .kind = (enum told_kind)numbers[0], .name = numbers[1], .hash = numbers[2], .parent = numbers[3], .run = numbers[4], .distance = (uint32_t)numbers[5], .depth = (uint32_t)numbers[6] };
	t->test = take(&r, &n);
	t->class = take(&r, &n);
	t->place = take(&r, &n);
	t->file = take(&r, &n);
	t->content = take(&r, &t->size);
	t->original = take(&r, &t->original_size);
	t->line = take(&r, &n);
	t->more = take(&r, &n);
	t->edges = take(&r, &edges);
	t->edges_count = edges / sizeof *t->edges;
	return t->edges && r.at == r.end;
}

/* --- keeping --- */

static bool write_file(const char *directory, const char *file, const char *content, size_t size, struct err *err)
{
	struct str path = {0};
	const char *slash = strrchr(file, '/');
	str_printf(&path, "%s/%.*s", directory, slash ? (int)(slash - file) : 0, file);
	bool ok = cases_make_dir(str_text(&path), err);
	str_clear(&path);
	str_printf(&path, "%s/%s", directory, file);
	ok = ok && fs_write(str_text(&path), content, size, err);
	str_free(&path);
	return ok;
}

static bool write_original(const struct told *t, const char *directory, struct err *err)
{
	struct str file = {0};
	const char *slash = strrchr(t->file, '/');
	if (!t->original_size)
		return true;
	str_printf(&file, "originals/%s", slash ? slash + 1 : t->file);
	bool ok = write_file(directory, str_text(&file), t->original, t->original_size, err);
	str_free(&file);
	return ok;
}

/* Tests are known by the names of their files. */
static bool keep_sighting(const struct told *t, struct campaign *c, struct err *err)
{
	const char *slash = t->test ? strrchr(t->test, '/') : NULL, *test = slash ? slash + 1 : t->test;
	return !test || !*test || campaign_add_sighting(c, &(struct campaign_sighting){ t->name, test, t->distance, t->depth }, err);
}

/* The files first: what the campaign knows is there. */
bool told_keep(const struct told *t, const char *directory, struct campaign *c, struct err *err)
{
	if (t->kind == TOLD_AGAIN)
		return keep_sighting(t, c, err);
	if (!write_original(t, directory, err) || !write_file(directory, t->file, t->content, t->size, err))
		return false;
	if (t->kind == TOLD_BUG)
		return keep_sighting(t, c, err) && campaign_add_bug(c, &(struct campaign_bug){ t->name, t->hash, t->parent, t->run, t->class, t->place, t->file }, err);
	return campaign_add_test(c, &(struct campaign_test){ t->hash, t->parent, t->run, (uint32_t)t->edges_count, t->file }, t->edges, t->edges_count, err);
}
