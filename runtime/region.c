/* The interpreter of the symbolic side: runs the operations of a region (contract/region.h). */
#include "object.h"

#include "contract/facts.h"
#include "contract/region.h"

#include <stdarg.h>

struct machine {
	const uint32_t *code;
	const uint64_t *values;
	uint32_t *shadows;
	const struct td_bases *bases;
	const char *state;
	const void *frame; /* of the call that the program made */
	bool woven; /* the function asked about last is instrumented */
};

static uint32_t number(struct machine *m)
{
	return *m->code++;
}

static uint32_t shadow(struct machine *m)
{
	return m->shadows[*m->code++];
}

static uint64_t field(const char *at, uint32_t size)
{
	switch (size) {
	case 0: return *(const uint8_t *)at;
	case 1: return *(const uint16_t *)at;
	case 2: return *(const uint32_t *)at;
	default: return *(const uint64_t *)at;
	}
}

static uint64_t value(struct machine *m)
{
	uint32_t word = *m->code++;
	if (!(word & 1))
		return m->values[word >> 1];
	if (word != TD_VALUE_CONSTANT)
		return field(m->state + (word >> 4), word >> 2 & 3);
	uint64_t low = *m->code++;
	return low | (uint64_t)*m->code++ << 32;
}

static void *address(struct machine *m)
{
	return (void *)value(m);
}

static void *edge(struct machine *m)
{
	uint32_t n = number(m);
	return n == TD_NO_EDGE ? NULL : m->bases->edges + n;
}

/* ---- what calls leave in the slots ---- */

void __td_argument(uint32_t slot, uint32_t node)
{
	__td_slots.arg[slot] = node;
}

void __td_by_value(uint32_t slot, void *source)
{
	__td_slots.arg[slot] = 0;
	__td_slots.by_value[slot] = source;
}

void __td_calling(void *callee, void *variadic)
{
	__td_slots.variadic = variadic;
	__td_slots.callee = callee;
}

uint32_t __td_parameter(void *function, uint32_t slot, uint64_t lo, uint64_t hi)
{
	return __td_slots.callee == function ? term_passed(__td_slots.arg[TD_SLOT_INDEX(slot)], TD_SLOT_BITS(slot), lo, hi) : 0;
}

void __td_taken(void *function)
{
	if (__td_slots.callee == function)
		__td_slots.callee = NULL;
}

uint32_t __td_result(void *callee, uint32_t slot, uint64_t lo, uint64_t hi)
{
	return !callee || __td_slots.returner == callee ? term_passed(__td_slots.result[TD_SLOT_INDEX(slot)], TD_SLOT_BITS(slot), lo, hi) : 0;
}

void __td_answer(uint32_t slot, uint32_t node)
{
	__td_slots.result[slot] = node;
}

void __td_answering(void *function, uint32_t slots)
{
	uint32_t any = 0;
	for (uint32_t i = 0; i < slots; i++)
		any |= __td_slots.result[i];
	__td_slots.returner = any ? function : NULL;
}

/* ---- operations: arguments are read in the order of contract/hook.def ---- */

static uint32_t run_unary(struct machine *m, bool wide)
{
	uint32_t a = shadow(m), shape = number(m), immediate = number(m);
	uint64_t alo = value(m), ahi = wide ? value(m) : 0, lo = value(m), hi = wide ? value(m) : 0;
	return __td_unary_wide(shape, a, immediate, alo, ahi, lo, hi);
}

static uint32_t run_binary(struct machine *m, bool wide)
{
	uint32_t a = shadow(m), b = shadow(m), shape = number(m), immediate = number(m);
	uint64_t alo = value(m), ahi = wide ? value(m) : 0, blo = value(m), bhi = wide ? value(m) : 0;
	uint64_t lo = value(m), hi = wide ? value(m) : 0;
	return __td_binary_wide(shape, a, b, immediate, alo, ahi, blo, bhi, lo, hi);
}

