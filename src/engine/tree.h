/* The execution tree of a campaign: which input ran and is which walk; what became of (prefix, flip). Nothing is run or solved twice. */
#ifndef TANDEM_ENGINE_TREE_H
#define TANDEM_ENGINE_TREE_H

#include "search/walk.h"

struct tree;

#define TREE_NODES (1u << 24) /* flips that are remembered at most, about 500 MiB */

struct tree *tree_new(uint32_t nodes_max);
void tree_free(struct tree *t);

/* The number of a flip's key, from 0 on; `is_new`: nobody asked before. WALK_NONE: there is no room for another. */
uint32_t tree_node(struct tree *t, uint64_t key, bool *is_new);
void tree_expect(const struct tree *t, uint64_t key); /* it will be asked for soon */
uint64_t tree_key(const struct tree *t, uint32_t node);

/* What is known of a flip, and if it was TAKEN by which walk. Who took it first stays. */
enum choice_state tree_state(const struct tree *t, uint32_t node);
uint32_t tree_walk(const struct tree *t, uint32_t node);
void tree_close(struct tree *t, uint32_t node, enum choice_state state, uint32_t walk);
const uint8_t *tree_states(const struct tree *t); /* of all, until a node is added */

/* The walk of an input's hash, or WALK_NONE. */
uint32_t tree_input(const struct tree *t, uint64_t hash);
void tree_add_input(struct tree *t, uint64_t hash, uint32_t walk);

struct tree_counts {
	uint64_t nodes, open, refused; /* refused: for lack of room */
};

struct tree_counts tree_counts(const struct tree *t);

#endif
