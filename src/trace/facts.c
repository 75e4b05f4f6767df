/* Program facts. The section is read as it lies in the file: it has no load-time relocations. Blocks of
 * different object files follow each other, 8-aligned, with zeros between them where the linker padded.
 *
 * A block says where its edges are by a self-relative link: the address of the field, plus its value, is the address of
 * the block's first edge; minus the address of the edge section, plus the first number of the module, it is a dense index.
 * Function records are linked likewise. Everything is checked here, once: binaries are edited, stripped and half-written, and
 * nobody who uses facts wants to check again.
 *
 * A module's numbers come from the trace, its names from the file; the build says whether the two belong together. If they do
 * not, there is no name: a wrong one would be worse. */
#include "trace/facts.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "expr/print.h"

#include <inttypes.h>
#include <string.h>

/* --- one block --- */

static bool table_fits(const struct td_facts *h, struct td_table t, size_t element)
{
	return t.offset % (element % 8 ? 4 : 8) == 0 && t.offset >= sizeof *h && t.offset <= h->size &&
	       t.count <= (h->size - t.offset) / element;
}

static bool tables_fit(const struct td_facts *h)
{
	const struct td_table s = h->strings;
	return table_fits(h, h->sites, sizeof(struct td_site)) &&
	       table_fits(h, h->functions, sizeof(struct td_function_facts)) &&
	       table_fits(h, h->arcs, sizeof(struct td_arc)) && table_fits(h, h->calls, sizeof(struct td_call)) &&
	       table_fits(h, h->loops, sizeof(struct td_loop)) && table_fits(h, h->cases, sizeof(uint64_t)) &&
	       table_fits(h, h->uses, sizeof(struct td_use)) && table_fits(h, h->flows, sizeof(struct td_flow)) &&
	       table_fits(h, h->shapes, sizeof(struct td_shape)) && table_fits(h, h->taken, sizeof(uint32_t)) &&
	       s.offset <= h->size && s.count >= 1 && s.count <= h->size - s.offset &&
	       ((const char *)h)[s.offset + s.count - 1] == '\0';
}

static bool range_fits(uint32_t first, uint32_t count, uint32_t total)
{
	return first <= total && count <= total - first;
}

static bool site_fits(const struct facts_block *b, const struct td_site *s)
{
	const struct td_facts *h = b->head;
	bool cases = s->kind != TD_SITE_SWITCH || range_fits(s->first_case, s->edges - 1, h->cases.count);
	return s->kind <= TD_SITE_SELECT && s->edges >= 1 && cases && s->function < h->functions.count &&
	       s->file < h->strings.count && ((h->flags & TD_FACTS_HIDDEN) || range_fits(s->first_edge, s->edges, h->edges)) &&
	       (s->behind == UINT32_MAX || s->behind < h->edges);
}

static bool function_fits(const struct facts_block *b, const struct td_function_facts *f)
{
	const struct td_facts *h = b->head;
	return f->name < h->strings.count && f->file < h->strings.count && f->type < h->strings.count && f->names < h->strings.count &&
	       range_fits(f->first_arc, f->arcs, h->arcs.count) && range_fits(f->first_call, f->calls, h->calls.count) &&
	       range_fits(f->first_loop, f->loops, h->loops.count) && range_fits(f->first_site, f->sites, h->sites.count) &&
	       range_fits(f->first_use, f->uses, h->uses.count);
}

static bool flow_fits(const struct facts_block *b, const struct td_flow *f)
{
	static const uint8_t operands[] = {
#define FLOW(name, count) count,
		TD_FLOW_TABLE(FLOW)
#undef FLOW
	};
	const struct td_facts *h = b->head;
	return f->op < TD_FLOW_OPS && f->kind < TD_FLOW_PLACES && f->bits >= 1 && f->bits <= 64 && f->name < h->strings.count && f->unless < h->strings.count &&
	       (operands[f->op] < 1 || (f->a && f->a <= h->flows.count)) && (operands[f->op] < 2 || (f->b && f->b <= h->flows.count));
}

