/* The instrumented parts of a process: the program and its shared libraries. Each has its own edge, function and global tables
 * and a variable that chooses between native and traced (contract/module.h), and registers them before its own constructors run.
 * The runtime is in the program alone.
 *
 * What a module is called in events, its first edge and function, is in the trace (struct td_loaded): a library gets the place
 * it had in earlier runs of the fork server, or before it was unloaded, and a new place at the end if it is new. */
#include "object.h"
#include "pages.h"
#include "state.h"

#include "contract/module.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SECTION(type, name) \
	extern const type __start___td_##name[] __attribute__((weak, visibility("hidden"))); \
	extern const type __stop___td_##name[] __attribute__((weak, visibility("hidden")));
SECTION(char, edges)
SECTION(struct td_function, functions)
SECTION(struct td_global, globals)
SECTION(char, facts)
SECTION(char, text)
extern char *__start___td_covers[] __attribute__((weak, visibility("hidden")));
extern char *__stop___td_covers[] __attribute__((weak, visibility("hidden")));

struct module {
	struct td_module is;  /* without `tracing`: the place is free */
	uint32_t first_edge, first_function;
};

static struct module modules[TD_MAX_MODULES];
static unsigned count;
static bool known_ready; /* the table of instrumented functions is up to date */

static uint32_t edge_count(const struct td_module *m)
{
	return (uint32_t)(m->edges_end - m->edges);
}

static uint32_t function_count(const struct td_module *m)
{
	return (uint32_t)(m->functions_end - m->functions);
}

/* ---- which file it is ---- */

/* See contract/facts.h. What is not understood has build 0, and the host will say so. */
static uint64_t build_of(const struct td_module *m)
{
	uint64_t h = TD_BUILD_START;
	for (const char *p = m->facts; p < m->facts_end;) {
		const struct td_facts *f = (const void *)p;
		uint64_t left = (uint64_t)(m->facts_end - p);
		if (left >= sizeof(uint64_t) && *(const uint64_t *)(const void *)p == 0) { /* the linker's padding */
			p += sizeof(uint64_t);
			continue;
		}
		if (left < sizeof *f || f->magic != TD_FACTS_MAGIC || f->version != TD_FACTS_VERSION || f->size < sizeof *f || f->size > left)
			return 0;
		for (unsigned i = 0; i < sizeof *f / sizeof(uint32_t); i++)
			h = (h ^ ((const uint32_t *)(const void *)p)[i]) * TD_BUILD_FACTOR;
		p += f->size;
	}
	return h;
}

struct owner {
	uint64_t address;
	const char *name; /* of the object that has it, as the loader knows it */
};

static int is_owner(struct dl_phdr_info *object, size_t size, void *context)
{
	struct owner *o = context;
	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &object->dlpi_phdr[i];
		if (h->p_type == PT_LOAD && o->address - (object->dlpi_addr + h->p_vaddr) < h->p_memsz)
			o->name = object->dlpi_name;
	}
	return o->name != NULL;
}

/* At most `room` bytes with the NUL; false: there is more. */
static bool put_text(char *to, uint64_t room, const char *text)
{
	for (uint64_t i = 0; i < room; i++)
		if (!(to[i] = text[i]))
			return true;
	return false;
}

/* The absolute path of the file, or nothing. To be called unlocked: another thread may hold the loader's lock and wait for ours. */
static void find_path(const struct td_module *m, char path[TD_PATH_SIZE])
{
	struct owner o = {.address = (uint64_t)m};
	long n = 0;
	path[0] = 0;
	if (!dl_iterate_phdr(is_owner, &o) || !o.name[0])
		return;
	if (o.name[0] != '/') {
		n = syscall(SYS_getcwd, path, TD_PATH_SIZE - 1); /* counts the NUL */
		if (n <= 0 || path[0] != '/')
			n = TD_PATH_SIZE;
		else
			path[n - 1] = '/';
	}
	if (!put_text(path + n, TD_PATH_SIZE - (uint64_t)n, o.name))
		path[0] = 0;
}

/* ---- numbers ---- */

