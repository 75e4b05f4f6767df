/* Call stacks as the source has them. What a compiled function NAME is made of (src/compile/clone.c, twin.c):
 *
 *   NAME       the dispatcher, which jumps on; it has a frame only in rare cases
 *   NAME.td.n  the native version
 *   NAME.td.t  the gate of the traced version; the concrete side may be inlined into it
 *   NAME.td.c  the concrete side
 *   NAME.td.s  the symbolic side, called by the gate or by the concrete side, never by anyone else
 *
 * So whoever calls a symbolic side is the same activation of the same function, and of the two the symbolic side knows the line. `main` is
 * __td_main; a model is __td_m_NAME, with helpers of its own in the same file. A row of frames of models is one call by the program, and is
 * named after the outermost.
 *
 * A library function without a model has no frame when it is found that it would go wrong: the report has its name.
 *
 * A file that was replaced since (the facts know) has no names: wrong ones would be worse. */
#include "trace/symbols.h"

#include "base/mem.h"
#include "base/vec.h"
#include "trace/debug.h"
#include "trace/report.h"

#include <string.h>

#define PLACES_MAX 32

struct file {
	char *path;
	struct debug *debug; /* NULL: cannot be read */
};

struct symbols {
	const struct facts *facts;
	VEC(struct file) files;
};

struct symbols *symbols_open(const struct facts *facts)
{
	struct symbols *s = mem_alloc(sizeof *s);
	s->facts = facts;
	return s;
}

void symbols_close(struct symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->files.count; i++) {
		debug_close(s->files.at[i].debug);
		free(s->files.at[i].path);
	}
	vec_free(&s->files);
	free(s);
}

/* --- files --- */

static const struct facts_module *facts_of(const struct symbols *s, const char *path)
{
	for (size_t i = 0; path && s->facts && i < s->facts->modules_count; i++)
		if (strcmp(s->facts->modules[i].path, path) == 0)
			return &s->facts->modules[i];
	return NULL;
}

static struct debug *open_file(struct symbols *s, const char *path)
{
	for (size_t i = 0; i < s->files.count; i++)
		if (strcmp(s->files.at[i].path, path) == 0)
			return s->files.at[i].debug;
	const struct facts_module *m = facts_of(s, path);
	size_t size = strlen(path) + 1;
	struct file f = { memcpy(mem_resize(NULL, size), path, size), m && m->trouble ? NULL : debug_open(path) };
	vec_push(&s->files, f);
	return f.debug;
}

/* As facts name it: seen from the root of the source tree, of the nearest if there are several. */
static const char *name_file(const struct symbols *s, const char *module, const char *file)
{
	const struct facts_module *m = module ? facts_of(s, module) : NULL; /* a jump may lead out of all of them */
	size_t cut = 0;
	for (size_t i = 0; file && m && i < m->blocks_count; i++) {
		const struct facts_block *b = &m->blocks[i];
		const char *root = facts_string(b, b->head->directory);
		size_t n = strlen(root);
		if (n > 1 && n + 1 > cut && strncmp(file, root, n) == 0 && file[n] == '/')
			cut = n + 1;
	}
	return file ? file + cut : NULL;
}

static const struct td_report_module *module_at(const struct td_report *r, uint64_t address)
{
	for (uint32_t i = 0; i < r->modules_count; i++)
		if (address >= r->modules[i].start && address < r->modules[i].end)
			return &r->modules[i];
	return NULL;
}

/* --- names --- */