static bool rows_fit(const struct facts_block *b)
{
	const struct td_facts *h = b->head;
	for (uint32_t i = 0; i < h->sites.count; i++)
		if (!site_fits(b, &b->sites[i]))
			return false;
	for (uint32_t i = 0; i < h->functions.count; i++)
		if (!function_fits(b, &b->functions[i]))
			return false;
	for (uint32_t i = 0; i < h->calls.count; i++)
		if (b->calls[i].callee >= h->strings.count || b->calls[i].type >= h->strings.count)
			return false;
	for (uint32_t i = 0; i < h->uses.count; i++)
		if (b->uses[i].name >= h->strings.count)
			return false;
	for (uint32_t i = 0; i < h->flows.count; i++)
		if (!flow_fits(b, &b->flows[i]))
			return false;
	for (uint32_t i = 0; i < h->shapes.count; i++)
		if (b->shapes[i].function >= h->strings.count || b->shapes[i].type >= h->strings.count)
			return false;
	for (uint32_t i = 0; i < h->taken.count; i++)
		if (b->taken[i] >= h->strings.count)
			return false;
	return h->source < h->strings.count && h->directory < h->strings.count;
}

static struct facts_block point(const struct td_facts *h)
{
	const char *base = (const char *)h;
	return (struct facts_block){
		.head = h,
		.sites = (const void *)(base + h->sites.offset),
		.functions = (const void *)(base + h->functions.offset),
		.arcs = (const void *)(base + h->arcs.offset),
		.calls = (const void *)(base + h->calls.offset),
		.loops = (const void *)(base + h->loops.offset),
		.cases = (const void *)(base + h->cases.offset),
		.uses = (const void *)(base + h->uses.offset),
		.flows = (const void *)(base + h->flows.offset),
		.shapes = (const void *)(base + h->shapes.offset),
		.taken = (const void *)(base + h->taken.offset),
		.strings = base + h->strings.offset,
	};
}

/* Where the link leads in a section of so many elements; false: not to `count` of them. */
static bool follow(uint64_t field, int32_t link, uint64_t start, uint64_t size, uint64_t element, uint32_t count, uint32_t *first)
{
	uint64_t at = field + (uint64_t)(int64_t)link - start;
	*first = (uint32_t)(at / element);
	return at % element == 0 && at <= size && count <= (size - at) / element;
}

static bool read_links(const struct facts_module *m, const struct facts_section *s, size_t offset, struct facts_block *b)
{
	const struct td_facts *h = b->head;
	uint64_t edges_field = s->address + offset + offsetof(struct td_facts, edges_link);
	uint64_t functions_field = s->address + offset + offsetof(struct td_facts, functions_link);
	if (h->edges && !follow(edges_field, h->edges_link, s->edges_address, s->edges_size, 1, h->edges, &b->first_edge))
		return false;
	if (s->functions_size && h->functions.count && !follow(functions_field, h->functions_link, s->functions_address,
	                                                        s->functions_size, sizeof(struct td_function), h->functions.count, &b->first_function))
		return false;
	b->first_edge += m->first_edge;
	b->first_function += m->first_function;
	return true;
}

/* The block at an offset of the section, or false if there is none that makes sense. */
static bool read_block(const struct facts_module *m, const struct facts_section *s, size_t offset, struct facts_block *b)
{
	const struct td_facts *h = (const void *)((const char *)m->bytes + offset);
	size_t left = s->size - offset;
	if (left < sizeof *h || h->magic != TD_FACTS_MAGIC || h->version != TD_FACTS_VERSION)
		return false;
	if (h->size < sizeof *h || h->size > left || h->size % 8 || !tables_fit(h))
		return false;
	*b = point(h);
	return rows_fit(b) && read_links(m, s, offset, b);
}

/* --- one module --- */

static uint64_t extend_build(uint64_t build, const struct td_facts *h)
{
	uint32_t words[sizeof *h / sizeof(uint32_t)];
	memcpy(words, h, sizeof words);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		build = (build ^ words[i]) * TD_BUILD_FACTOR;
	return build;
}