static bool is_same_text(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static struct td_loaded *table(void)
{
	return (void *)((char *)td_state.header + td_state.header->modules_off);
}

static bool describes(const struct td_loaded *l, const struct td_module *m, uint64_t build, const char *path)
{
	return l->build == build && l->edges == edge_count(m) && l->functions == function_count(m) && is_same_text(l->path, path);
}

/* Its place in the trace; NULL: there is none left. */
static const struct td_loaded *find_place(const struct td_module *m, const char *path)
{
	struct td_header *h = td_state.header;
	struct td_loaded *all = table(), *last = NULL;
	uint64_t build = build_of(m);
	for (uint32_t i = 0; i < h->modules && i < TD_MAX_MODULES; i++) {
		last = &all[i];
		if (describes(last, m, build, path))
			return last;
	}
	uint32_t edge = last ? last->first_edge + last->edges : 0, function = last ? last->first_function + last->functions : 0;
	if (h->modules >= TD_MAX_MODULES || edge_count(m) > TD_MAX_EDGES - edge || function_count(m) > TD_MAX_EDGES - function)
		return NULL;
	struct td_loaded *new = &all[h->modules];
	new->build = build;
	new->first_edge = edge;
	new->edges = edge_count(m);
	new->first_function = function;
	new->functions = function_count(m);
	new->kind = m->edges == __start___td_edges ? TD_LOADED_PROGRAM : TD_LOADED_LIBRARY;
	put_text(new->path, TD_PATH_SIZE, path);
	__atomic_store_n(&h->modules, h->modules + 1, __ATOMIC_RELEASE);
	return new;
}

/* ---- variables ---- */

/* Elsewhere than in its module: another module's variable of that name comes first, or the linker copied it into the program. Nothing is
 * known about what lies behind that one. */
static bool is_elsewhere(const struct td_global *g)
{
	return g->own_link && (const char *)&g->own_link + g->own_link != (const char *)g->address;
}

static bool is_object(const struct td_global *g)
{
	return (g->flags & TD_GLOBAL_OBJECT) && !is_elsewhere(g);
}

static void objects_add(const struct td_module *m)
{
	for (const struct td_global *g = m->globals; g < m->globals_end; g++) {
		const char *name = (const char *)&g->name_link + g->name_link;
		uint32_t number = is_object(g) ? object_add(TD_OBJECT_GLOBAL, (uint64_t)g->address, g->size, name) : 0;
		if (number && (g->flags & TD_GLOBAL_CONSTANT))
			object_get(number)->flags |= TD_OBJECT_CONSTANT;
	}
}

static void objects_forget(const struct td_module *m)
{
	for (const struct td_global *g = m->globals; g < m->globals_end; g++)
		if (is_object(g))
			object_forget((uint64_t)g->address, g->size);
}

/* ---- coming and going ---- */

static struct module *find(const struct td_module *m)
{
	for (unsigned i = 0; i < count; i++)
		if (modules[i].is.tracing == m->tracing)
			return &modules[i];
	return NULL;
}

/* The program's tables come first, and once: its own struct brings only its flag then. So do those of objects whose flag
 * was made local before the link. */
static bool is_counted(const struct td_module *m)
{
	for (unsigned i = 0; i < count; i++)
		if (modules[i].is.tracing && modules[i].is.facts == m->facts)
			return true;
	return false;
}

static struct module *free_place(void)
{
	for (unsigned i = 0; i < count; i++)
		if (!modules[i].is.tracing)
			return &modules[i];
	return count < TD_MAX_MODULES ? &modules[count++] : NULL;
}

/* ---- coverage ---- */

/* From now on the module writes down there which edges it takes. Its objects' parts of the edges are where they are in the section. */
static void cover(const struct module *m)
{
	const struct td_header *h = td_state.header;
	if (!h->cover_off || m->first_edge > h->cover_max || edge_count(&m->is) > h->cover_max - m->first_edge)
		return;
	char *map = (char *)td_state.header + h->cover_off + m->first_edge;
	for (char **c = m->is.covers; c < m->is.covers_end; c++)
		if (*c >= m->is.edges && *c < m->is.edges_end)
			*c = map + (*c - m->is.edges);
}

/* With no place left it runs natively. */
static void add(const struct td_module *m, const char *path)
{
	struct module new = {.is = *m};
	if (find(m))
		return;
	if (is_counted(m)) {
		new.is = (struct td_module){.tracing = m->tracing};
	} else if (td_state.live) {
		const struct td_loaded *place = find_place(m, path);
		if (!place)
			return;
		new.first_edge = place->first_edge;
		new.first_function = place->first_function;
	}
	struct module *to = free_place();
	if (!to)
		return;
	*to = new;
	*m->tracing = td_state.live;
	known_ready = false;
	if (td_state.live) {
		objects_add(&to->is);
		cover(to);
	}
}

/* The program is the first, though its libraries register before it: its dense numbers are offsets in its own section. */
void __td_register(void *module, void *environment)
{
	static uint32_t unused;
	static const struct td_module program = {&unused, __start___td_edges, __stop___td_edges, __start___td_functions,
	                                         __stop___td_functions, __start___td_globals, __stop___td_globals,
	                                         __start___td_facts, __stop___td_facts, __start___td_text, __stop___td_text, __start___td_covers, __stop___td_covers};
	char path[TD_PATH_SIZE];
	const struct td_module *m = module;
	path[0] = 0;
	start_attach(environment);
	if (td_state.live && m->facts != __start___td_facts && !find(m))
		find_path(m, path);
	bool locked = state_enter();
	add(&program, "");
	add(m, path);
	if (locked)
		state_leave();
}

/* A library is unloaded, or the program ends. */
void __td_unregister(void *module)
{
	bool locked = state_enter();
	struct module *m = find(module);
	if (m && td_state.live)
		objects_forget(&m->is);
	if (m)
		m->is.tracing = NULL;
	known_ready = false;
	if (locked)
		state_leave();
}

void module_trace(bool on)
{
	for (unsigned i = 0; i < count; i++)
		if (modules[i].is.tracing)
			*modules[i].is.tracing = on;
}

uint32_t module_site(const void *edge)
{
	const char *e = edge;
	for (unsigned i = 0; i < count; i++)
		if (modules[i].is.tracing && e >= modules[i].is.edges && e < modules[i].is.edges_end)
			return modules[i].first_edge + (uint32_t)(e - modules[i].is.edges);
	return TD_NO_SITE;
}

uint32_t module_sites(void)
{
	const struct td_header *h = td_state.header;
	return h->modules ? table()[h->modules - 1].first_edge + table()[h->modules - 1].edges : 0;
}

bool module_runs(uint64_t address)
{
	for (unsigned i = 0; i < count; i++)
		if (modules[i].is.tracing && address - (uint64_t)modules[i].is.text < (uint64_t)(modules[i].is.text_end - modules[i].is.text))
			return true;
	return false;
}

uint32_t module_function(const void *record)
{
	const struct td_function *f = record;
	for (unsigned i = 0; i < count; i++)
		if (modules[i].is.tracing && f >= modules[i].is.functions && f < modules[i].is.functions_end)
			return modules[i].first_function + (uint32_t)(f - modules[i].is.functions);
	return TD_NO_SITE;
}

struct td_function *module_record(uint32_t number)
{
	struct td_function *f = (struct td_function *)(uintptr_t)__start___td_functions;
	return number < __stop___td_functions - __start___td_functions ? &f[number] : NULL;
}

uint64_t module_facts(void)
{
	return (uint64_t)__start___td_facts;
}

/* What is known about the program at compile time: nobody writes there, though the linker has put it with what can be written. */
void module_seal(void)
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t start = ((uint64_t)modules[i].is.facts + 4095) & ~4095ull, end = (uint64_t)modules[i].is.facts_end & ~4095ull;
		if (modules[i].is.tracing && end > start)
			pages_call(SYS_mprotect, (long)start, (long)(end - start), PROT_READ, 0);
	}
}