static uint32_t run_ternary(struct machine *m, bool wide)
{
	uint32_t a = shadow(m), b = shadow(m), c = shadow(m), shape = number(m);
	uint64_t alo = value(m), ahi = wide ? value(m) : 0, blo = value(m), bhi = wide ? value(m) : 0;
	uint64_t clo = value(m), chi = wide ? value(m) : 0, lo = value(m), hi = wide ? value(m) : 0;
	return __td_ternary_wide(shape, a, b, c, alo, ahi, blo, bhi, clo, chi, lo, hi);
}

static uint32_t run_select(struct machine *m, bool wide)
{
	uint32_t c = shadow(m), a = shadow(m), b = shadow(m), bits = number(m);
	uint64_t vc = value(m), alo = value(m), ahi = wide ? value(m) : 0, blo = value(m), bhi = wide ? value(m) : 0;
	return __td_select_wide(bits, c, a, b, vc, alo, ahi, blo, bhi);
}

static uint32_t run_index(struct machine *m)
{
	uint32_t pointer = shadow(m), index = shadow(m);
	uint64_t at = value(m), by = value(m);
	uint32_t bits = number(m);
	return __td_index(pointer, at, index, by, bits, value(m));
}

static uint32_t run_load(struct machine *m, bool wide)
{
	void *from = address(m);
	uint32_t bytes = number(m), bits = number(m);
	uint64_t lo = value(m), hi = wide ? value(m) : 0;
	return __td_load_wide(from, bytes, bits, lo, hi);
}

static uint32_t run_table(struct machine *m)
{
	uint32_t found = shadow(m), node = shadow(m), base_node = shadow(m), index_node = shadow(m);
	uint64_t at = value(m);
	uint32_t behind = number(m);
	void *base = address(m);
	uint64_t index = value(m);
	uint32_t index_bits = number(m), offset = number(m), count = number(m), stride = number(m), bits = number(m), flags = number(m);
	return __td_table(found, node, at, behind, base_node, base, index_node, index, index_bits, offset, count, stride, bits, flags, address(m));
}

static uint32_t run_table_load(struct machine *m)
{
	uint32_t found = shadow(m);
	void *from = address(m);
	uint32_t bytes = number(m), bits = number(m);
	return __td_table_load(found, from, bytes, bits, value(m));
}

static uint32_t run_slot(struct machine *m, uint32_t (*take)(void *, uint32_t, uint64_t, uint64_t))
{
	void *function = address(m);
	uint32_t slot = number(m);
	uint64_t lo = value(m), hi = value(m);
	return take(function, slot, lo, hi);
}

static void run_effect(struct machine *m, enum td_hook hook)
{
	void *p, *q;
	uint32_t n, s;
	uint64_t v;
	switch (hook) {
	case TD_HOOK_store: s = shadow(m); p = address(m); __td_store(p, number(m), s); break;
	case TD_HOOK_copy: p = address(m); q = address(m); __td_copy(p, q, value(m)); break;
	case TD_HOOK_fill: s = shadow(m); p = address(m); __td_fill(p, s, value(m)); break;
	case TD_HOOK_branch: s = shadow(m); p = edge(m); __td_branch(p, s, value(m)); break;
	case TD_HOOK_switch: s = shadow(m); p = edge(m); __td_switch(p, s, value(m)); break;
	case TD_HOOK_lose: s = shadow(m); n = number(m); __td_lose(n, s, value(m)); break;
	case TD_HOOK_known: m->woven = __td_known(address(m)); break;
	case TD_HOOK_handed: __td_handed(address(m)); break;
	case TD_HOOK_external: p = address(m); v = value(m); __td_external(p, v, number(m)); break;
	case TD_HOOK_argument: s = shadow(m); __td_argument(number(m), s); break;
	case TD_HOOK_by_value: n = number(m); __td_by_value(n, address(m)); break;
	case TD_HOOK_calling: p = address(m); __td_calling(p, address(m)); break;
	case TD_HOOK_answer: s = shadow(m); __td_answer(number(m), s); break;
	case TD_HOOK_answering: p = address(m); __td_answering(p, number(m)); break;
	case TD_HOOK_taken: __td_taken(address(m)); break;
	default: __builtin_trap(); /* compiler and runtime do not belong together */
	}
}

