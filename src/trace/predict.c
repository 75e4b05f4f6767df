/* The honesty check. A's terms are evaluated on B's input; then both event lists are walked in step. As long as the
 * prediction is what A itself did, B must do the same, at concrete branches too: a condition that depends on
 * the input but was recorded as concrete shows up as a branch that B takes differently without being foretold.
 * Where the prediction differs from what A did, B must do as predicted, and the comparison ends there.
 *
 * Four kinds of event are not the program's own decisions, so when they flip nothing is demanded of B at that place:
 *   CONCRETISE  B computed with another value, and may have lost it elsewhere;
 *   LENGTH      emitted where an input ends, which is elsewhere in B. So it is checked both ways: B may meet its end
 *               before A met its own, and B's condition is also evaluated on A's lengths;
 *   ASSUME      the program ends there without a trace;
 *   BOUND       B reads outside the array, and A knows only what is inside.
 *   SAFETY      B does what no program may do, and ends there.
 * A trace is trusted up to the note that says it is incomplete or that a second thread came up. */
#include "trace/predict.h"

#include "base/mem.h"
#include "contract/op.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct walk {
	const struct trace *trace;
	const u128 *values;  /* of its terms on the other's input */
	uint32_t at;
	bool cut;
};

static bool is_decision(const struct td_event *e)
{
	switch (e->kind) {
	case TD_EV_BRANCH: case TD_EV_SWITCH: case TD_EV_CONCRETISE: case TD_EV_LENGTH: case TD_EV_ASSUME: case TD_EV_BOUND: case TD_EV_SAFETY:
		return true;
	default:
		return false;
	}
}

static bool is_cut(const struct td_event *e)
{
	static const bool cuts_off[] = {
#define NOTE(name, cuts, text) cuts,
		TD_NOTE_TABLE(NOTE)
#undef NOTE
	};
	return e->kind == TD_EV_NOTE && e->sub < TD_NOTE_KINDS && cuts_off[e->sub];
}

/* The next decision, or NULL at the end of what can be trusted. */
static const struct td_event *current(struct walk *w)
{
	for (; w->at < w->trace->events_count; w->at++) {
		const struct td_event *e = &w->trace->events[w->at];
		if (is_cut(e)) {
			w->cut = true;
			return NULL;
		}
		if (is_decision(e))
			return e;
	}
	w->cut = w->trace->header->incomplete;
	return NULL;
}

/* Events carry 64 bits, extended or not; what counts is the width of the term. */
static uint64_t predicted(const struct walk *w, const struct td_event *e)
{
	if (!e->node)
		return e->value;
	uint64_t mask = (uint64_t)value_mask(w->trace->terms.nodes[e->node].bits);
	return ((uint64_t)w->values[e->node] & mask) | (e->value & ~mask);
}

static bool flips(const struct walk *w, const struct td_event *e)
{
	return predicted(w, e) != e->value;
}

__attribute__((format(printf, 3, 4)))
static bool decide(struct prediction *p, enum predict_result result, const char *format, ...)
{
	va_list ap;
	p->result = result;
	va_start(ap, format);
	vsnprintf(p->text, sizeof p->text, format, ap);
	va_end(ap);
	return true;
}

static bool end_differs(struct prediction *p, const struct walk *wa, const struct walk *wb, const struct td_event *a)
{
	p->cut = wa->cut || wb->cut;
	if (p->cut)
		return decide(p, PREDICT_SAME, "equal as far as recorded");
	return decide(p, PREDICT_WRONG, "%s ended early without a flip", a ? "B" : "A");
}

/* B must do as predicted. A branch whose condition A held for concrete and B does differently is the classic. */
static bool must_match(struct prediction *p, const struct walk *wa, const struct td_event *a, const struct td_event *b)
{
	if (a->kind != b->kind || a->site != b->site)
		return decide(p, PREDICT_WRONG, "A has a %s at site %" PRIu32 ", B a %s at site %" PRIu32, trace_kind_names[a->kind], a->site,
		              trace_kind_names[b->kind], b->site);
	if (b->value != predicted(wa, a))
		return decide(p, PREDICT_WRONG, "%s at site %" PRIu32 " (%s in A): %" PRIu64 " was predicted, B has %" PRIu64,
		              trace_kind_names[a->kind], a->site, a->node ? "symbolic" : "concrete", predicted(wa, a), b->value);
	return false;
}

