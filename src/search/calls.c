/* Callees by name: one of the same file first, then any that is not static. Through pointers: every function of the type whose address is taken. */
#include "search/calls.h"

#include "base/vec.h"
#include "search/flow.h"

#include <stdlib.h>
#include <string.h>

struct function {
	const char *name, *type;
	const struct facts_block *file;
	uint32_t number, entry;
	bool is_static;
};

typedef VEC(struct function) function_list;

struct caller {
	function_list named, pointed; /* all, by name; those whose address is taken, by type */
	calls_visit *visit;
	void *context;
};

static int by_name(const void *x, const void *y)
{
	const struct function *a = x, *b = y;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->entry > b->entry) - (a->entry < b->entry);
}

static int by_type(const void *x, const void *y)
{
	const struct function *a = x, *b = y;
	int order = strcmp(a->type, b->type);
	return order ? order : (a->entry > b->entry) - (a->entry < b->entry);
}

typedef int function_order(const void *x, const void *y);

static void sort_functions(function_list *l, function_order *order)
{
	if (l->count)
		qsort(l->at, l->count, sizeof *l->at, order);
}

/* Where those begin that are not smaller than the key. */
static size_t lower(const function_list *l, const struct function *key, function_order *order)
{
	size_t low = 0, high = l->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (order(&l->at[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void list_function(void *context, const struct flow_function *f)
{
	struct caller *c = context;
	struct function row = { facts_string(f->file, f->facts->name), facts_string(f->file, f->facts->type), f->file, (uint32_t)c->named.count, f->first, f->facts->flags & TD_FN_STATIC };
	vec_push(&c->named, row);
	if (f->facts->flags & TD_FN_ADDRESS_TAKEN)
		vec_push(&c->pointed, row);
}

/* Of functions of one name the file's own, else the first that others can see. */
static const struct function *callee(const struct caller *c, const struct facts_block *from, const char *name)
{
	const struct function key = { .name = name }, *found = NULL;
	for (size_t i = lower(&c->named, &key, by_name); i < c->named.count && strcmp(c->named.at[i].name, name) == 0; i++) {
		const struct function *f = &c->named.at[i];
		if (f->file == from)
			return f;
		if (!found && !f->is_static)
			found = f;
	}
	return found;
}

static void tell(const struct caller *c, uint32_t block, const struct function *to)
{
	if (to)
		c->visit(c->context, &(struct call){ block, to->number, to->entry });
}

static void tell_call(const struct caller *c, const struct flow_function *f, const struct td_call *call)
{
	const struct function key = { .type = facts_string(f->file, call->type) };
	uint32_t block = f->first + call->block;
	if (call->callee) {
		tell(c, block, callee(c, f->file, facts_string(f->file, call->callee)));
		return;
	}
	for (size_t i = lower(&c->pointed, &key, by_type); i < c->pointed.count && strcmp(c->pointed.at[i].type, key.type) == 0; i++)
		tell(c, block, &c->pointed.at[i]);
}

static void tell_calls(void *context, const struct flow_function *f)
{
	for (uint32_t i = 0; i < f->facts->calls; i++)
		if (f->file->calls[f->facts->first_call + i].block < f->facts->blocks)
			tell_call(context, f, &f->file->calls[f->facts->first_call + i]);
}

void calls_each(const struct facts *f, calls_visit *visit, void *context)
{
	struct caller c = { .visit = visit, .context = context };
	flow_each(f, list_function, &c);
	sort_functions(&c.named, by_name);
	sort_functions(&c.pointed, by_type);
	flow_each(f, tell_calls, &c);
	vec_free(&c.named);
	vec_free(&c.pointed);
}
