/* Callees by name: one of the same file first, then any that is not static. Through pointers: every function of that type whose address is taken, as machine code has types; and so those that the library calls back.
 * search/calls.c does the same for searches, whose blocks are those of files with branches; here a function without any counts as well. */
#include "unit/program.h"

#include "unit/ranges.h"
#include "unit/shapes.h"

#include <stdlib.h>
#include <string.h>

struct link { uint32_t from, to; };

struct linker {
	const struct unit_program *p;
	VEC(struct link) links;
};

static const struct unit_program *sorted; /* qsort has no context */

static int by_name(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	int order = strcmp(sorted->functions[a].name, sorted->functions[b].name);
	return order ? order : (a > b) - (a < b);
}

/* --- functions --- */

static void add_block(struct unit_program *p, const struct facts_block *b)
{
	bool hidden = b->head->flags & TD_FACTS_HIDDEN;
	for (uint32_t i = 0; i < b->head->functions.count; i++) {
		uint32_t index = b->first_function + i;
		const struct td_function_facts *f = &b->functions[i];
		if (index < p->count)
			p->functions[index] = (struct unit_function){
				.name = facts_string(b, f->name), .source = facts_string(b, b->head->source), .file = facts_string(b, f->file), .line = f->line,
				.block = hidden ? NULL : b, .facts = f };
	}
}

static void list_functions(struct unit_program *p)
{
	const struct facts_module *m = &p->facts.modules[0];
	p->count = m->functions;
	p->functions = mem_alloc((p->count + 1u) * sizeof *p->functions);
	for (uint32_t i = 0; i < p->count; i++)
		p->functions[i].name = "";
	for (size_t k = 0; k < m->blocks_count; k++)
		add_block(p, &m->blocks[k]);
}

/* --- who may call whom --- */

