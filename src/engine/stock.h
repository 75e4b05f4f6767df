/* What runs were fed with, and as many of their traces as there is room for; by the numbers of their walks. */
#ifndef TANDEM_ENGINE_STOCK_H
#define TANDEM_ENGINE_STOCK_H

#include "engine/flip.h"

struct stock;

struct stock_limits {
	size_t traces, inputs; /* bytes */
};

struct stock *stock_new(const struct facts *facts, const struct stock_limits *limits);
void stock_free(struct stock *s);

/* The next number. A trace without a header is none. All is copied. */
uint32_t stock_add(struct stock *s, const struct testcase *input, const struct trace *t);

/* The same run again, because its trace was gone. */
void stock_renew(struct stock *s, uint32_t number, const struct trace *t);

const struct testcase *stock_input(const struct stock *s, uint32_t number); /* NULL: forgotten */
const struct trace *stock_trace(const struct stock *s, uint32_t number);    /* NULL: gone; it can be made again from the input */
struct demands *stock_demands(struct stock *s, uint32_t number);            /* of a trace that is there */

struct stock_counts {
	uint64_t traces_dropped, inputs_dropped;
};

struct stock_counts stock_counts(const struct stock *s);

#endif
