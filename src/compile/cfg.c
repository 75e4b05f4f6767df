/* Dominators by Cooper, Harvey and Kennedy's iteration; a loop is the blocks that reach a back edge without
 * passing its header. Irreducible cycles have no header that dominates them and count as no loop. */
#include "compile/cfg.h"

#include <stdlib.h>

static void cfg_link(struct cfg *cfg)
{
	unsigned *room = memory_array((size_t)cfg->count, sizeof *room);
	for (int i = 0; i < cfg->count; i++) {
		struct cfg_block *b = &cfg->blocks[i];
		Value end = LLVMGetBasicBlockTerminator(b->block);
		b->successor_count = LLVMGetNumSuccessors(end);
		b->successors = memory_array(b->successor_count, sizeof *b->successors);
		for (unsigned k = 0; k < b->successor_count; k++) {
			b->successors[k] = cfg_index(cfg, LLVMGetSuccessor(end, k));
			room[b->successors[k]]++;
		}
	}
	for (int i = 0; i < cfg->count; i++)
		cfg->blocks[i].predecessors = memory_array(room[i], sizeof(int));
	for (int i = 0; i < cfg->count; i++)
		for (unsigned k = 0; k < cfg->blocks[i].successor_count; k++) {
			struct cfg_block *to = &cfg->blocks[cfg->blocks[i].successors[k]];
			to->predecessors[to->predecessor_count++] = i;
		}
	free(room);
}

static void cfg_order(struct cfg *cfg)
{
	struct frame { int block; unsigned next; } *stack = memory_array((size_t)cfg->count, sizeof *stack);
	int *post = memory_array((size_t)cfg->count, sizeof *post), depth = 0, done = 0;
	stack[depth++] = (struct frame){0, 0};
	cfg->blocks[0].order = -2;
	while (depth) {
		struct frame *top = &stack[depth - 1];
		struct cfg_block *b = &cfg->blocks[top->block];
		if (top->next == b->successor_count) {
			post[done++] = top->block;
			depth--;
			continue;
		}
		int to = b->successors[top->next++];
		if (cfg->blocks[to].order == -1) {
			cfg->blocks[to].order = -2;
			stack[depth++] = (struct frame){to, 0};
		}
	}
	cfg->reachable = done;
	for (int i = 0; i < done; i++) {
		cfg->order[i] = post[done - 1 - i];
		cfg->blocks[cfg->order[i]].order = i;
	}
	free(post);
	free(stack);
}

static int cfg_meet(const struct cfg *cfg, int a, int b)
{
	while (a != b) {
		while (cfg->blocks[a].order > cfg->blocks[b].order)
			a = cfg->blocks[a].dominator;
		while (cfg->blocks[b].order > cfg->blocks[a].order)
			b = cfg->blocks[b].dominator;
	}
	return a;
}

static bool cfg_dominators_once(struct cfg *cfg)
{
	bool changed = false;
	for (int i = 1; i < cfg->reachable; i++) {
		struct cfg_block *b = &cfg->blocks[cfg->order[i]];
		int best = -1;
		for (unsigned k = 0; k < b->predecessor_count; k++) {
			int p = b->predecessors[k];
			if (cfg->blocks[p].dominator >= 0)
				best = best < 0 ? p : cfg_meet(cfg, p, best);
		}
		changed |= b->dominator != best;
		b->dominator = best;
	}
	return changed;
}

/* Intervals: a dominator's children come after it in reverse post-order, so subtree sizes add up backwards. */
static void cfg_intervals(struct cfg *cfg)
{
	int *size = memory_array((size_t)cfg->count, sizeof *size);
	int *next = memory_array((size_t)cfg->count, sizeof *next);
	for (int i = cfg->reachable - 1; i > 0; i--) {
		int b = cfg->order[i];
		size[b]++;
		size[cfg->blocks[b].dominator] += size[b];
	}
	for (int i = 0; i < cfg->reachable; i++) {
		int b = cfg->order[i];
		struct cfg_block *block = &cfg->blocks[b];
		if (i) {
			block->dom_in = next[block->dominator];
			next[block->dominator] += size[b];
		}
		next[b] = block->dom_in + 1;
		block->dom_out = block->dom_in + (i ? size[b] : cfg->reachable);
	}
	free(size);
	free(next);
}