void module_each_initialised(void (*visit)(void *address, uint64_t size))
{
	for (unsigned i = 0; i < count; i++)
		for (const struct td_global *g = modules[i].is.globals; modules[i].is.tracing && g < modules[i].is.globals_end; g++)
			if (g->flags & TD_GLOBAL_INITIALISED)
				visit(g->address, g->size);
}

/* ---- which functions are instrumented ---- */

static const void **known;
static uint64_t known_mask;

static uint64_t known_slot(const void *function)
{
	uint64_t i = ((uint64_t)function >> 4) * 0x9E3779B97F4A7C15ull >> 24 & known_mask;
	while (known[i] && known[i] != function)
		i = (i + 1) & known_mask;
	return i;
}

static bool known_build(void)
{
	uint64_t functions = 0;
	if (known)
		pages_unmap(known, (known_mask + 1) * sizeof *known);
	for (unsigned i = 0; i < count; i++)
		functions += function_count(&modules[i].is);
	for (known_mask = 1023; known_mask < functions * 2; known_mask = known_mask * 2 + 1)
		;
	known = state_map((known_mask + 1) * sizeof *known);
	if (!known)
		return false;
	for (unsigned i = 0; i < count; i++)
		for (const struct td_function *f = modules[i].is.functions; modules[i].is.tracing && f < modules[i].is.functions_end; f++)
			known[known_slot(f->address)] = f->address;
	known_ready = true;
	return true;
}

bool module_knows(const void *function)
{
	return (known_ready || known_build()) && known[known_slot(function)] == function;
}

uint32_t __td_known(void *function)
{
	if (!state_enter())
		return 0;
	bool r = module_knows(function);
	state_leave();
	return r;
}
