/* See recipe.h. */
#include "unit/recipe.h"

#include "base/vec.h"

#include <string.h>

#define NEARBY_SIZE 4096   /* bytes of a variable, */
#define NEARBY_ALL 32768   /* and of all of them */

typedef VEC(struct plan_function) function_list;

bool recipe_possible(struct unit_program *p, uint32_t function, struct err *err)
{
	const struct unit_function *f = &p->functions[function];
	const struct type *type = unit_program_type(p, function);
	if (!f->block)
		return err_set(err, "it is not the program's own");
	if (unit_program_is_main(p, function))
		return true;
	if (!type)
		return err_set(err, "there is no debug information about it");
	return true;
}

static bool add(struct unit_program *p, uint32_t index, function_list *to)
{
	const struct type *type = unit_program_type(p, index);
	if (type)
		vec_push(to, (struct plan_function){ .type = type, .name = p->functions[index].name, .index = index, .machine = p->functions[index].facts->parameters, .ends = p->functions[index].facts->flags & TD_FN_NORETURN });
	return type;
}

/* Whom a member may call. */
static void add_stubs(const struct recipe *r, function_list *to)
{
	struct unit_program *p = r->program;
	bool *seen = mem_alloc(p->count + 1u);
	for (uint32_t i = 0; i < p->count; i++)
		for (uint32_t k = 0; r->members[i] && k < p->functions[i].callees_count; k++) {
			uint32_t callee = p->functions[i].callees[k];
			if (!seen[callee] && !r->members[callee])
				add(p, callee, to);
			seen[callee] = true;
		}
	free(seen);
}

static void add_pointed(struct unit_program *p, function_list *to)
{
	for (uint32_t i = 0; i < p->count; i++)
		if (p->functions[i].block && p->functions[i].facts->flags & TD_FN_ADDRESS_TAKEN)
			add(p, i, to);
}

static bool is_in(const unit_variables *list, const struct type_variable *v)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->at[i] == v)
			return true;
	return false;
}

static void add_nearby(const struct recipe *r, unit_variables *to)
{
	unit_variables more = {0};
	size_t before = to->count;
	uint64_t size = 0;
	if (r->nearby)
		unit_program_variables(r->program, r->nearby, &more);
	for (size_t i = 0; i < more.count; i++) {
		uint64_t its = more.at[i]->type->size;
		if (its > NEARBY_SIZE || size + its > NEARBY_ALL || is_in(&(unit_variables){ to->at, before, before }, more.at[i]))
			continue;
		size += its;
		vec_push(to, more.at[i]);
	}
	vec_free(&more);
}

static void add_named(const struct recipe *r, unit_variables *to)
{
	size_t count;
	const struct type_variable *all = types_variables(r->program->types, &count);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < r->names_count; k++)
			if (strcmp(all[i].name, r->names[k]) == 0 && !is_in(to, &all[i])) {
				vec_push(to, &all[i]);
				break;
			}
}

bool recipe_plan(const struct recipe *r, struct arena *arena, struct plan *out, struct err *err)
{
	function_list self = {0}, stubs = {0}, pointed = {0};
	unit_variables variables = {0};
	bool ok = recipe_possible(r->program, r->function, err);
	if (ok) {
		bool is_main = unit_program_is_main(r->program, r->function);
		add(r->program, r->function, &self);
		add_stubs(r, &stubs);
		add_pointed(r->program, &pointed);
		unit_program_variables(r->program, r->members, &variables);
		add_nearby(r, &variables);
		add_named(r, &variables);
		struct plan_wish wish = {
			.function = self.count ? self.at[0] : (struct plan_function){ .name = r->program->functions[r->function].name, .index = r->function }, .is_main = is_main, .variables = variables.at, .variables_count = variables.count, .stubs = stubs.at, .stubs_count = stubs.count,
			.functions = pointed.at, .functions_count = pointed.count, .facts = r->program->facts.modules[0].address, .ranges = r->options.no_ranges ? NULL : unit_program_ranges(r->program), .shapes = unit_program_shapes(r->program), .options = r->options,
		};
		ok = plan_make(&wish, arena, out, err);
	}
	vec_free(&self);
	vec_free(&stubs);
	vec_free(&pointed);
	vec_free(&variables);
	return ok;
}
