/* See unitcase.h. Marks are known by the names of their objects, so that a test outlives a build in which the function is given something more, or in another order. What stubs return has no place in that order: those marks follow as they are. */
#include "cli/unitcase.h"

#include "base/vec.h"
#include "contract/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS "elements %" PRIu64 " inputs %" PRIu64 " depth %u objects %zu alias %3s ends %3s"

static const char *name_of(const struct unit_program *p, uint32_t function, struct arena *arena)
{
	return arena_printf(arena, "%s:%s", p->functions[function].file, p->functions[function].name);
}

void unitcase_describe(const struct recipe *r, struct casefile *c, struct arena *arena)
{
	const struct plan_options *o = &r->options;
	VEC(const char *) reals = {0};
	c->unit = name_of(r->program, r->function, arena);
	c->build = r->program->facts.modules[0].build;
	c->plan = arena_printf(arena, OPTIONS, o->elements, o->inputs_max, o->depth, o->objects_max, o->no_alias ? "no" : "yes", o->no_ends ? "no" : "yes");
	for (uint32_t i = 0; i < r->program->count; i++)
		if (r->members[i] && i != r->function && r->program->functions[i].block)
			vec_push(&reals, name_of(r->program, i, arena));
	c->reals = arena_copy(arena, reals.count ? (const void *)reals.at : "", reals.count * sizeof *reals.at);
	c->reals_count = reals.count;
	vec_free(&reals);
}

/* --- the plan --- */

static bool read_options(const char *text, struct plan_options *o, struct err *err)
{
	char alias[4], ends[4] = "no"; /* there were none */
	*o = PLAN_DEFAULT;
	if (!text)
		return true;
	if (sscanf(text, "elements %" SCNu64 " inputs %" SCNu64 " depth %u objects %zu alias %3s ends %3s", &o->elements, &o->inputs_max, &o->depth, &o->objects_max, alias, ends) < 5)
		return err_set(err, "its plan is garbled: %.100s", text);
	o->no_alias = strcmp(alias, "no") == 0;
	o->no_ends = strcmp(ends, "no") == 0;
	return true;
}

/* Functions that are gone are called by nobody. */
static bool *find_members(const struct unitcase *u, const struct casefile *c)
{
	bool *members = arena_alloc(u->arena, u->program.count + 1u);
	members[u->function] = true;
	for (size_t i = 0; i < c->reals_count; i++) {
		uint32_t index = 0;
		if (unit_program_find(&u->program, c->reals[i], &index))
			members[index] = true;
	}
	return members;
}

/* --- its marks --- */

static bool is_of_stub(const char *name)
{
	return strstr(name, "()");
}

static struct testcase_mark take_named(const struct testcase *t, bool *taken, const char *name)
{
	for (size_t i = 0; i < t->marks_count; i++)
		if (!taken[i] && strcmp(t->marks[i].name, name) == 0) {
			taken[i] = true;
			return t->marks[i];
		}
	return (struct testcase_mark){ .name = name };
}

/* Variables that it was given although the function does not touch them: the rest of the marks. An object may well have the name of such a variable. */
static void find_names(const struct unitcase *u, const struct testcase *t, const char **names, size_t *count)
{
	bool *taken = arena_alloc(u->arena, t->marks_count + 1);
	for (uint32_t i = 0; i < u->plan.given; i++)
		take_named(t, taken, u->plan.objects[i].name);
	*count = 0;
	for (size_t i = 0; i < t->marks_count; i++)
		if (!taken[i] && !is_of_stub(t->marks[i].name))
			names[(*count)++] = t->marks[i].name;
}

static bool make_plan(struct unitcase *u, const struct casefile *c, struct err *err)
{
	const char **names = arena_alloc(u->arena, (c->input.marks_count + 1) * sizeof *names);
	struct recipe r = { .program = &u->program, .function = u->function, .members = find_members(u, c), .names = names };
	bool ok = read_options(c->plan, &r.options, err);
	r.options.no_ranges = r.options.no_sizes = true; /* it was of interest when it was made */
	if (!ok || !recipe_plan(&r, u->arena, &u->plan, err))
		return false;
	find_names(u, &c->input, names, &r.names_count);
	if (r.names_count && !recipe_plan(&r, u->arena, &u->plan, err))
		return false;
	plan_pack(&u->plan, NULL, 0, &u->packed);
	return true;
}

static void order_marks(struct unitcase *u, const struct testcase *t)
{
	size_t count = 0;
	struct testcase_mark *marks = arena_alloc(u->arena, (u->plan.given + t->marks_count + 1) * sizeof *marks);
	bool *taken = arena_alloc(u->arena, t->marks_count + 1);
	for (uint32_t i = 0; i < u->plan.given; i++)
		marks[count++] = take_named(t, taken, u->plan.objects[i].name);
	for (size_t i = 0; i < t->marks_count; i++)
		if (!taken[i] && is_of_stub(t->marks[i].name))
			marks[count++] = t->marks[i];
	u->feed = *t;
	u->feed.marks = marks;
	u->feed.marks_count = count;
}

bool unitcase_open(struct unitcase *u, const struct casefile *c, const char *program, struct err *err)
{
	*u = (struct unitcase){0};
	if (!unit_program_open(&u->program, program, err))
		return false;
	u->arena = arena_new();
	bool ok = unit_program_find(&u->program, c->unit, &u->function) || err_set(err, "%s has no function %s", program, c->unit);
	ok = ok && make_plan(u, c, err);
	if (ok)
		order_marks(u, &c->input);
	else
		unitcase_close(u);
	return ok;
}

void unitcase_close(struct unitcase *u)
{
	if (!u->arena)
		return;
	unit_program_close(&u->program);
	str_free(&u->packed);
	arena_free(u->arena);
	*u = (struct unitcase){0};
}

void unitcase_print(const struct unitcase *u, struct str *out)
{
	struct plan_value *values = mem_alloc((u->feed.marks_count + 1) * sizeof *values);
	for (size_t i = 0; i < u->feed.marks_count; i++)
		values[i] = (struct plan_value){ .bytes = u->feed.marks[i].bytes, .size = u->feed.marks[i].size, .name = u->feed.marks[i].name };
	plan_print(&u->plan, u->program.functions[u->function].name, values, u->feed.marks_count, out);
	free(values);
}
