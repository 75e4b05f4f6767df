/* Node numbers differ from trace to trace, and so do those of input objects and arrays. A name is a digest over the operator, the
 * width, the children's names, and at the leaves over what the leaf is: the object by kind, number and name, the content of a table.
 *
 * Whatever else the answer to a query depends on has to be in the names too, or a cache would give wrong verdicts:
 *   - a byte past the end of the seed's object is 0 as long as the query does not speak of the length;
 *   - an object may become as long as LENGTH_MAX, or as the seed's if that is longer;
 *   - floating point is held at the value it had. */
#include "solve/naming.h"

#include "expr/op.h"

enum { KIND_OBJECT = 1, KIND_ARRAY, KIND_NODE, KIND_CONJUNCT };

void naming_open(struct naming *n, const struct terms *terms, const struct td_input *inputs, uint32_t inputs_count,
                 const struct assignment *seed)
{
	*n = (struct naming){ .terms = *terms, .inputs = inputs, .inputs_count = inputs_count, .seed = *seed };
	n->nodes = mem_alloc(((size_t)terms->count + 1) * sizeof *n->nodes);
	n->arrays = mem_alloc(((size_t)terms->arrays_count + 1) * sizeof *n->arrays);
	n->objects = mem_alloc(((size_t)inputs_count + 1) * sizeof *n->objects);
}

void naming_close(struct naming *n)
{
	free(n->nodes);
	free(n->arrays);
	free(n->objects);
	vec_free(&n->stack);
}

uint64_t naming_length(const struct naming *n, uint32_t object)
{
	return object < n->seed.count ? n->seed.objects[object].length : 0;
}

uint64_t naming_length_limit(const struct naming *n, uint32_t object)
{
	uint64_t seed = naming_length(n, object);
	return seed > LENGTH_MAX ? seed : LENGTH_MAX;
}

uint64_t naming_object(struct naming *n, uint32_t object)
{
	if (object >= n->inputs_count)
		return object;
	if (!n->objects[object]) {
		const struct td_input *in = &n->inputs[object];
		struct digest d = digest_add(digest_add(digest_of(KIND_OBJECT), in->kind), in->index);
		size_t length = 0;
		while (length < sizeof in->name && in->name[length])
			length++;
		d = digest_bytes(d, in->name, length);
		n->objects[object] = d.a ? d.a : 1;
	}
	return n->objects[object];
}

static struct digest array(struct naming *n, uint32_t i)
{
	if (digest_is_none(n->arrays[i])) {
		const struct td_array *a = &n->terms.arrays[i];
		struct digest d = digest_add(digest_of(KIND_ARRAY), a->bits);
		n->arrays[i] = digest_bytes(d, n->terms.array_bytes + a->offset, (size_t)a->count * (a->bits / 8u));
	}
	return n->arrays[i];
}

static struct digest leaf(struct naming *n, const struct td_node *node, struct digest d)
{
	d = digest_add(d, naming_object(n, node->a));
	if (node->op == TD_LENGTH)
		return digest_add(d, naming_length_limit(n, node->a));
	return digest_add(d, (uint64_t)node->b << 1 | (node->b >= naming_length(n, node->a)));
}

/* All children have names. */
static struct digest compute(struct naming *n, uint32_t id)
{
	const struct td_node *node = &n->terms.nodes[id];
	const struct op *op = op_get(node->op);
	const uint32_t fields[3] = { node->a, node->b, node->c };
	struct digest d = digest_of((uint64_t)node->bits << 16 | (uint64_t)node->op << 8 | KIND_NODE);
	if (node->op == TD_INPUT || node->op == TD_LENGTH)
		return leaf(n, node, d);
	if (node->op == TD_CONST || op_is_float(node->op))
		d = digest_add(digest_add(d, node->lo), node->hi);
	for (unsigned i = 0; i < op->arity; i++)
		d = digest_join(d, n->nodes[fields[i]]);
	if (node->op == TD_TABLE)
		return digest_join(d, array(n, node->b));
	for (unsigned i = op->arity; i < op->arity + op->immediates; i++)
		d = digest_add(d, fields[i]);
	return d;
}

/* Pushes the children that have no name yet; false: there are none. */
static bool push_unnamed(struct naming *n, uint32_t id)
{
	const struct td_node *node = &n->terms.nodes[id];
	const uint32_t children[3] = { node->a, node->b, node->c };
	size_t before = n->stack.count;
	for (unsigned i = op_get(node->op)->arity; i-- > 0;)
		if (digest_is_none(n->nodes[children[i]]))
			vec_push(&n->stack, children[i]);
	return n->stack.count > before;
}

struct digest naming_node(struct naming *n, uint32_t id)
{
	vec_push(&n->stack, id);
	while (n->stack.count) {
		uint32_t top = n->stack.at[n->stack.count - 1];
		if (digest_is_none(n->nodes[top]) && push_unnamed(n, top))
			continue;
		if (digest_is_none(n->nodes[top]))
			n->nodes[top] = compute(n, top);
		n->stack.count--;
	}
	return n->nodes[id];
}

/* The kind is left out: a loss demands what a branch demands. */
struct digest naming_conjunct(struct naming *n, const struct conjunct *c)
{
	struct digest d = digest_join(digest_of(KIND_CONJUNCT + ((uint64_t)c->differs << 8)), naming_node(n, c->node));
	return digest_add(digest_add(d, (uint64_t)c->value), (uint64_t)(c->value >> 64));
}