static bool read_blocks(struct facts_module *m, const struct facts_section *s, struct err *err)
{
	VEC(struct facts_block) blocks = {0};
	uint64_t word;
	m->build = TD_BUILD_START;
	for (size_t offset = 0; offset + sizeof word <= s->size;) {
		memcpy(&word, (const char *)m->bytes + offset, sizeof word);
		if (word == 0) {
			offset += sizeof word;
			continue;
		}
		struct facts_block b;
		if (!read_block(m, s, offset, &b)) {
			vec_free(&blocks);
			return err_set(err, "program facts are garbled at byte %zu, or of another version of tandem cc", offset);
		}
		vec_push(&blocks, b);
		m->build = extend_build(m->build, b.head);
		offset += b.head->size;
	}
	m->blocks = blocks.at;
	m->blocks_count = blocks.count;
	return true;
}

static int by_edge(const void *x, const void *y)
{
	const struct facts_place *a = x, *b = y;
	return (a->first_edge > b->first_edge) - (a->first_edge < b->first_edge);
}

/* Every event of a trace is looked up, so that has to be one step. */
static void index_edges(struct facts_module *m)
{
	m->place_of = mem_resize_array(NULL, m->edges + 1u, sizeof *m->place_of);
	memset(m->place_of, 0xff, (m->edges + 1u) * sizeof *m->place_of);
	for (size_t i = 0; i < m->places_count; i++) {
		uint32_t first = m->places[i].first_edge - m->first_edge;
		for (uint32_t k = 0; k < m->places[i].site->edges && first + k < m->edges; k++)
			m->place_of[first + k] = (uint32_t)i;
	}
}