/* Compares one event of each; true if that ends the comparison. */
static bool step(struct prediction *p, struct walk *wa, struct walk *wb)
{
	const struct td_event *a = current(wa), *b = current(wb);
	bool a_flips = a && flips(wa, a);
	p->a = wa->at;
	p->b = wb->at;
	if (a_flips && a->kind != TD_EV_BRANCH && a->kind != TD_EV_SWITCH)
		return decide(p, PREDICT_FLIP, "%s", trace_kind_names[a->kind]);
	if (b && b->kind == TD_EV_LENGTH && flips(wb, b))
		return decide(p, PREDICT_FLIP, "length (of B)");
	if (!a && !b) {
		p->cut = wa->cut || wb->cut;
		return decide(p, PREDICT_SAME, p->cut ? "equal as far as recorded" : "equal");
	}
	if (!a || !b)
		return end_differs(p, wa, wb, a);
	if (must_match(p, wa, a, b))
		return true;
	p->promised += a->kind == TD_EV_BRANCH || a->kind == TD_EV_SWITCH;
	if (a_flips)
		return decide(p, PREDICT_FLIP, "%s", trace_kind_names[a->kind]);
	wa->at++;
	wb->at++;
	p->compared++;
	return false;
}

static u128 *values_on(const struct trace *t, const struct assignment *input)
{
	u128 *values = mem_resize_array(NULL, t->terms.count, sizeof *values);
	terms_eval_all(&t->terms, input, values);
	return values;
}

/* B's terms on A's input lengths. The bytes are not needed: only conditions over LENGTH are looked at. */
static u128 *values_on_lengths(const struct trace *t, const struct trace *lengths)
{
	struct content *objects = mem_resize_array(NULL, lengths->inputs_count, sizeof *objects);
	u128 *values = mem_resize_array(NULL, t->terms.count, sizeof *values);
	for (uint32_t i = 0; i < lengths->inputs_count; i++)
		objects[i] = (struct content){ NULL, lengths->inputs[i].length };
	struct assignment input = { objects, lengths->inputs_count };
	for (uint32_t id = 0; id < t->terms.count; id++)
		values[id] = id == 0 || t->terms.nodes[id].op == TD_INPUT ? 0 : terms_eval_one(&t->terms, &input, id, values);
	free(objects);
	return values;
}

struct prediction predict_compare(const struct trace *a, const struct trace *b, const struct assignment *input)
{
	struct prediction p = {0};
	u128 *values_a = values_on(a, input), *values_b = values_on_lengths(b, a);
	struct walk wa = { .trace = a, .values = values_a }, wb = { .trace = b, .values = values_b };
	while (!step(&p, &wa, &wb))
		;
	free(values_a);
	free(values_b);
	return p;
}

uint32_t predict_first_flip(const struct trace *a, const struct assignment *input)
{
	u128 *values = values_on(a, input);
	struct walk w = { .trace = a, .values = values };
	const struct td_event *e;
	while ((e = current(&w)) && !flips(&w, e))
		w.at++;
	free(values);
	return e ? w.at : a->events_count;
}

static bool is_self_checked(const struct td_event *e)
{
	return e->node && (is_decision(e) || e->kind == TD_EV_ARG || e->kind == TD_EV_RET);
}

struct prediction predict_self(const struct trace *t)
{
	struct prediction p = {0};
	for (p.a = 0; p.a < t->events_count; p.a++) {
		const struct td_event *e = &t->events[p.a];
		if (!is_self_checked(e))
			continue;
		const struct td_node *n = &t->terms.nodes[e->node];
		if ((n->lo ^ e->value) & (uint64_t)value_mask(n->bits)) {
			decide(&p, PREDICT_WRONG, "%s at site %" PRIu32 " has value %" PRIu64 ", its term %" PRIu64, trace_kind_names[e->kind],
			       e->site, e->value, n->lo);
			return p;
		}
		p.compared++;
	}
	p.b = p.a;
	decide(&p, PREDICT_SAME, "equal");
	return p;
}
