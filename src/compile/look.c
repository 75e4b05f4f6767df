/* Looks: which bytes a block will touch, and inside of what they have to be. While blocks are cut and copied they are calls of a function that does not
 * exist; for the runtime they are data. */
#include "compile/weave.h"

#include "contract/report.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- as marks ---- */

#define LOOK_NAME "td.look"

Value look_pointer(Value look)
{
	return LLVMGetOperand(look, LOOK_POINTER);
}

Value look_base(Value look)
{
	return LLVMGetOperand(look, LOOK_BASE);
}

uint64_t look_number(Value look, enum look_field field)
{
	return LLVMConstIntGetZExtValue(LLVMGetOperand(look, field));
}

bool look_checks(Value look)
{
	return look_number(look, LOOK_BOUNDED) && !(look_number(look, LOOK_FLAGS) & TD_LOOK_WIDE);
}

bool look_exact(Value look)
{
	return look_number(look, LOOK_FLAGS) & TD_LOOK_EXACT;
}

bool look_is(Value i)
{
	return LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) && unit_is_named(LLVMGetCalledValue(i), LOOK_NAME);
}

static Value look_function(struct unit *u, Type *type)
{
	Type parameters[LOOK_FIELDS];
	for (unsigned k = 0; k < LOOK_FIELDS; k++)
		parameters[k] = k == LOOK_POINTER || k == LOOK_BASE ? u->ptr : u->i64;
	*type = LLVMFunctionType(u->none, parameters, LOOK_FIELDS, false);
	Value found = LLVMGetNamedFunction(u->module, LOOK_NAME);
	return found ? found : LLVMAddFunction(u->module, LOOK_NAME, *type);
}

void look_put(struct unit *u, const struct look *k, Value pointer, Value base, Value before)
{
	Type type;
	Value function = look_function(u, &type), arguments[LOOK_FIELDS];
	arguments[LOOK_POINTER] = pointer;
	arguments[LOOK_BASE] = base ? base : LLVMConstNull(u->ptr);
	arguments[LOOK_OFFSET] = unit_const64(u, (uint64_t)k->offset);
	arguments[LOOK_SIZE] = unit_const64(u, k->size);
	arguments[LOOK_KIND] = unit_const64(u, k->kind);
	arguments[LOOK_BOUNDED] = unit_const64(u, base != NULL);
	arguments[LOOK_INSIDE] = unit_const64(u, k->inside);
	arguments[LOOK_FLAGS] = unit_const64(u, k->flags);
	arguments[LOOK_LINE] = unit_const64(u, LLVMGetDebugLocLine(k->about));
	arguments[LOOK_COLUMN] = unit_const64(u, LLVMGetDebugLocColumn(k->about));
	LLVMPositionBuilderBefore(u->builder, before);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	LLVMBuildCall2(u->builder, type, function, arguments, LOOK_FIELDS, "");
}

void look_finish(struct unit *u)
{
	Value look = LLVMGetNamedFunction(u->module, LOOK_NAME);
	if (look)
		LLVMDeleteFunction(look);
}

/* ---- as data ---- */

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
	bool bounded = look_number(look, LOOK_BOUNDED);
	return (struct td_look){
		.kind = (uint8_t)look_number(look, LOOK_KIND),
		.pointer = index_of(list, look_pointer(look)),
		.base = bounded ? index_of(list, look_base(look)) : TD_NO_BASE,
		.offset = (int32_t)look_number(look, LOOK_OFFSET),
		.bytes = (uint32_t)look_number(look, LOOK_SIZE),
		.inside = (uint32_t)look_number(look, LOOK_INSIDE),
		.flags = (uint8_t)look_number(look, LOOK_FLAGS),
		.place = TD_PLACE(look_number(look, LOOK_LINE), look_number(look, LOOK_COLUMN)),
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