/* ---- what must hold ---- */

static uint32_t function(struct machine *m)
{
	return module_function(&m->bases->functions[number(m)]);
}

static struct operands read_operands(struct machine *m)
{
	struct operands o = {0};
	o.a = shadow(m);
	o.b = shadow(m);
	o.kind = number(m);
	o.va = value(m);
	o.vb = value(m);
	o.function = function(m);
	o.place = number(m);
	return o;
}

static void passed(uint32_t in, uint32_t place)
{
	if (__td_force & FORCE_SITES)
		sensitive_passed(in, place);
}

/* A condition is said about it, or would be if it could go wrong. */
static void told(uint32_t in, uint32_t place)
{
	if (__td_force & FORCE_SITES)
		sensitive_told(in, place);
}

static void run_operands(struct machine *m)
{
	struct operands o = read_operands(m);
	if (!(o.a | o.b)) {
		passed(o.function, o.place);
		return;
	}
	told(o.function, o.place);
	safety_operands(&o);
}

static void run_given(struct machine *m)
{
	struct operands o = read_operands(m);
	if (o.a | o.b)
		safety_given(&o);
}

static struct access read_access(struct machine *m, uint32_t *length)
{
	struct access a = {0};
	a.base_node = shadow(m);
	a.node = shadow(m);
	if (length)
		*length = shadow(m);
	a.base = value(m);
	a.pointer = value(m);
	return a;
}

static void run_inside(struct machine *m)
{
	struct access a = read_access(m, NULL);
	uint32_t offset = number(m), bytes = number(m);
	a.inside = number(m);
	a.function = function(m);
	a.place = number(m);
	if (a.node)
		told(a.function, a.place);
	safety_inside(&a, (int32_t)offset, bytes);
}

static void run_check(struct machine *m)
{
	const struct td_look *looks = (const void *)((const char *)m->bases->data + number(m));
	const struct td_function *in = &m->bases->functions[number(m)];
	uint32_t behind = number(m);
	if (behind != TD_NO_EDGE) /* the site that tells of it may not be reached */
		(*m->bases->cover)[behind] = 1;
	uint64_t pointers[TD_ASK_POINTERS];
	for (unsigned k = 0; k < TD_ASK_POINTERS; k++)
		pointers[k] = value(m);
	check_looks(looks, pointers, m->frame);
	for (const struct td_look *l = looks; __td_force & FORCE_SITES && l->kind != TD_LOOK_END; l++)
		passed(module_function(in), l->place);
}

static void run_passed(struct machine *m)
{
	uint32_t in = function(m);
	passed(in, number(m));
}

static void run_reaches(struct machine *m)
{
	uint32_t length;
	struct access a = read_access(m, &length);
	uint64_t bytes = value(m);
	a.inside = number(m);
	a.function = function(m);
	a.place = number(m);
	if (!(a.node | length)) {
		passed(a.function, a.place);
		return;
	}
	told(a.function, a.place);
	safety_reaches(&a, bytes, length);
}

/* Is none of the first shadows a term? */
static bool is_idle(const struct machine *m, uint32_t shadows)
{
	uint32_t any = __td_force;
	for (uint32_t i = 0; i < shadows; i++)
		any |= m->shadows[m->code[i]];
	return shadows && !any;
}

