/* Looks as data: what the runtime is told of all that the head of a block looks at. */
#include "compile/weave.h"

#include "contract/report.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t index_of(struct look_list *list, Value v)
{
	for (uint8_t k = 0; k < list->pointer_count; k++)
		if (list->pointers[k] == v)
			return k;
	if (list->pointer_count == TD_ASK_POINTERS) {
		fputs("tandem-cc: internal error: a block looks at too much\n", stderr);
		exit(6);
	}
	list->pointers[list->pointer_count] = v;
	return list->pointer_count++;
}

static struct td_look describe(struct look_list *list, Value look)
{
	bool bounded = split_look_number(look, LOOK_BOUNDED);
	return (struct td_look){
		.kind = (uint8_t)split_look_number(look, LOOK_KIND),
		.pointer = index_of(list, split_look_pointer(look)),
		.base = bounded ? index_of(list, split_look_base(look)) : TD_NO_BASE,
		.offset = (int32_t)split_look_number(look, LOOK_OFFSET),
		.bytes = (uint32_t)split_look_number(look, LOOK_SIZE),
		.inside = (uint32_t)split_look_number(look, LOOK_INSIDE),
		.flags = (uint8_t)split_look_number(look, LOOK_FLAGS),
		.place = TD_PLACE(split_look_number(look, LOOK_LINE), split_look_number(look, LOOK_COLUMN)),
	};
}

struct look_list look_list(const Value *looks, size_t count)
{
	struct look_list list = {0};
	for (size_t k = 0; k < count; k++)
		list_push(&list.looks, describe(&list, looks[k]));
	list_push(&list.looks, ((struct td_look){.kind = TD_LOOK_END}));
	return list;
}
