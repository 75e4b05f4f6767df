/* Two reports are one bug if their class is the same and so are the lines of the innermost OWN different functions of the program's own code on the call stack; library
 * functions in between count, but not towards the number. Why so:
 *
 * - One line is too little: a helper that everybody calls with a bad index has as many bugs as it has careless callers. All lines are too many: who called the
 *   caller's caller makes no other bug, and one parser reached from ten commands would have ten.
 * - Different functions: a recursion that is deeper, or went another way, is the same bug.
 * - Lines and names, not addresses. A function has several versions (trace/symbols.c): its caller may have been on either side, which is two return addresses of one
 *   call. And addresses differ between sessions, which are told of old bugs by name. Where there is no debug information, what counts is the function, and of the
 *   innermost the offset in its module, by the module's build.
 *
 * Of a crash without a report nothing is known but the signal and the last branch on the way that depended on the input: that one, and its side. Of a hang likewise, but
 * where a loop was when it was stopped is chance: see hang_edge in bugs.c. At most one hang is told of each place.
 *
 * Looking up lines is slow, so a name is remembered by the addresses, seen from their modules. */
#include "engine/title.h"

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"

#include <string.h>

#define OWN 3
#define NAMELESS 4 /* frames, if there are no lines at all */

enum { KIND_REPORT = 1, KIND_SIGNAL, KIND_HANG };

struct remembered {
	uint64_t raw, title;
};

struct titles {
	const struct facts *facts;
	struct symbols *symbols;
	VEC(struct remembered) seen;
};

struct titles *titles_new(const struct facts *facts)
{
	struct titles *t = mem_alloc(sizeof *t);
	t->facts = facts;
	t->symbols = symbols_open(facts);
	return t;
}

void titles_free(struct titles *t)
{
	if (!t)
		return;
	symbols_close(t->symbols);
	vec_free(&t->seen);
	free(t);
}

/* --- hashing --- */

static uint64_t add(uint64_t h, uint64_t x)
{
	return rng_mix(h ^ x);
}

static uint64_t add_text(uint64_t h, const char *text)
{
	size_t n = 0;
	for (; text && text[n]; n++)
		h = (h ^ (uint8_t)text[n]) * 0x100000001b3u;
	return rng_mix(h ^ n);
}

static uint64_t build_of(const struct facts *facts, const char *path)
{
	for (size_t i = 0; path && facts && i < facts->modules_count; i++)
		if (strcmp(facts->modules[i].path, path) == 0)
			return facts->modules[i].build;
	const char *slash = path ? strrchr(path, '/') : NULL;
	return add_text(0, slash ? slash + 1 : path); /* not ours: a library of the system */
}

/* --- reports --- */

static bool is_same(const struct symbols_frame *x, const struct symbols_frame *y)
{
	if (!x->function || !y->function)
		return x->function == y->function && x->line == y->line && x->column == y->column && x->offset == y->offset;
	return strcmp(x->function, y->function) == 0 && (!x->file || !y->file || strcmp(x->file, y->file) == 0);
}

static bool came_before(const struct symbols_frames *frames, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_same(&frames->at[i], &frames->at[n]))
			return true;
	return false;
}

static uint64_t add_frame(uint64_t h, const struct symbols_frame *f, bool innermost, const struct facts *facts)
{
	h = add_text(add_text(h, f->function), f->file);
	h = add(h, (uint64_t)f->line << 32 | f->column);
	if (!f->line && f->module && (innermost || !f->function))
		h = add(add(h, build_of(facts, f->module)), f->offset);
	return h;
}

uint64_t title_of_stack(const char *class, const struct symbols_frames *frames, const struct facts *facts)
{
	uint64_t h = add_text(KIND_REPORT, class);
	size_t own = 0, lines = 0, told = 0;
	for (size_t i = 0; i < frames->count; i++)
		lines += frames->at[i].line != 0;
	for (size_t i = 0; i < frames->count && own < OWN && (lines || told < NAMELESS); i++) {
		if (came_before(frames, i))
			continue;
		h = add_frame(h, &frames->at[i], !lines && !told, facts);
		own += frames->at[i].line != 0;
		told++;
	}
	return h;
}

/* By addresses, as they are in the files. */
static uint64_t raw_name(const struct facts *facts, const struct td_report *r, const struct td_report_stack *s)
{
	uint64_t h = add(add(r->violation, r->object.kind), s->place);
	for (uint32_t i = 0; i < s->count; i++) {
		uint64_t address = s->frames[i];
		for (uint32_t m = 0; m < r->modules_count; m++)
			if (s->frames[i] - r->modules[m].start < r->modules[m].end - r->modules[m].start) {
				address -= r->modules[m].bias;
				h = add(h, m ? build_of(facts, r->modules[m].path) : 0);
				break;
			}
		h = add(h, address);
	}
	return add_text(add(h, r->member_size != 0), r->library ? r->text : NULL);
}

uint64_t title_of_report(struct titles *t, const struct td_report *r)
{
	/* A leak does not happen: it is where the block came from. */
	enum td_report_where where = r->stacks[TD_WHERE_HAPPENED].count ? TD_WHERE_HAPPENED : TD_WHERE_MADE;
	uint64_t raw = raw_name(t->facts, r, &r->stacks[where]);
	for (size_t i = 0; i < t->seen.count; i++)
		if (t->seen.at[i].raw == raw)
			return t->seen.at[i].title;
	struct arena *a = arena_new();
	struct str class = {0};
	struct symbols_frames frames = symbols_stack(t->symbols, r, where, a);
	report_class(r, &class);
	uint64_t title = title_of_stack(str_text(&class), &frames, t->facts);
	vec_push(&t->seen, (struct remembered){ raw, title });
	str_free(&class);
	arena_free(a);
	return title;
}

/* --- without a report --- */

uint64_t title_of_signal(const struct facts *facts, int signal, uint32_t edge)
{
	const struct facts_module *m = edge == TD_NO_SITE ? NULL : facts_module(facts, edge);
	uint64_t h = add(KIND_SIGNAL, (uint64_t)signal);
	return m ? add(add(h, m->build), edge - m->first_edge) : h;
}

uint64_t title_of_hang(const struct facts *facts, uint32_t edge)
{
	const struct facts_module *m = edge == TD_NO_SITE ? NULL : facts_module(facts, edge);
	return m ? add(add(KIND_HANG, m->build), edge - m->first_edge) : KIND_HANG;
}