static bool starts(const char *text, const char *prefix)
{
	return text && strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The version of a function that a symbol is: 't', 's', 'c', 'n'; 0: none of them. */
static char version_of(const char *symbol)
{
	const char *mark = symbol ? strstr(symbol, ".td.") : NULL;
	return mark ? mark[4] : 0;
}

/* What the source calls it. */
static const char *source_name(const char *symbol, struct arena *a)
{
	const char *mark = symbol ? strstr(symbol, ".td.") : NULL;
	if (!symbol)
		return NULL;
	char *name = arena_strdup(a, symbol);
	if (mark)
		name[mark - symbol] = 0;
	if (strcmp(name, "__td_main") == 0)
		return "main";
	return starts(name, "__td_m_") ? name + 7 : name;
}

static bool is_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static bool is_tandems(const char *symbol)
{
	return starts(symbol, "td.") || (starts(symbol, "__td_") && !starts(symbol, "__td_m_") && !starts(symbol, "__td_main"));
}

/* It has the name but no debug information, and there is a gate for it to go to. */
static bool is_dispatcher(const struct debug *d, const char *symbol, struct arena *a)
{
	return symbol && debug_has_symbol(d, arena_printf(a, "%s.td.t", symbol));
}

/* --- a stack --- */

struct walk {
	struct symbols *s;
	struct arena *a;
	VEC(struct symbols_frame) frames;
	const char *side;   /* the function whose symbolic side the last address was in, or NULL */
	bool in_model;      /* the last frame is a model's */
	bool named;         /* and has the name of the library function */
	bool done;
	uint32_t place;     /* TD_PLACE that the first frame of the program has instead of its own, or 0 */
};

/* One address: what its instruction belongs to. */
struct spot {
	struct symbols_frame base; /* without function, file and line */
	struct debug *debug;
	const char *symbol;
	struct debug_place places[PLACES_MAX];
	size_t count;
};

static void add_model(struct walk *w, const struct spot *p)
{
	const char *name = NULL;
	for (size_t i = 0; i < p->count; i++)
		if (starts(p->places[i].function, "__td_m_"))
			name = p->places[i].function;
	if (!w->in_model) {
		vec_push(&w->frames, p->base);
		w->named = false;
	}
	w->in_model = true;
	w->side = NULL;
	if (!name && !w->named) /* a mark: it has its name from other tools */
		w->frames.at[w->frames.count - 1].function = source_name(p->places[p->count - 1].function, w->a);
	if (name)
		w->frames.at[w->frames.count - 1].function = source_name(name, w->a);
	w->named |= name != NULL;
}

static void add_places(struct walk *w, const struct spot *p)
{
	char version = version_of(p->symbol);
	size_t first = 0, end = p->count;
	if (version == 't' && end) /* the gate itself */
		end--;
	if (w->side && end && is_same(source_name(p->places[0].function, w->a), w->side))
		first = 1;
	for (size_t i = first; i < end; i++) {
		struct symbols_frame f = p->base;
		f.address = i + 1 == p->count || (version == 't' && i + 1 == end) ? f.address : 0;
		f.function = source_name(p->places[i].function, w->a);
		f.file = name_file(w->s, f.module, p->places[i].file);
		f.line = p->places[i].line;
		f.column = p->places[i].column;
		vec_push(&w->frames, f);
		w->in_model = false;
		w->done |= is_same(f.function, "main") && starts(p->symbol, "__td_main");
	}
	w->done |= starts(p->symbol, "__td_main.td.t");
	w->side = version == 's' ? source_name(p->symbol, w->a) : NULL;
}

/* A check is made for many accesses at once; the place tells which of them it is about. */
static void move_spot(struct walk *w, struct spot *p)
{
	uint32_t line = TD_PLACE_LINE(w->place), column = TD_PLACE_COLUMN(w->place);
	if (!w->place || !p->places[0].file)
		return;
	size_t count = debug_find(p->debug, debug_instead(p->debug, p->base.offset, line, column), p->places, PLACES_MAX, w->a);
	p->count = count ? count : p->count;
	p->places[0].line = line;
	p->places[0].column = column;
}

static void add_address(struct walk *w, const struct td_report *r, uint64_t address)
{
	uint64_t at = address - 1; /* of the call: behind it may be another line, or another function */
	const struct td_report_module *m = module_at(r, at);
	struct spot p = { .base = { .address = address } };
	if (m) {
		bool program = !m->path[0] && m == r->modules && w->s->facts && w->s->facts->modules_count;
		p.base.module = program ? w->s->facts->modules[0].path : m->path;
		p.base.offset = at - m->bias;
		p.debug = open_file(w->s, p.base.module);
	}
	if (p.debug) {
		p.symbol = debug_symbol(p.debug, p.base.offset);
		p.count = debug_find(p.debug, p.base.offset, p.places, PLACES_MAX, w->a);
	}
	if (is_tandems(p.symbol) || (p.debug && debug_is_runtime(p.debug, p.base.offset)) || (p.debug && !p.count && is_dispatcher(p.debug, p.symbol, w->a)))
		return;
	if (!p.count)
		p.places[p.count++] = (struct debug_place){ .function = p.symbol };
	size_t before = w->frames.count;
	if (p.debug && debug_is_model(p.debug, p.base.offset))
		add_model(w, &p);
	else {
		move_spot(w, &p);
		add_places(w, &p);
	}
	if (w->frames.count > before)
		w->place = 0;
}

struct symbols_frames symbols_stack(struct symbols *s, const struct td_report *r, enum td_report_where where, struct arena *a)
{
	const struct td_report_stack *stack = &r->stacks[where];
	struct walk w = { .s = s, .a = a, .place = stack->place };
	if (where == TD_WHERE_HAPPENED && report_library(r)) {
		struct symbols_frame library = { .function = report_library(r) };
		vec_push(&w.frames, library);
	}
	for (uint32_t i = 0; i < stack->count && !w.done; i++)
		add_address(&w, r, stack->frames[i]);
	struct symbols_frames out = { w.frames.count ? arena_copy(a, w.frames.at, w.frames.count * sizeof *w.frames.at) : NULL, w.frames.count };
	vec_free(&w.frames);
	return out;
}
