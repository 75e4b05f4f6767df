/* See head.h. An address is moved to the head that looks at it, or copied if it is in another block. */
#include "compile/head.h"

#include "compile/bounds.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LOOKS = 32 };

/* May run earlier than it does, and without need: nothing but its operands matters. */
static bool is_movable(Value i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
		return false;
	case LLVMAlloca:
		return LLVMIsConstant(LLVMGetOperand(i, 0));
	case LLVMCall:
		if (bounds_is_narrow(i))
			return true;
		return !LLVMIsAInlineAsm(LLVMGetCalledValue(i)) && (symbolic_carries(i) || strcmp(intrinsic_of(i)->name, "threadlocal.address") == 0);
	default:
		return symbolic_carries(i);
	}
}

/* Shadows of memory, or objects, may be others behind it. */
bool head_is_ended_by(Value i)
{
	if (!LLVMIsACallInst(i) || bounds_is_narrow(i) || safety_is_mark(i))
		return false;
	enum intrinsic_kind kind = intrinsic_of(i)->kind;
	return kind == INTRINSIC_NOT || kind == INTRINSIC_COPY || kind == INTRINSIC_VA_START || kind == INTRINSIC_VA_COPY || kind == INTRINSIC_UNKNOWN;
}

static bool is_in(const struct ptrmap *map, Value v, const struct level *l)
{
	return (intptr_t)ptrmap_get(map, v) == l->head->number;
}

/* Can the head compute it? A phi is there in the head alone. */
void head_follow(struct level *l, Value i, Block here)
{
	bool late = LLVMIsAPHINode(i) ? here != l->head->block : !is_movable(i);
	for (int k = 0; k < LLVMGetNumOperands(i) && !late && !LLVMIsAPHINode(i); k++)
		late = is_in(&l->late, LLVMGetOperand(i, (unsigned)k), l);
	void *number = (void *)(intptr_t)l->head->number;
	ptrmap_set(&l->home, i, number);
	if (late)
		ptrmap_set(&l->late, i, number);
	l->changed |= head_is_ended_by(i);
}

struct head *head_make(struct heads *all, Block block)
{
	struct head *made = memory_array(1, sizeof *made);
	list_push(&all->list, made);
	made->number = (int)all->list.count;
	made->block = block;
	made->before = LLVMGetFirstInstruction(block);
	while (LLVMIsAPHINode(made->before) || LLVMIsAAllocaInst(made->before))
		made->before = LLVMGetNextInstruction(made->before);
	return made;
}

void heads_free(struct heads *all)
{
	for (size_t k = 0; k < all->list.count; k++) {
		ptrmap_free(&all->list.at[k]->copies);
		free(all->list.at[k]);
	}
	free(all->list.at);
}

void head_begin(struct level *l, struct head *head)
{
	l->head = head;
	l->changed = false;
}

/* It happens earlier, which makes no difference, see is_movable. */
static void move_to_head(struct unit *u, struct head *head, Value v)
{
	if (v == head->before) {
		head->before = LLVMGetNextInstruction(v);
		return;
	}
	LLVMInstructionRemoveFromParent(v);
	LLVMPositionBuilderBefore(u->builder, head->before);
	LLVMInsertIntoBuilder(u->builder, v);
}

/* At the head: what an address is made of. It is moved there, or copied if it is in another block of the stretch. */
static Value at_head(struct unit *u, struct level *l, Value v)
{
	Value known = ptrmap_get(&l->head->copies, v);
	if (known)
		return known;
	if (!LLVMIsAInstruction(v) || LLVMIsAPHINode(v) || LLVMIsAAllocaInst(v) || !is_in(&l->home, v, l))
		return v;
	bool here = LLVMGetInstructionParent(v) == l->head->block;
	Value now = here ? v : LLVMInstructionClone(v);
	for (int k = 0; k < LLVMGetNumOperands(v); k++) {
		Value operand = at_head(u, l, LLVMGetOperand(v, (unsigned)k));
		if (!here)
			LLVMSetOperand(now, (unsigned)k, operand);
	}
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	if (here) {
		move_to_head(u, l->head, v);
	} else {
		LLVMPositionBuilderBefore(u->builder, l->head->before);
		LLVMInsertIntoBuilder(u->builder, now);
	}
	ptrmap_set(&l->head->copies, v, now);
	return now;
}

/* Computed before the program has made sure that it may be: a shift too far, say, would make a look at it undefined. Nothing
 * else is wrong with a look at an arbitrary address. */
static Value frozen_at_head(struct unit *u, struct level *l, Value v)
{
	Value from = at_head(u, l, v);
	if (!LLVMIsAInstruction(from) || LLVMIsAAllocaInst(from) || LLVMIsALoadInst(from) || LLVMIsAFreezeInst(from))
		return from;
	LLVMPositionBuilderBefore(u->builder, l->head->before);
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value frozen = LLVMBuildFreeze(u->builder, from, "");
	ptrmap_set(&l->head->copies, v, frozen);
	return frozen;
}

static bool has_pointer(const struct head *h, Value pointer)
{
	for (unsigned k = 0; k < h->pointer_count; k++)
		if (h->pointers[k] == pointer)
			return true;
	return false;
}

static bool has_room(struct head *h, Value pointer, Value base)
{
	unsigned wanted = !has_pointer(h, pointer) + (base && base != pointer && !has_pointer(h, base));
	if (h->look_count == MAX_LOOKS || h->pointer_count + wanted > TD_ASK_POINTERS)
		return false;
	if (!has_pointer(h, pointer))
		h->pointers[h->pointer_count++] = pointer;
	if (base && !has_pointer(h, base))
		h->pointers[h->pointer_count++] = base;
	return true;
}

bool head_look(struct unit *u, struct level *l, const struct look *k)
{
	if (l->changed || is_in(&l->late, k->pointer, l) || (k->base && is_in(&l->late, k->base, l)) || !has_room(l->head, k->pointer, k->base))
		return false;
	Value pointer = frozen_at_head(u, l, k->pointer), base = k->base ? frozen_at_head(u, l, k->base) : NULL;
	look_put(u, k, pointer, base, l->head->before);
	l->head->look_count++;
	return true;
}