static size_t first_named(const struct unit_program *p, const char *name)
{
	size_t low = 0, high = p->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(p->functions[p->named[middle]].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t unit_program_named(const struct unit_program *p, const struct facts_block *from, const char *name)
{
	uint32_t found = UINT32_MAX;
	for (size_t i = first_named(p, name); i < p->count && strcmp(p->functions[p->named[i]].name, name) == 0; i++) {
		const struct unit_function *f = &p->functions[p->named[i]];
		if (f->block && f->block == from)
			return p->named[i];
		if (f->block && found == UINT32_MAX && !(f->facts->flags & TD_FN_STATIC))
			found = p->named[i];
	}
	return found;
}

static void link_pointer(struct linker *l, uint32_t from, const char *type)
{
	for (uint32_t i = 0; i < l->p->count; i++) {
		const struct unit_function *f = &l->p->functions[i];
		if (f->block && f->facts->flags & TD_FN_ADDRESS_TAKEN && strcmp(facts_string(f->block, f->facts->type), type) == 0)
			vec_push(&l->links, (struct link){ from, i });
	}
}

/* Functions of the library that call what they are given, before they return. */
static const struct { const char *name, *type; } callers_back[] = {
	{ "qsort", "i32 (ptr, ptr)" }, { "bsearch", "i32 (ptr, ptr)" }, { "qsort_r", "i32 (ptr, ptr, ptr)" }, { "lfind", "i32 (ptr, ptr)" }, { "lsearch", "i32 (ptr, ptr)" },
	{ "tsearch", "i32 (ptr, ptr)" }, { "tfind", "i32 (ptr, ptr)" }, { "tdelete", "i32 (ptr, ptr)" }, { "twalk", "void (ptr, i32, i32)" }, { "tdestroy", "void (ptr)" },
	{ "scandir", "i32 (ptr)" }, { "scandir", "i32 (ptr, ptr)" }, { "ftw", "i32 (ptr, ptr, i32)" }, { "nftw", "i32 (ptr, ptr, i32, ptr)" }, { "glob", "i32 (ptr, i32)" },
};

static void link_back(struct linker *l, uint32_t from, const char *name)
{
	for (size_t i = 0; i < sizeof callers_back / sizeof *callers_back; i++)
		if (strcmp(callers_back[i].name, name) == 0)
			link_pointer(l, from, callers_back[i].type);
}

static void link_function(struct linker *l, uint32_t from)
{
	const struct unit_function *f = &l->p->functions[from];
	for (uint32_t i = 0; f->block && i < f->facts->calls; i++) {
		const struct td_call *c = &f->block->calls[f->facts->first_call + i];
		uint32_t to = c->callee ? unit_program_named(l->p, f->block, facts_string(f->block, c->callee)) : UINT32_MAX;
		if (!c->callee)
			link_pointer(l, from, facts_string(f->block, c->type));
		else if (to != UINT32_MAX)
			vec_push(&l->links, (struct link){ from, to });
		else
			link_back(l, from, facts_string(f->block, c->callee));
	}
}

static int by_from(const void *x, const void *y)
{
	const struct link *a = x, *b = y;
	return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to > b->to) - (a->to < b->to);
}

/* Sorted, each once; in the order of their `from`. */
static void take_links(struct unit_program *p, struct link *links, size_t count, uint32_t *to, bool callers)
{
	size_t used = 0;
	if (count)
		qsort(links, count, sizeof *links, by_from);
	for (size_t i = 0; i < count; i++) {
		if (i && links[i].from == links[i - 1].from && links[i].to == links[i - 1].to)
			continue;
		struct unit_function *f = &p->functions[links[i].from];
		uint32_t *n = callers ? &f->callers_count : &f->callees_count;
		if (!*n)
			*(callers ? &f->callers : &f->callees) = to + used;
		to[used++] = links[i].to;
		(*n)++;
	}
}

static void link_all(struct unit_program *p)
{
	struct linker l = { .p = p };
	p->named = mem_alloc((p->count + 1u) * sizeof *p->named);
	for (uint32_t i = 0; i < p->count; i++)
		p->named[i] = i;
	sorted = p;
	if (p->count)
		qsort(p->named, p->count, sizeof *p->named, by_name);
	for (uint32_t i = 0; i < p->count; i++)
		link_function(&l, i);
	p->links = mem_alloc((2 * l.links.count + 1) * sizeof *p->links);
	take_links(p, l.links.at, l.links.count, p->links, false);
	for (size_t i = 0; i < l.links.count; i++)
		l.links.at[i] = (struct link){ l.links.at[i].to, l.links.at[i].from };
	take_links(p, l.links.at, l.links.count, p->links + l.links.count, true);
	vec_free(&l.links);
}

bool unit_program_open(struct unit_program *p, const char *path, struct err *err)
{
	*p = (struct unit_program){0};
	if (!facts_open(&p->facts, path, err))
		return false;
	p->types = types_open(path, err);
	if (!p->types) {
		unit_program_close(p);
		return false;
	}
	list_functions(p);
	link_all(p);
	p->arena = arena_new();
	p->function_types = arena_alloc(p->arena, (p->count + 1u) * sizeof *p->function_types);
	p->asked = arena_alloc(p->arena, p->count + 1u);
	p->changes = arena_alloc(p->arena, (p->count + 1u) * sizeof *p->changes);
	return true;
}

void unit_program_close(struct unit_program *p)
{
	if (p->types)
		types_close(p->types);
	facts_close(&p->facts);
	free(p->functions);
	ranges_free(p->ranges);
	shapes_free(p->shapes);
	free(p->named);
	free(p->links);
	if (p->arena)
		arena_free(p->arena);
	*p = (struct unit_program){0};
}

/* --- questions --- */

static bool is_called(const struct unit_function *f, const char *name)
{
	const char *colon = strrchr(name, ':');
	if (!f->block)
		return false;
	if (!colon)
		return strcmp(f->name, name) == 0;
	size_t n = (size_t)(colon - name), length = strlen(f->file);
	bool same = length >= n && strncmp(f->file + length - n, name, n) == 0 && (length == n || f->file[length - n - 1] == '/');
	return same && strcmp(f->name, colon + 1) == 0;
}

bool unit_program_find(const struct unit_program *p, const char *name, uint32_t *index)
{
	for (; *index < p->count; ++*index)
		if (is_called(&p->functions[*index], name))
			return true;
	return false;
}

const struct ranges *unit_program_ranges(struct unit_program *p)
{
	p->ranges = p->ranges ? p->ranges : ranges_new(p);
	return p->ranges;
}

const struct shapes *unit_program_shapes(struct unit_program *p)
{
	p->shapes = p->shapes ? p->shapes : shapes_new(p);
	return p->shapes;
}

bool unit_program_is_main(const struct unit_program *p, uint32_t function)
{
	const struct unit_function *f = &p->functions[function];
	return f->block && (strcmp(f->name, "main") == 0 || strcmp(f->name, "__td_main") == 0);
}

/* Names of parameters are no part of a type: they are in the facts. */
static const struct type *name_parameters(struct unit_program *p, const struct unit_function *f, const struct type *type)
{
	struct type *named = arena_copy(p->arena, type, sizeof *type);
	struct type_member *members = arena_copy(p->arena, type->members, type->members_count * sizeof *members);
	char *names = arena_strdup(p->arena, facts_string(f->block, f->facts->names)), *rest = names;
	for (size_t i = 0; i < type->members_count; i++) {
		const char *name = strtok_r(rest, " ", &rest);
		members[i].name = name ? name : arena_printf(p->arena, "parameter%zu", i + 1);
	}
	named->members = members;
	return named;
}

const struct type *unit_program_type(struct unit_program *p, uint32_t function)
{
	const struct unit_function *f = &p->functions[function];
	if (!f->block)
		return NULL;
	if (!p->asked[function]) {
		const struct type *type = types_function(p->types, f->name, f->source);
		p->function_types[function] = type ? name_parameters(p, f, type) : NULL;
	}
	p->asked[function] = true;
	return p->function_types[function];
}

/* A static variable of a function is called "function.variable", or "function.variable.2". */
static bool is_called_so(const struct type_variable *v, const char *source, const char *name)
{
	if (!v->function)
		return strcmp(v->name, name) == 0 && (v->is_external || types_same_source(v->file, source));
	size_t n = strlen(v->function), m = strlen(v->name);
	return strncmp(name, v->function, n) == 0 && name[n] == '.' && strncmp(name + n + 1, v->name, m) == 0 && (!name[n + 1 + m] || name[n + 1 + m] == '.') && types_same_source(v->file, source);
}

static bool is_variable(const struct type_variable *v, const struct unit_function *f, const struct td_use *u)
{
	return (!v->function || u->flags & TD_USE_STATIC) && is_called_so(v, f->source, facts_string(f->block, u->name));
}

const struct type_variable *unit_program_variable(const struct unit_program *p, const struct facts_block *from, const char *name)
{
	const char *source = facts_string(from, from->head->source);
	const struct type_variable *found = NULL;
	size_t count;
	const struct type_variable *all = types_variables(p->types, &count);
	for (size_t i = 0; i < count; i++)
		if (is_called_so(&all[i], source, name) && (!found || found->is_external))
			found = &all[i];
	return found;
}

static void add_changes(const struct unit_program *p, uint32_t function, bool *changes);

/* By variable: nobody writes to it, or has its address to do so. */
static const bool *fixed_variables(struct unit_program *p)
{
	size_t count;
	const struct type_variable *all = types_variables(p->types, &count);
	if (p->fixed)
		return p->fixed;
	p->fixed = arena_alloc(p->arena, count + 1);
	for (uint32_t i = 0; i < p->count; i++)
		add_changes(p, i, p->fixed);
	for (size_t v = 0; v < count; v++)
		p->fixed[v] = !p->fixed[v] && !ranges_gives_address(unit_program_ranges(p), &all[v]);
	return p->fixed;
}

void unit_program_variables(struct unit_program *p, const bool *members, unit_variables *out)
{
	const bool *fixed = fixed_variables(p);
	size_t count;
	const struct type_variable *all = types_variables(p->types, &count);
	bool *wanted = mem_alloc(count + 1);
	for (uint32_t i = 0; i < p->count; i++)
		for (uint32_t k = 0; members[i] && p->functions[i].block && k < p->functions[i].facts->uses; k++) {
			const struct unit_function *f = &p->functions[i];
			for (size_t v = 0; v < count; v++)
				wanted[v] |= is_variable(&all[v], f, &f->block->uses[f->facts->first_use + k]);
		}
	for (size_t v = 0; v < count; v++)
		if (wanted[v] && !fixed[v])
			vec_push(out, &all[v]);
	free(wanted);
}

/* Whose address goes elsewhere may be changed there. */
static void add_changes(const struct unit_program *p, uint32_t function, bool *changes)
{
	size_t count;
	const struct type_variable *all = types_variables(p->types, &count);
	const struct unit_function *f = &p->functions[function];
	for (uint32_t k = 0; f->block && k < f->facts->uses; k++) {
		const struct td_use *u = &f->block->uses[f->facts->first_use + k];
		for (size_t v = 0; v < count && u->flags & (TD_USE_WRITES | TD_USE_ADDRESS); v++)
			changes[v] |= is_variable(&all[v], f, u);
	}
}

static void find_changes(struct unit_program *p, uint32_t function, bool *changes)
{
	bool *seen = mem_alloc(p->count + 1u);
	VEC(uint32_t) left = {0};
	vec_push(&left, function);
	seen[function] = true;
	while (left.count) {
		const struct unit_function *f = &p->functions[left.at[left.count - 1]];
		add_changes(p, left.at[--left.count], changes);
		for (uint32_t i = 0; i < f->callees_count; i++) {
			if (!seen[f->callees[i]])
				vec_push(&left, f->callees[i]);
			seen[f->callees[i]] = true;
		}
	}
	vec_free(&left);
	free(seen);
}

bool unit_program_changes(struct unit_program *p, uint32_t function, uint64_t variable)
{
	size_t count;
	const struct type_variable *all = types_variables(p->types, &count);
	if (!p->changes[function]) {
		p->changes[function] = arena_alloc(p->arena, count + 1);
		find_changes(p, function, p->changes[function]);
	}
	for (size_t v = 0; v < count; v++)
		if (all[v].address == variable)
			return p->changes[function][v];
	return true;
}
