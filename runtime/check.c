/* Is what a block is about to touch really there? Woven code compares inline with what it knows of the object (contract/object.h) and comes
 * here when that fails. The concrete side asks: it leaves if anything it reads is symbolic or anything is out of bounds; so
 * it is the symbolic side that finds the error, in the same block, and says which. Nothing is said about memory of which
 * we do not know the object. */
#include "object.h"
#include "tandem.h"

static enum td_violation leave_range(uint64_t at, uint64_t bytes, uint64_t start, uint64_t size)
{
	if (at - start <= size && bytes <= size - (at - start))
		return TD_NO_VIOLATION;
	return at < start ? TD_VIOLATION_LOWER : TD_VIOLATION_UPPER;
}

/* Of which object is it? Of the one that base points into. If that is in none, who knows what it was computed from: an array whose indices count from
 * one is a pointer to before it, and that is behind another object. Then what is there counts; and between a block that is
 * gone and one that begins there, it is that one which is left. */
static uint32_t meant(uint64_t at, uint64_t base)
{
	uint32_t number = object_at(base);
	if (!number || object_has(object_get(number), base))
		return number;
	number = object_at(at);
	const struct td_object *o = object_get(number), *next;
	if (!o || o->kind != TD_OBJECT_HEAP || o->state != TD_OBJECT_GONE || object_has(o, at))
		return number;
	uint32_t behind = object_at((at | (TD_GRANULE - 1)) + 1);
	next = object_get(behind);
	return next && next->kind == TD_OBJECT_HEAP && next->state == TD_OBJECT_LIVE && next->start > at ? behind : number;
}

/* What is wrong with touching these bytes by a pointer computed from base? */
static enum td_violation judge(uint64_t at, uint64_t bytes, uint64_t base, uint32_t *number)
{
	*number = meant(at, base);
	const struct td_object *o = object_get(*number);
	if (!o || o->kind == TD_OBJECT_FOREIGN)
		return at < CHECK_LOWEST ? TD_VIOLATION_NULL : TD_NO_VIOLATION;
	if (o->state == TD_OBJECT_GONE)
		return o->kind != TD_OBJECT_STACK ? TD_VIOLATION_FREED : o->flags & TD_OBJECT_LEFT ? TD_VIOLATION_SCOPE : TD_VIOLATION_DEAD;
	return leave_range(at, bytes, o->start, o->size);
}

static bool is_dead(enum td_violation kind)
{
	return kind == TD_VIOLATION_DEAD || kind == TD_VIOLATION_SCOPE;
}

struct frame { const struct frame *next; uint64_t back; };

/* Is a local variable that is gone still what lies there? Where traced code has its frames, yes: it has told of all its variables.
 * But the frame may be that of a library function, which called us and gave us a pointer to its own, or of a signal. */
static bool is_ours(uint64_t address, const struct frame *frame)
{
	uint64_t last = (uint64_t)frame;
	for (unsigned depth = 0; depth < 10000; depth++) {
		if (address < (uint64_t)frame->next)
			return depth == 0 || module_runs(frame->back);
		if (depth && !module_runs(frame->back))
			return false;
		frame = frame->next;
		if ((uint64_t)frame <= last || (uint64_t)frame % 8 || !state_readable((uint64_t)frame) || !state_readable((uint64_t)frame + 8))
			return false;
		last = (uint64_t)frame;
	}
	return false;
}

static enum td_violation judge_look(const struct td_look *l, const uint64_t *pointers, uint32_t *number)
{
	uint64_t at = pointers[l->pointer] + (uint64_t)(int64_t)l->offset;
	if (l->base == TD_NO_BASE)
		return TD_NO_VIOLATION;
	if (!l->inside)
		return judge(at, l->bytes, pointers[l->base], number);
	*number = object_at(pointers[l->base]);
	return leave_range(at, l->bytes, pointers[l->base], l->inside);
}

static bool must_leave(const struct td_look *looks, const uint64_t *pointers)
{
	uint32_t number;
	for (const struct td_look *l = looks; l->kind != TD_LOOK_END; l++) {
		uint64_t at = pointers[l->pointer] + (uint64_t)(int64_t)l->offset;
		if (judge_look(l, pointers, &number) || (l->kind == TD_LOOK_READS && shadow_gap(at, l->bytes) < l->bytes))
			return true;
	}
	return false;
}

bool check_leaves(const struct td_look *looks, const uint64_t *pointers)
{
	if (!state_enter())
		return false;
	bool leave = must_leave(looks, pointers);
	state_leave();
	for (const struct td_look *l = looks; l->kind != TD_LOOK_END && !leave; l++) {
		char *at = (char *)pointers[l->pointer] + l->offset;
		if (l->kind == TD_LOOK_CLEARS)
			__td_forget(at, l->bytes);
		else if (l->kind == TD_LOOK_LOSES)
			__td_external(at, l->bytes, TD_EFFECT_READS);
	}
	return leave;
}

/* An array that a model was given: tell of the object around it. */
static void widen(struct violation *v)
{
	const struct td_object *o = object_get(v->object);
	if (!o || !(o->flags & TD_OBJECT_NARROW))
		return;
	v->member = o->start;
	v->member_size = o->size;
	v->object = o->next;
}

