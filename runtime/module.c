/* The instrumented parts of a process: the program and its shared libraries. Each has its own edge, function and global tables
 * and a variable that chooses between native and traced (contract/module.h), and registers them before its own constructors run.
 * The runtime is in the program alone. Of a library that was unloaded, the place in the numbering stays taken. */
#include "state.h"

#include "contract/module.h"

#include <sys/mman.h>

#define SECTION(type, name) \
	extern const type __start___td_##name[] __attribute__((weak, visibility("hidden"))); \
	extern const type __stop___td_##name[] __attribute__((weak, visibility("hidden")));
SECTION(char, edges)
SECTION(struct td_function, functions)
SECTION(struct td_global, globals)

enum { MAX_MODULES = 64 };

struct module {
	struct td_module is;  /* without `tracing`: unloaded */
	uint32_t first_edge, first_function;
};

static struct module modules[MAX_MODULES];
static unsigned count;
static bool known_ready; /* the table of instrumented functions is up to date */

static uint32_t function_count(const struct td_module *m)
{
	return (uint32_t)(m->functions_end - m->functions);
}

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
		if (modules[i].is.tracing && modules[i].is.functions == m->functions)
			return true;
	return false;
}

/* The place of a library that was unloaded and is loaded again to where it was. */
static struct module *former(const struct td_module *m)
{
	for (unsigned i = 0; i < count; i++)
		if (!modules[i].is.tracing && modules[i].is.functions == m->functions && modules[i].is.functions_end == m->functions_end &&
		    modules[i].is.edges == m->edges && modules[i].is.edges_end == m->edges_end)
			return &modules[i];
	return NULL;
}

static bool append(const struct td_module *m)
{
	if (count == MAX_MODULES)
		return false;
	struct module new = {.is = *m};
	if (is_counted(m))
		new.is = (struct td_module){.tracing = m->tracing};
	if (count) {
		const struct module *before = &modules[count - 1];
		new.first_edge = before->first_edge + (uint32_t)(before->is.edges_end - before->is.edges);
		new.first_function = before->first_function + function_count(&before->is);
	}
	modules[count++] = new;
	return true;
}

/* With no place left it runs natively. */
static void add(const struct td_module *m)
{
	struct module *old = former(m);
	if (find(m))
		return;
	if (old)
		old->is.tracing = m->tracing;
	else if (!append(m))
		return;
	*m->tracing = td_state.live;
	known_ready = false;
}

/* The program is the first, though its libraries register before it: its dense numbers are offsets in its own section. */
void __td_register(void *module, void *environment)
{
	static uint32_t unused;
	static const struct td_module program = {&unused, __start___td_edges, __stop___td_edges, __start___td_functions,
	                                         __stop___td_functions, __start___td_globals, __stop___td_globals};
	start_attach(environment);
	bool locked = state_enter();
	add(&program);
	add(module);
	if (locked)
		state_leave();
}

/* A library is unloaded, or the program ends. */
void __td_unregister(void *module)
{
	bool locked = state_enter();
	struct module *m = find(module);
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
	const struct module *last = count ? &modules[count - 1] : NULL;
	return last ? last->first_edge + (uint32_t)(last->is.edges_end - last->is.edges) : 0;
}

uint32_t module_function(const void *record)
{
	const struct td_function *f = record;
	for (unsigned i = 0; i < count; i++)
		if (modules[i].is.tracing && f >= modules[i].is.functions && f < modules[i].is.functions_end)
			return modules[i].first_function + (uint32_t)(f - modules[i].is.functions);
	return TD_NO_SITE;
}

void module_each_global(void (*visit)(void *address, uint64_t size))
{
	for (unsigned i = 0; i < count; i++)
		for (const struct td_global *g = modules[i].is.globals; modules[i].is.tracing && g < modules[i].is.globals_end; g++)
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
		munmap(known, (known_mask + 1) * sizeof *known);
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