static bool cfg_body(struct cfg *cfg, int header, char *in, int *stack)
{
	int depth = 0;
	const struct cfg_block *h = &cfg->blocks[header];
	for (unsigned k = 0; k < h->predecessor_count; k++) {
		int p = h->predecessors[k];
		if (cfg->blocks[p].order >= 0 && cfg_dominates(cfg, header, p) && !in[p]) {
			in[p] = 1;
			stack[depth++] = p;
		}
	}
	bool found = depth > 0 || in[header];
	in[header] = 1;
	while (depth) {
		const struct cfg_block *b = &cfg->blocks[stack[--depth]];
		if (b == h)
			continue;
		for (unsigned k = 0; k < b->predecessor_count; k++) {
			int p = b->predecessors[k];
			if (cfg->blocks[p].order >= 0 && !in[p]) {
				in[p] = 1;
				stack[depth++] = p;
			}
		}
	}
	return found;
}

/* Outer headers come first in reverse post-order, so the last loop that claims a block is its innermost. */
static void cfg_loops(struct cfg *cfg)
{
	char *in = memory_array((size_t)cfg->count, 1);
	int *stack = memory_array((size_t)cfg->count, sizeof *stack);
	for (int i = 0; i < cfg->reachable; i++) {
		int header = cfg->order[i];
		for (int k = 0; k < cfg->count; k++)
			in[k] = 0;
		if (!cfg_body(cfg, header, in, stack))
			continue;
		cfg->blocks[header].header = true;
		cfg->blocks[header].outer = cfg->blocks[header].loop;
		for (int k = 0; k < cfg->count; k++)
			if (in[k]) {
				cfg->blocks[k].loop = header;
				cfg->blocks[k].depth++;
			}
	}
	free(in);
	free(stack);
}

struct cfg *cfg_new(Value function)
{
	struct cfg *cfg = memory_array(1, sizeof *cfg);
	int count = (int)LLVMCountBasicBlocks(function);
	cfg->blocks = memory_array((size_t)count, sizeof *cfg->blocks);
	cfg->order = memory_array((size_t)count, sizeof *cfg->order);
	for (Block b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
		cfg->blocks[cfg->count] = (struct cfg_block){.block = b, .order = -1, .dominator = -1, .loop = -1, .outer = -1};
		ptrmap_set(&cfg->index, b, (void *)(intptr_t)++cfg->count);
	}
	cfg_link(cfg);
	cfg_order(cfg);
	cfg->blocks[0].dominator = 0;
	while (cfg_dominators_once(cfg))
		;
	cfg_intervals(cfg);
	cfg_loops(cfg);
	return cfg;
}

void cfg_free(struct cfg *cfg)
{
	for (int i = 0; i < cfg->count; i++) {
		free(cfg->blocks[i].successors);
		free(cfg->blocks[i].predecessors);
	}
	free(cfg->blocks);
	free(cfg->order);
	ptrmap_free(&cfg->index);
	free(cfg);
}

int cfg_index(const struct cfg *cfg, Block block)
{
	return (int)(intptr_t)ptrmap_get(&cfg->index, block) - 1;
}

bool cfg_dominates(const struct cfg *cfg, int a, int b)
{
	return cfg->blocks[a].dom_in <= cfg->blocks[b].dom_in && cfg->blocks[b].dom_in < cfg->blocks[a].dom_out;
}

bool cfg_in_loop(const struct cfg *cfg, int block, int header)
{
	for (int h = cfg->blocks[block].loop; h >= 0; h = cfg->blocks[h].outer)
		if (h == header)
			return true;
	return false;
}