static void index_sites(struct facts_module *m)
{
	VEC(struct facts_place) places = {0};
	for (size_t i = 0; i < m->blocks_count; i++) {
		const struct facts_block *b = &m->blocks[i];
		uint32_t numbered = b->head->edges ? b->head->sites.count : 0;
		for (uint32_t k = 0; k < numbered; k++)
			vec_push(&places, (struct facts_place){ b, &b->sites[k], b->first_edge + b->sites[k].first_edge });
	}
	if (places.count)
		qsort(places.at, places.count, sizeof *places.at, by_edge);
	m->places = places.at;
	m->places_count = places.count;
	index_edges(m);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Those that all can see. */
static void take_addresses(const struct facts_block *b, const char *const *names, size_t count)
{
	struct td_function_facts *functions = (struct td_function_facts *)(uintptr_t)b->functions; /* of bytes that are ours */
	for (uint32_t i = 0; i < b->head->functions.count; i++) {
		const char *name = facts_string(b, functions[i].name);
		if (!(functions[i].flags & TD_FN_STATIC) && bsearch(&name, names, count, sizeof *names, compare_names))
			functions[i].flags |= TD_FN_ADDRESS_TAKEN;
	}
}

/* A file does not know whether others take the address of its functions. */
static void gather_addresses(struct facts_module *m)
{
	VEC(const char *) names = {0};
	for (size_t i = 0; i < m->blocks_count; i++)
		for (uint32_t k = 0; k < m->blocks[i].head->taken.count; k++)
			vec_push(&names, facts_string(&m->blocks[i], m->blocks[i].taken[k]));
	if (names.count)
		qsort(names.at, names.count, sizeof *names.at, compare_names);
	for (size_t i = 0; names.count && i < m->blocks_count; i++)
		take_addresses(&m->blocks[i], names.at, names.count);
	vec_free(&names);
}

static void close_module(struct facts_module *m)
{
	free(m->places);
	free(m->place_of);
	free(m->blocks);
	free(m->bytes);
	free(m->path);
	free(m->trouble);
	*m = (struct facts_module){0};
}

/* The first numbers are given; all else is filled in, the bytes are copied. */
static bool parse_module(struct facts_module *m, const struct facts_section *s, struct err *err)
{
	if (s->edges_size > TD_MAX_EDGES || s->functions_size / sizeof(struct td_function) > TD_MAX_EDGES)
		return err_set(err, "more edges or functions than a trace can name");
	m->bytes = mem_resize(NULL, s->size);
	memcpy(m->bytes, s->bytes, s->size);
	m->address = s->address;
	m->edges = (uint32_t)s->edges_size;
	m->functions = (uint32_t)(s->functions_size / sizeof(struct td_function));
	if (!read_blocks(m, s, err))
		return false;
	index_sites(m);
	gather_addresses(m);
	return true;
}

/* --- the program --- */

static char *copy_text(const char *text)
{
	size_t size = strlen(text) + 1;
	return memcpy(mem_resize(NULL, size), text, size);
}

static struct facts_module *append(struct facts *f)
{
	f->modules = mem_resize_array(f->modules, f->modules_count + 1, sizeof *f->modules);
	f->modules[f->modules_count] = (struct facts_module){0};
	return &f->modules[f->modules_count++];
}

bool facts_parse(struct facts *f, const struct facts_section *s, struct err *err)
{
	*f = (struct facts){0};
	struct facts_module *m = append(f);
	if (!parse_module(m, s, err)) {
		facts_close(f);
		return false;
	}
	m->path = copy_text("");
	f->edges = m->edges;
	return true;
}

void facts_close(struct facts *f)
{
	for (size_t i = 0; i < f->modules_count; i++)
		close_module(&f->modules[i]);
	free(f->modules);
	*f = (struct facts){0};
}

/* The models, which are in every program that tandem cc links, are not the program. */
static bool is_only_models(const struct facts_module *m)
{
	for (size_t i = 0; i < m->blocks_count; i++)
		if (!(m->blocks[i].head->flags & TD_FACTS_HIDDEN))
			return false;
	return true;
}

bool facts_open(struct facts *f, const char *path, struct err *err)
{
	struct facts_section s;
	struct err inner = {0};
	*f = (struct facts){0};
	if (!binary_read(&s, path, BINARY_PROGRAM, err))
		return false;
	bool ok = facts_parse(f, &s, &inner);
	free((void *)s.bytes);
	if (!ok)
		return err_set(err, "%.200s: %.250s", path, inner.text);
	if (is_only_models(&f->modules[0])) {
		facts_close(f);
		return err_set(err, "%s was not built with tandem cc", path);
	}
	free(f->modules[0].path);
	f->modules[0].path = copy_text(path);
	return true;
}

/* --- what a trace speaks of --- */

/* The file's name, for us. */
static const char *path_of(const struct td_loaded *l)
{
	const char *world = strstr(l->path, "/" TD_WORLD "/");
	return world ? world + strlen("/" TD_WORLD) : l->path;
}

static bool describes(const struct td_loaded *l, const struct facts_module *m)
{
	return l->build == m->build && l->first_edge == m->first_edge && l->edges == m->edges && l->first_function == m->first_function &&
	       l->functions == m->functions && (l->kind == TD_LOADED_PROGRAM || strcmp(path_of(l), m->path) == 0);
}

/* Reads the file; false: it is not what was loaded, for a reason. */
static bool read_module(struct facts_module *m, const struct td_loaded *l, struct err *err)
{
	struct facts_section s;
	struct err garbled = {0};
	if (!m->path[0])
		return err_set(err, "its path is not known");
	if (!binary_read(&s, m->path, BINARY_LIBRARY, err))
		return false;
	bool ok = parse_module(m, &s, &garbled);
	free((void *)s.bytes);
	return (ok && describes(l, m)) || err_set(err, "the file is not the one that was loaded");
}

static char *trouble_text(const char *path, const struct err *reason)
{
	struct str text = {0};
	str_add(&text, "branches in ");
	print_ascii(path[0] ? path : "a shared library", &text);
	str_printf(&text, " have no names: %s", reason->text);
	char *copy = copy_text(str_text(&text));
	str_free(&text);
	return copy;
}

/* The module as the trace says it is: with names if they can be had. */
static struct facts_module load_module(const struct td_loaded *l, const char *path)
{
	struct facts_module m = { .path = copy_text(path), .first_edge = l->first_edge, .first_function = l->first_function };
	struct err reason = {0};
	if (read_module(&m, l, &reason))
		return m;
	close_module(&m);
	return (struct facts_module){ .path = copy_text(path), .trouble = trouble_text(path, &reason), .build = l->build,
		.first_edge = l->first_edge, .edges = l->edges, .first_function = l->first_function, .functions = l->functions };
}

void facts_learn(struct facts *f, const struct trace *t, facts_note *note, void *context)
{
	for (uint32_t i = 0; i < t->modules_count; i++) {
		const struct td_loaded *l = &t->modules[i];
		if (i < f->modules_count && describes(l, &f->modules[i]))
			continue;
		char *path = copy_text(l->kind == TD_LOADED_PROGRAM && f->modules_count ? f->modules[0].path : path_of(l));
		struct facts_module *m = i < f->modules_count ? &f->modules[i] : append(f);
		close_module(m);
		*m = load_module(l, path);
		free(path);
		if (m->trouble)
			note(context, m->trouble);
	}
	const struct facts_module *last = f->modules_count ? &f->modules[f->modules_count - 1] : NULL;
	f->edges = last ? last->first_edge + last->edges : 0;
}

/* --- questions --- */

/* How many of the rows, which are in order of their first edge, begin at this edge or before. */
static size_t count_up_to(const void *rows, size_t count, size_t size, size_t first_edge, uint32_t edge)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t first;
		memcpy(&first, (const char *)rows + middle * size + first_edge, sizeof first);
		if (first <= edge)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct facts_module *facts_module(const struct facts *f, uint32_t edge)
{
	size_t n = count_up_to(f->modules, f->modules_count, sizeof *f->modules, offsetof(struct facts_module, first_edge), edge);
	const struct facts_module *m = n ? &f->modules[n - 1] : NULL;
	return m && edge - m->first_edge < m->edges ? m : NULL;
}

const struct facts_place *facts_find(const struct facts *f, uint32_t edge)
{
	const struct facts_module *m = f->modules_count && edge < f->modules[0].edges ? &f->modules[0] : facts_module(f, edge);
	uint32_t at = m && m->place_of ? m->place_of[edge - m->first_edge] : UINT32_MAX;
	return at == UINT32_MAX ? NULL : &m->places[at];
}

const struct td_function_facts *facts_callee(const struct facts *f, uint32_t function, const struct facts_block **block)
{
	for (size_t i = 0; i < f->modules_count; i++)
		for (size_t k = 0; k < f->modules[i].blocks_count && function - f->modules[i].first_function < f->modules[i].functions; k++) {
			*block = &f->modules[i].blocks[k];
			if (function - (*block)->first_function < (*block)->head->functions.count)
				return &(*block)->functions[function - (*block)->first_function];
		}
	return NULL;
}

const char *facts_string(const struct facts_block *b, uint32_t offset)
{
	return offset < b->head->strings.count ? b->strings + offset : "";
}

const char *facts_function(const struct facts_place *p)
{
	return facts_string(p->block, p->block->functions[p->site->function].name);
}

const char *facts_file(const struct facts_place *p)
{
	return facts_string(p->block, p->site->file);
}

/* --- what nobody knows --- */

static size_t unique(const char **names, size_t count)
{
	size_t n = 0;
	if (count)
		qsort(names, count, sizeof *names, compare_names);
	for (size_t i = 0; i < count; i++)
		if (!n || strcmp(names[n - 1], names[i]) != 0)
			names[n++] = names[i];
	return n;
}

struct name_lists { VEC(const char *) defined, called; };

static void list_names(const struct facts_block *b, struct name_lists *l)
{
	for (uint32_t i = 0; i < b->head->functions.count; i++)
		vec_push(&l->defined, facts_string(b, b->functions[i].name));
	for (uint32_t i = 0; i < b->head->calls.count; i++)
		if (!(b->calls[i].flags & TD_CALL_KNOWN) && !(b->head->flags & TD_FACTS_HIDDEN))
			vec_push(&l->called, facts_string(b, b->calls[i].callee));
}

size_t facts_externals(const struct facts *f, const char ***names)
{
	struct name_lists l = {0};
	size_t n = 0;
	for (size_t m = 0; m < f->modules_count; m++)
		for (size_t i = 0; i < f->modules[m].blocks_count; i++)
			list_names(&f->modules[m].blocks[i], &l);
	size_t defined = unique(l.defined.at, l.defined.count), called = unique(l.called.at, l.called.count);
	for (size_t i = 0; i < called; i++)
		if (!defined || !bsearch(&l.called.at[i], l.defined.at, defined, sizeof *l.defined.at, compare_names))
			l.called.at[n++] = l.called.at[i];
	vec_free(&l.defined);
	*names = l.called.at;
	return n;
}
