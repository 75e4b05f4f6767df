/* Regions: collect symbolic steps, then write them behind one check. See weave.h. */
#include "compile/weave.h"

enum { PAGE_BITS = 12 };

void region_step(struct weave *w, step_emit *emit, Value value, unsigned detail, const void *extra)
{
	list_push(&w->steps, ((struct step){emit, value, detail, extra}));
}

static void emit_define(struct weave *w, const struct step *step)
{
	ptrmap_set(&w->fresh, step->value, emit_shadow(w, step->value));
}

void region_define(struct weave *w, Value instruction)
{
	region_step(w, emit_define, instruction, 0, NULL);
	ptrmap_set(&w->pending, instruction, instruction);
}

static void use_word(struct weave *w, Value word)
{
	if (LLVMIsConstant(word))
		return;
	for (size_t i = 0; i < w->words.count; i++)
		if (w->words.at[i] == word)
			return;
	list_push(&w->words, word);
}

/* v's shadow is read in the region: if it comes from outside, it takes part in the check. */
void region_use(struct weave *w, Value v)
{
	if (!weave_symbolic(w, v) || ptrmap_get(&w->pending, v))
		return;
	Value shadow = weave_shadow(w, v);
	if (LLVMTypeOf(shadow) == w->u->i32) {
		use_word(w, shadow);
		return;
	}
	if (LLVMIsConstant(shadow))
		return;
	struct leaf leaves[SHADOW_MAX_LEAVES];
	unsigned n = shadow_flatten(w->u, LLVMTypeOf(v), leaves, SHADOW_MAX_LEAVES);
	for (unsigned k = 0; k < n; k++)
		use_word(w, shadow_get(w->u, shadow, &leaves[k]));
}

static Value load_invariant(struct unit *u, Type type, Value from)
{
	Value load = LLVMBuildLoad2(u->builder, type, from, "");
	LLVMSetMetadata(load, u->md_invariant, u->empty);
	return load;
}

/* The directory entry of the accessed page. Volatile, because hooks that fill it are declared as touching only
 * memory the program cannot see. */
void region_page(struct weave *w, Value pointer)
{
	struct unit *u = w->u;
	Value page = LLVMBuildPtrToInt(u->builder, pointer, u->i64, "");
	page = LLVMBuildLShr(u->builder, page, unit_const64(u, PAGE_BITS), "");
	page = LLVMBuildAnd(u->builder, page, load_invariant(u, u->i64, u->directory_mask), "");
	Value base = load_invariant(u, u->ptr, u->directory);
	Value entry = LLVMBuildLoad2(u->builder, u->i64, LLVMBuildGEP2(u->builder, u->i64, base, &page, 1, ""), "");
	LLVMSetVolatile(entry, true);
	list_push(&w->pages, entry);
}

void region_lose(struct weave *w, Value v, enum td_lost why)
{
	if (!weave_symbolic(w, v))
		return;
	region_use(w, v);
	region_step(w, emit_lose, v, why, NULL);
}

static Value region_check(struct weave *w)
{
	struct unit *u = w->u;
	Value word = NULL, page = NULL;
	for (size_t i = 0; i < w->words.count; i++)
		word = word ? LLVMBuildOr(u->builder, word, w->words.at[i], "") : w->words.at[i];
	if (w->force) {
		Value force = LLVMBuildLoad2(u->builder, u->i32, u->force, "");
		LLVMSetVolatile(force, true);
		word = word ? LLVMBuildOr(u->builder, word, force, "") : force;
	}
	for (size_t i = 0; i < w->pages.count; i++)
		page = page ? LLVMBuildOr(u->builder, page, w->pages.at[i], "") : w->pages.at[i];
	if (word && page)
		page = LLVMBuildOr(u->builder, page, LLVMBuildZExt(u->builder, word, u->i64, ""), "");
	Value all = page ? page : word;
	return all ? LLVMBuildICmp(u->builder, LLVMIntNE, all, LLVMConstNull(LLVMTypeOf(all)), "") : NULL;
}

static void region_reset(struct weave *w)
{
	w->steps.count = w->words.count = w->pages.count = 0;
	w->force = false;
	ptrmap_clear(&w->pending);
	ptrmap_clear(&w->fresh);
}

/* Nothing symbolic can come in: every shadow defined here is 0. */
static void region_settle(struct weave *w)
{
	for (size_t i = 0; i < w->steps.count; i++)
		if (w->steps.at[i].emit == emit_define) {
			Value v = w->steps.at[i].value;
			ptrmap_set(&w->shadow, v, LLVMConstNull(shadow_type(w->u, LLVMTypeOf(v))));
		}
}

static void region_join(struct weave *w, Block concrete, Block symbolic)
{
	struct unit *u = w->u;
	for (size_t i = 0; i < w->steps.count; i++) {
		Value v = w->steps.at[i].value, fresh = ptrmap_get(&w->fresh, v);
		if (w->steps.at[i].emit != emit_define)
			continue;
		if (!LLVMIsConstant(fresh)) {
			Value phi = LLVMBuildPhi(u->builder, LLVMTypeOf(fresh), "");
			Value zero = LLVMConstNull(LLVMTypeOf(fresh));
			LLVMAddIncoming(phi, (Value[]){zero, fresh}, (Block[]){concrete, symbolic}, 2);
			fresh = phi;
		}
		ptrmap_set(&w->shadow, v, fresh);
	}
}

void region_close(struct weave *w)
{
	struct unit *u = w->u;
	if (!w->steps.count) {
		region_reset(w);
		return;
	}
	LLVMSetCurrentDebugLocation2(u->builder, NULL);
	Value check = region_check(w);
	if (!check) {
		region_settle(w);
		region_reset(w);
		return;
	}
	Block head = w->current;
	Block slow = unit_block(u, w->function, NULL, "td.symbolic");
	Block rest = unit_block(u, w->function, head, "td.rest");
	Value branch = LLVMBuildCondBr(u->builder, check, slow, rest);
	LLVMSetMetadata(branch, u->md_prof, u->unlikely);
	LLVMPositionBuilderAtEnd(u->builder, slow);
	w->current = slow;
	for (size_t i = 0; i < w->steps.count; i++)
		w->steps.at[i].emit(w, &w->steps.at[i]);
	LLVMBuildBr(u->builder, rest);
	slow = w->current;
	LLVMPositionBuilderAtEnd(u->builder, rest);
	w->current = rest;
	region_join(w, head, slow);
	region_reset(w);
}
