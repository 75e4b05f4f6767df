/* A flip is named by a hash of its whole prefix (flip.c), so the tree needs no pointers: a path is where its hashes lead. What is kept of a
 * flip is its key, a byte of state and a walk: 13 bytes, and 16 in the index, which is asked more often than anything else: it has half of the
 * key beside the number, so that one look into memory that is in no cache is enough.
 *
 * Numbers are given in the order of asking and never change, so that walks and strategies can use them in place of keys. When there is no
 * room, flips that are not known yet are refused and counted: a search goes on with those it has. */
#include "engine/tree.h"

#include "base/mem.h"
#include "base/vec.h"

struct slot {
	uint32_t number;   /* plus 1; 0: free */
	uint32_t tag;      /* the upper half of the key */
};

/* From hashes to numbers; linear probing, at most half full. */
struct index {
	struct slot *at;
	size_t room;
};

struct tree {
	VEC(uint64_t) keys;
	VEC(uint8_t) states;
	VEC(uint32_t) walks;
	struct index nodes;
	VEC(uint64_t) hashes;   /* of inputs */
	VEC(uint32_t) inputs;   /* their walks */
	struct index by_hash;
	uint32_t nodes_max;
	uint64_t open, refused;
};

struct tree *tree_new(uint32_t nodes_max)
{
	struct tree *t = mem_alloc(sizeof *t);
	t->nodes_max = nodes_max;
	return t;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	vec_free(&t->keys);
	vec_free(&t->states);
	vec_free(&t->walks);
	vec_free(&t->hashes);
	vec_free(&t->inputs);
	free(t->nodes.at);
	free(t->by_hash.at);
	free(t);
}

/* Where a key is, or would be. */
static struct slot *slot(const struct index *x, const uint64_t *keys, uint64_t key)
{
	uint32_t tag = (uint32_t)(key >> 32);
	size_t i = (size_t)key & (x->room - 1);
	while (x->at[i].number && (x->at[i].tag != tag || keys[x->at[i].number - 1] != key))
		i = (i + 1) & (x->room - 1);
	return &x->at[i];
}

static void occupy(struct slot *s, uint64_t key, size_t number)
{
	*s = (struct slot){ (uint32_t)number + 1, (uint32_t)(key >> 32) };
}

static void reserve(struct index *x, const uint64_t *keys, size_t count)
{
	if (2 * (count + 1) <= x->room)
		return;
	struct index bigger = { .room = x->room ? 2 * x->room : 1024 };
	bigger.at = mem_alloc(bigger.room * sizeof *bigger.at);
	mem_spread(bigger.at, bigger.room * sizeof *bigger.at);
	for (size_t i = 0; i < count; i++)
		occupy(slot(&bigger, keys, keys[i]), keys[i], i);
	free(x->at);
	*x = bigger;
}

void tree_expect(const struct tree *t, uint64_t key)
{
	if (t->nodes.room)
		__builtin_prefetch(&t->nodes.at[(size_t)key & (t->nodes.room - 1)]);
}

uint32_t tree_node(struct tree *t, uint64_t key, bool *is_new)
{
	reserve(&t->nodes, t->keys.at, t->keys.count);
	struct slot *at = slot(&t->nodes, t->keys.at, key);
	*is_new = !at->number && t->keys.count < t->nodes_max;
	if (at->number)
		return at->number - 1;
	if (!*is_new) {
		t->refused++;
		return WALK_NONE;
	}
	vec_push(&t->keys, key);
	vec_push(&t->states, CHOICE_OPEN);
	vec_push(&t->walks, WALK_NONE);
	t->open++;
	occupy(at, key, t->keys.count - 1);
	return at->number - 1;
}

uint64_t tree_key(const struct tree *t, uint32_t node)
{
	return t->keys.at[node];
}

enum choice_state tree_state(const struct tree *t, uint32_t node)
{
	return (enum choice_state)t->states.at[node];
}

uint32_t tree_walk(const struct tree *t, uint32_t node)
{
	return t->walks.at[node];
}

void tree_close(struct tree *t, uint32_t node, enum choice_state state, uint32_t walk)
{
	if (t->states.at[node] == CHOICE_TAKEN)
		return;
	t->open -= t->states.at[node] == CHOICE_OPEN;
	t->states.at[node] = (uint8_t)state;
	t->walks.at[node] = walk;
}

const uint8_t *tree_states(const struct tree *t)
{
	return t->states.at;
}

uint32_t tree_input(const struct tree *t, uint64_t hash)
{
	struct slot *at = t->by_hash.room ? slot(&t->by_hash, t->hashes.at, hash) : NULL;
	return at && at->number ? t->inputs.at[at->number - 1] : WALK_NONE;
}

void tree_add_input(struct tree *t, uint64_t hash, uint32_t walk)
{
	reserve(&t->by_hash, t->hashes.at, t->hashes.count);
	struct slot *at = slot(&t->by_hash, t->hashes.at, hash);
	if (at->number)
		return;
	vec_push(&t->hashes, hash);
	vec_push(&t->inputs, walk);
	occupy(at, hash, t->hashes.count - 1);
}

struct tree_counts tree_counts(const struct tree *t)
{
	return (struct tree_counts){ t->keys.count, t->open, t->refused };
}
