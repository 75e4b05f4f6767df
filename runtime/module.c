/* The instrumented parts of a process: the program and its shared libraries. Each has its own edge, function and
 * global tables between symbols that the linker defines; a constructor in every copy of the runtime registers them with
 * the one copy that is in charge. */
#include "state.h"

#include "contract/facts.h"

#define SECTION(name) \
	extern char __start___td_##name[] __attribute__((weak, visibility("hidden"))); \
	extern char __stop___td_##name[] __attribute__((weak, visibility("hidden")));
SECTION(edges)
SECTION(functions)
SECTION(globals)

enum { MAX_MODULES = 64 };

struct module {
	const char *edges, *edges_end;
	const struct td_function *functions, *functions_end;
	const struct td_global *globals, *globals_end;
	uint32_t first_edge, first_function;
};

static struct module modules[MAX_MODULES];
static unsigned count;

/* Weak, so that a library's own copy is not inlined: the call has to reach the copy in charge. */
TD_EXPORT __attribute__((weak)) void __td_register(const char *edges, const char *edges_end, const char *functions, const char *functions_end,
                             const char *globals, const char *globals_end);

static void add(const char *edges, const char *edges_end, const char *functions, const char *functions_end,
                const char *globals, const char *globals_end)
{
	if (count == MAX_MODULES)
		return;
	for (unsigned i = 0; i < count; i++)
		if (modules[i].edges == edges)
			return;
	struct module *m = &modules[count++], *before = count > 1 ? m - 1 : NULL;
	*m = (struct module){edges, edges_end, (const void *)functions, (const void *)functions_end,
	                     (const void *)globals, (const void *)globals_end, 0, 0};
	if (before) {
		m->first_edge = before->first_edge + (uint32_t)(before->edges_end - before->edges);
		m->first_function = before->first_function + (uint32_t)(before->functions_end - before->functions);
	}
}

static void add_own(void)
{
	if (__start___td_edges)
		add(__start___td_edges, __stop___td_edges, __start___td_functions, __stop___td_functions, __start___td_globals, __stop___td_globals);
}

/* The module in charge is the first: its dense numbers are offsets in its own section. */
void __td_register(const char *edges, const char *edges_end, const char *functions, const char *functions_end,
                   const char *globals, const char *globals_end)
{
	add_own();
	add(edges, edges_end, functions, functions_end, globals, globals_end);
}

__attribute__((constructor(102))) static void register_self(void)
{
	if (__start___td_edges)
		__td_register(__start___td_edges, __stop___td_edges, __start___td_functions, __stop___td_functions,
		              __start___td_globals, __stop___td_globals);
}

uint32_t module_site(const void *edge)
{
	const char *e = edge;
	for (unsigned i = 0; i < count; i++)
		if (e >= modules[i].edges && e < modules[i].edges_end)
			return modules[i].first_edge + (uint32_t)(e - modules[i].edges);
	return TD_NO_SITE;
}

uint32_t module_sites(void)
{
	const struct module *last = count ? &modules[count - 1] : NULL;
	return last ? last->first_edge + (uint32_t)(last->edges_end - last->edges) : 0;
}

uint32_t module_function(const void *record)
{
	const struct td_function *f = record;
	for (unsigned i = 0; i < count; i++)
		if (f >= modules[i].functions && f < modules[i].functions_end)
			return modules[i].first_function + (uint32_t)(f - modules[i].functions);
	return TD_NO_SITE;
}

void module_each_global(void (*visit)(void *address, uint64_t size))
{
	for (unsigned i = 0; i < count; i++)
		for (const struct td_global *g = modules[i].globals; g < modules[i].globals_end; g++)
			visit(g->address, g->size);
}

/* ---- which functions are instrumented ---- */

static const void **known;
static uint64_t known_mask;
static unsigned known_modules;

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
	for (unsigned i = 0; i < count; i++)
		functions += (uint64_t)(modules[i].functions_end - modules[i].functions);
	for (known_mask = 1023; known_mask < functions * 2; known_mask = known_mask * 2 + 1)
		;
	known = state_map((known_mask + 1) * sizeof *known);
	if (!known)
		return false;
	for (unsigned i = 0; i < count; i++)
		for (const struct td_function *f = modules[i].functions; f < modules[i].functions_end; f++)
			known[known_slot(f->address)] = f->address;
	known_modules = count;
	return true;
}

bool module_knows(const void *function)
{
	return (known_modules == count || known_build()) && known[known_slot(function)] == function;
}

uint32_t __td_known(void *function)
{
	if (!state_enter())
		return 0;
	bool r = module_knows(function);
	state_leave();
	return r;
}