static void raise_look(enum td_violation kind, const struct td_look *l, const uint64_t *pointers, uint32_t number, const void *frame)
{
	const struct td_object *o = object_get(number);
	struct violation v = {
		.kind = kind, .address = pointers[l->pointer] + (uint64_t)(int64_t)l->offset, .bytes = l->bytes, .write = l->flags & TD_LOOK_WRITES, .object = number,
		.frame = frame, .place = l->place,
	};
	uint64_t base = pointers[l->base];
	if (l->flags & TD_LOOK_VARIABLE && (!o || o->kind == TD_OBJECT_FOREIGN)) {
		v.object = 0;
		v.variable.kind = stack_has(base) ? TD_OBJECT_STACK : TD_OBJECT_GLOBAL;
		v.variable.start = base;
		v.variable.size = l->inside;
	} else if (l->inside && !(o && o->start == base && o->size == l->inside)) {
		v.member = base;
		v.member_size = l->inside;
	}
	widen(&v);
	report_violation(&v);
}

void check_looks(const struct td_look *looks, const uint64_t *pointers, const void *frame)
{
	bool hidden = false;
	if (!state_enter())
		return;
	for (const struct td_look *l = looks; l->kind != TD_LOOK_END; l++) {
		uint32_t number = 0;
		hidden |= unit_hides(pointers[l->pointer] + (uint64_t)(int64_t)l->offset);
		enum td_violation wrong = judge_look(l, pointers, &number);
		if (is_dead(wrong) && !is_ours(pointers[l->pointer] + (uint64_t)(int64_t)l->offset, frame))
			local_reuse(pointers[l->base], l->bytes);
		else if (wrong)
			raise_look(wrong, l, pointers, number, frame);
	}
	state_leave();
	if (hidden)
		tandem_stop();
}

/* A function of the library that the program has of its own may do what it likes, and what it makes of a null pointer is its own affair. */
void check_range(const struct reach *r)
{
	uint32_t number;
	if (!r->bytes || (r->function && r->at < CHECK_LOWEST) || !state_enter())
		return;
	enum td_violation wrong = judge(r->at, r->bytes, r->base, &number);
	struct violation v = {.kind = wrong, .address = r->at, .bytes = r->bytes, .write = r->writes, .object = number, .text = r->name, .library = r->name != NULL,
	                      .frame = r->frame, .place = r->place};
	widen(&v);
	if (!wrong && r->inside && (v.kind = leave_range(r->at, r->bytes, r->base, r->inside))) {
		v.member = r->base;
		v.member_size = r->inside;
	}
	if (is_dead(v.kind) && !is_ours(r->at, r->frame))
		local_reuse(r->base, r->bytes);
	else if (v.kind && !(r->function && module_knows(r->function)))
		report_violation(&v);
	state_leave();
	if (unit_hides(r->at))
		tandem_stop();
}

void __td_extent(void *base, void *at, uint64_t bytes, uint32_t inside, uint32_t writes, uint32_t place, void *function, void *name)
{
	check_range(&(struct reach){(uint64_t)base, (uint64_t)at, bytes, writes, place, function, name, __builtin_frame_address(0), inside});
}

bool check_overflow(uint32_t shape, uint64_t a, uint64_t b)
{
	unsigned unused = 64 - (shape & 255);
	if (shape & TD_SAFETY_UNSIGNED) {
		unsigned __int128 most = UINT64_MAX >> unused, ua = a & (uint64_t)most, ub = b & (uint64_t)most;
		return shape & TD_SAFETY_ADD ? ua + ub > most : shape & TD_SAFETY_SUB ? ub > ua : ua * ub > most;
	}
	__int128 x = (int64_t)(a << unused) >> unused, y = (int64_t)(b << unused) >> unused;
	__int128 exact = shape & TD_SAFETY_ADD ? x + y : shape & TD_SAFETY_SUB ? x - y : x * y;
	return exact != (int64_t)((uint64_t)exact << unused) >> unused;
}

void __td_operate(uint32_t shape, uint64_t a, uint64_t b, uint32_t place)
{
	unsigned bits = shape & 255;
	uint64_t all = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
	enum td_violation wrong = TD_NO_VIOLATION;
	bool size = shape & TD_SAFETY_SIZE;
	if (shape & TD_SAFETY_SHIFT)
		wrong = b >= bits ? TD_VIOLATION_SHIFT : TD_NO_VIOLATION;
	else if (shape & TD_SAFETY_ARITHMETIC)
		wrong = check_overflow(shape, a, b) ? size ? TD_VIOLATION_ALLOCATION : TD_VIOLATION_SIGNED : TD_NO_VIOLATION;
	else if (b == 0)
		wrong = TD_VIOLATION_DIVISION;
	else if (shape & TD_SAFETY_SIGNED && b == all && a == 1ull << (bits - 1))
		wrong = TD_VIOLATION_QUOTIENT;
	if (!wrong || !state_enter())
		return;
	report_violation(&(struct violation){.kind = wrong, .text = size ? "computed by arithmetic that wraps" : NULL, .frame = __builtin_frame_address(0), .place = place});
	state_leave();
}
