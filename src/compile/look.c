/* Looks as data: one call of a hook for all that the head of a block looks at. */
#include "compile/weave.h"

#include "contract/report.h"

#include <stdio.h>
#include <stdlib.h>

struct pointers {
	Value at[TD_ASK_POINTERS];
	uint8_t count;
};

static uint8_t index_of(struct pointers *p, Value v)
{
	for (uint8_t k = 0; k < p->count; k++)
		if (p->at[k] == v)
			return k;
	if (p->count == TD_ASK_POINTERS) {
		fputs("tandem-cc: internal error: a block looks at too much\n", stderr);
		exit(6);
	}
	p->at[p->count] = v;
	return p->count++;
}

static struct td_look describe(struct pointers *p, Value look)
{
	bool bounded = split_look_number(look, LOOK_BOUNDED);
	return (struct td_look){
		.kind = (uint8_t)split_look_number(look, LOOK_KIND),
		.pointer = index_of(p, split_look_pointer(look)),
		.base = bounded ? index_of(p, split_look_base(look)) : TD_NO_BASE,
		.offset = (int32_t)split_look_number(look, LOOK_OFFSET),
		.bytes = (uint32_t)split_look_number(look, LOOK_SIZE),
		.inside = (uint32_t)split_look_number(look, LOOK_INSIDE),
		.flags = (uint8_t)split_look_number(look, LOOK_FLAGS),
		.place = TD_PLACE(split_look_number(look, LOOK_LINE), split_look_number(look, LOOK_COLUMN)),
	};
}

Value look_call(struct unit *u, enum td_hook hook, const Value *looks, size_t count)
{
	LIST(struct td_look) list = {0};
	struct pointers pointers = {0};
	for (size_t k = 0; k < count; k++)
		list_push(&list, describe(&pointers, looks[k]));
	list_push(&list, ((struct td_look){.kind = TD_LOOK_END}));
	Value arguments[1 + TD_ASK_POINTERS] = {unit_data(u, list.at, list.count * sizeof *list.at)};
	for (unsigned k = 0; k < TD_ASK_POINTERS; k++)
		arguments[1 + k] = k < pointers.count ? pointers.at[k] : LLVMGetUndef(u->ptr);
	free(list.at);
	return unit_call(u, hook, arguments, 1 + TD_ASK_POINTERS);
}
