/* Traces made by hand: nodes get their values by evaluation on the given stdin, so they are right unless spoilt. */
#ifndef TANDEM_TESTS_TRACE_BUILD_H
#define TANDEM_TESTS_TRACE_BUILD_H

#include "contract/op.h"
#include "expr/terms.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct build {
	struct live live;
	struct content content;
};

static inline struct assignment build_input(const struct content *c)
{
	return (struct assignment){ c, 1 };
}

static inline struct content build_content(const char *text)
{
	return (struct content){ (const uint8_t *)text, strlen(text) };
}

static inline struct build build_new(const char *stdin_text)
{
	struct build b = { .content = build_content(stdin_text) };
	struct trace_request r = { .flags = TD_ALL_BRANCHES, .nodes_max = 1000, .events_max = 1000 };
	if (!trace_create(&b.live, &r, NULL))
		abort();
	struct td_input *input = (void *)((char *)b.live.header + b.live.header->inputs_off);
	*input = (struct td_input){ .kind = TD_IN_STDIN, .length = b.content.length, .name = "stdin" };
	b.live.header->inputs = 1;
	return b;
}

static inline struct td_node *build_nodes(struct build *b)
{
	return (void *)((char *)b->live.header + b->live.header->nodes_off);
}

static inline struct td_event *build_events(struct build *b)
{
	return (void *)((char *)b->live.header + b->live.header->events_off);
}

static inline struct terms build_terms(struct build *b)
{
	const char *base = (const char *)b->live.header;
	const struct td_header *h = b->live.header;
	return (struct terms){ build_nodes(b), h->nodes, (const void *)(base + h->arrays_off), h->arrays,
	                       (const void *)(base + h->array_bytes_off) };
}

/* An array of elements of so many bits, given as 64-bit numbers. */
static inline uint32_t build_array(struct build *b, const char *name, unsigned bits, const uint64_t *elements, uint32_t count)
{
	struct td_header *h = b->live.header;
	struct td_array *a = (struct td_array *)((char *)h + h->arrays_off) + h->arrays;
	*a = (struct td_array){ .offset = h->array_bytes, .count = count, .bits = (uint16_t)bits };
	snprintf(a->name, sizeof a->name, "%s", name);
	for (uint32_t i = 0; i < count; i++)
		memcpy((char *)h + h->array_bytes_off + a->offset + i * (bits / 8), &elements[i], bits / 8);
	h->array_bytes += (count * (bits / 8) + 7) / 8 * 8;
	return h->arrays++;
}

static inline uint32_t build_node(struct build *b, unsigned op, unsigned bits, uint32_t x, uint32_t y, uint32_t z)
{
	uint32_t id = b->live.header->nodes++;
	struct td_node *n = build_nodes(b) + id;
	*n = (struct td_node){ .op = (uint8_t)op, .bits = (uint16_t)bits, .a = x, .b = y, .c = z };
	struct terms t = build_terms(b);
	u128 *values = calloc(id + 1, sizeof *values);
	struct assignment in = build_input(&b->content);
	if (terms_check(&t, NULL))
		terms_eval_all(&t, &in, values);
	n->lo = (uint64_t)values[id];
	n->hi = (uint64_t)(values[id] >> 64);
	free(values);
	return id;
}

static inline uint32_t build_const(struct build *b, unsigned bits, u128 value)
{
	uint32_t id = b->live.header->nodes++;
	value = value_trim(value, bits);
	build_nodes(b)[id] = (struct td_node){ .op = TD_CONST, .bits = (uint16_t)bits, .lo = (uint64_t)value,
	                                       .hi = (uint64_t)(value >> 64) };
	return id;
}

static inline uint32_t build_byte(struct build *b, uint32_t offset)
{
	return build_node(b, TD_INPUT, 8, 0, offset, 0);
}

/* stdin[offset] == c, as clang makes it: compared as an int. */
static inline uint32_t build_is(struct build *b, uint32_t offset, char c)
{
	uint32_t wide = build_node(b, TD_ZEXT, 32, build_byte(b, offset), 0, 0);
	return build_node(b, TD_EQ, 1, wide, build_const(b, 32, (u128)c), 0);
}

static inline void build_event(struct build *b, unsigned kind, uint32_t site, uint32_t node, uint64_t value)
{
	build_events(b)[b->live.header->events++] =
		(struct td_event){ .kind = (uint8_t)kind, .site = site, .node = node, .value = value };
}

/* An event whose value is that of its term. */
static inline void build_decision(struct build *b, unsigned kind, uint32_t site, uint32_t node)
{
	build_event(b, kind, site, node, build_nodes(b)[node].lo);
}

static inline struct trace build_view(struct build *b)
{
	struct trace t;
	struct err err = {0};
	if (!trace_view(&t, b->live.header, b->live.size, &err)) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	return t;
}

static inline void build_free(struct build *b)
{
	trace_destroy(&b->live);
}

#endif