static void run_operation(struct machine *m)
{
	uint32_t head = number(m), to = number(m);
	enum td_hook hook = TD_OPERATION_HOOK(head);
	if (TD_OPERATION_CONDITION(head) == (m->woven ? TD_WHEN_FOREIGN : TD_WHEN_WOVEN)) {
		m->code += TD_OPERATION_WORDS(head);
		return;
	}
	if (is_idle(m, TD_OPERATION_IDLE(head))) {
		m->shadows[to] = 0;
		m->code += TD_OPERATION_WORDS(head);
		return;
	}
	switch (hook) {
#define RUN(name, call) case TD_HOOK_##name: m->shadows[to] = call; break;
	RUN(unary, run_unary(m, false))
	RUN(unary_wide, run_unary(m, true))
	RUN(binary, run_binary(m, false))
	RUN(binary_wide, run_binary(m, true))
	RUN(ternary, run_ternary(m, false))
	RUN(ternary_wide, run_ternary(m, true))
	RUN(select, run_select(m, false))
	RUN(select_wide, run_select(m, true))
	RUN(index, run_index(m))
	RUN(load, run_load(m, false))
	RUN(load_wide, run_load(m, true))
	RUN(table, run_table(m))
	RUN(table_load, run_table_load(m))
	RUN(parameter, run_slot(m, __td_parameter))
	RUN(result, run_slot(m, __td_result))
#undef RUN
	case TD_HOOK_operands: run_operands(m); break;
	case TD_HOOK_inside: run_inside(m); break;
	case TD_HOOK_reaches: run_reaches(m); break;
	case TD_HOOK_check: run_check(m); break;
	case TD_HOOK_passed: run_passed(m); break;
	case TD_HOOK_given: run_given(m); break;
	default: run_effect(m, hook); break;
	}
}

/* Has any of what comes in from the frame a term, or does the region run in any case? */
static bool has_term(const struct td_region *r, const uint32_t *frame)
{
	const uint32_t *inputs = (const uint32_t *)(r + 1);
	uint32_t any = (r->flags & TD_REGION_FORCE ? __td_force : 0) | (r->flags & TD_REGION_ALWAYS);
	for (uint32_t i = 0; i < r->inputs; i++)
		any |= frame[inputs[i]];
	return any != 0;
}

static bool has_page(const struct td_region *r, struct machine *m)
{
	bool any = false;
	for (uint32_t i = 0; i < r->pages; i++)
		any |= __td_directory[(uint32_t)value(m) >> 12] != NULL;
	return any;
}

/* The outputs are the last words. */
static void clear_outputs(const struct td_region *r, uint32_t *frame)
{
	const uint32_t *outputs = (const uint32_t *)(r + 1) + r->words - 2 * r->outputs;
	for (uint32_t i = 0; i < r->outputs; i++)
		frame[outputs[2 * i]] = 0;
}

void __td_region(void *frame, uint32_t where, ...)
{
	const struct td_bases *bases = ((const struct td_frame *)frame)->bases;
	const struct td_region *r = (const void *)((const char *)bases->data + where);
	uint32_t *slots = frame;
	bool symbolic = has_term(r, slots);
	if (!symbolic && !r->pages) {
		clear_outputs(r, slots);
		return;
	}
	uint32_t shadows[r->shadows];
	uint64_t values[r->values + 1];
	va_list arguments;
	va_start(arguments, where);
	for (uint32_t i = 0; i < r->values; i++)
		values[i] = va_arg(arguments, uint64_t);
	va_end(arguments);
	struct machine m = {(const uint32_t *)(r + 1) + r->inputs, values, shadows, bases, ((const struct td_frame *)frame)->state, __builtin_frame_address(0), false};
	if (!has_page(r, &m) && !symbolic) {
		clear_outputs(r, slots);
		return;
	}
	shadows[0] = 0;
	for (uint32_t i = 0; i < r->inputs; i++)
		shadows[1 + i] = slots[((const uint32_t *)(r + 1))[i]];
	for (uint32_t i = 0; i < r->operations; i++)
		run_operation(&m);
	for (uint32_t i = 0; i < r->outputs; i++) {
		uint32_t slot = number(&m);
		slots[slot] = shadow(&m);
	}
}

/* ---- frames ---- */

void __td_wake(void *frame, uint32_t words, void *bases, void *state)
{
	uint32_t *w = frame;
	*(struct td_frame *)frame = (struct td_frame){bases, state};
	for (uint32_t i = TD_FRAME_HEAD; i < words; i++)
		w[i] = 0;
}

uint32_t __td_busy(void *frame, uint32_t words)
{
	const uint32_t *w = frame;
	uint32_t any = __td_force;
	for (uint32_t i = TD_FRAME_HEAD; i < words; i++)
		any |= w[i];
	return any;
}
