/* Who is called while whom is on the stack (TD_CALLS). The functions on the stack are a set; whenever one is called with a set below it that it was not called with before, an event says so, and which set is there then. So of a
 * run with millions of calls there are some hundred events, and all that may be asked of them is there: "f was called while g was on the stack".
 *
 * Returns are not watched: what has returned, or was jumped over, has a frame no higher than the one that is called now. Sets are told apart by 64 bits. */
#include "pages.h"
#include "state.h"

#include "contract/facts.h"

enum { FIRST_SEEN = 1 << 12, DEEPEST = 1 << 16 };

struct level {
	uint64_t frame, set;   /* set: with this function in it */
	uint32_t function;
};

/* An entry of 0 is free. */
struct keys {
	uint64_t *at;
	uint64_t count, used;
};

static struct level *stack;
static uint32_t depth;
static uint32_t *times;    /* of each function: how often it is on the stack */
static uint32_t functions;
static struct keys calls;  /* a function and the set below it */
static struct keys sets;   /* with the number of each in */
static uint32_t *numbers;  /* by place in sets */

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 31) * 0x7FB5D329728EA185ull;
	x = (x ^ x >> 27) * 0x81DADEF4BC2DD44Dull;
	return x ^ x >> 33;
}

static uint64_t slot_of(const struct keys *k, uint64_t key)
{
	uint64_t i = key & (k->count - 1);
	while (k->at[i] && k->at[i] != key)
		i = (i + 1) & (k->count - 1);
	return i;
}

static bool grow(struct keys *k, uint32_t **values)
{
	struct keys bigger = {state_map(2 * k->count * sizeof *k->at), 2 * k->count, k->used};
	uint32_t *moved = values ? state_map(2 * k->count * sizeof **values) : NULL;
	if (!bigger.at || (values && !moved))
		return false;
	for (uint64_t i = 0; i < k->count; i++) {
		if (!k->at[i])
			continue;
		uint64_t to = slot_of(&bigger, k->at[i]);
		bigger.at[to] = k->at[i];
		if (values)
			moved[to] = (*values)[i];
	}
	pages_unmap(k->at, k->count * sizeof *k->at);
	if (values) {
		pages_unmap(*values, k->count * sizeof **values);
		*values = moved;
	}
	*k = bigger;
	return true;
}

/* True: it is new. */
static bool note(struct keys *k, uint64_t key, uint32_t **values, uint64_t *at)
{
	key += !key;
	*at = slot_of(k, key);
	if (k->at[*at])
		return false;
	if (2 * k->used >= k->count && grow(k, values))
		*at = slot_of(k, key);
	if (k->used + 1 >= k->count) { /* no memory */
		event_full();
		return false;
	}
	k->at[*at] = key;
	k->used++;
	return true;
}

static uint32_t set_number(uint64_t set)
{
	uint64_t at;
	if (!set)
		return 0;
	if (note(&sets, set, &numbers, &at))
		numbers[at] = (uint32_t)sets.used;
	return numbers[at];
}

static void leave(uint64_t frame)
{
	while (depth && stack[depth - 1].frame <= frame)
		times[stack[--depth].function]--;
}

void profile_call(const struct td_function *record, uint64_t frame)
{
	uint64_t at;
	uint32_t f = (uint32_t)(record - module_record(0));
	if (!stack || f >= functions || state_thread() != 0)
		return;
	leave(frame);
	uint64_t below = depth ? stack[depth - 1].set : 0, with = times[f] ? below : below ^ mix(f + 1ull);
	if (note(&calls, mix(below + f), NULL, &at))
		event_add(TD_EV_CALL, 0, f, 0, set_number(below), set_number(with));
	if (depth >= DEEPEST) {
		event_full();
		return;
	}
	stack[depth++] = (struct level){frame, with, f};
	times[f]++;
}

/* Before the server forks. */
void profile_prepare(void)
{
	while (module_record(functions))
		module_record(functions++)->flags |= TD_SWITCH_TRACE;
	stack = state_map(DEEPEST * sizeof *stack);
	times = state_map((functions + 1ull) * sizeof *times);
	calls = (struct keys){state_map(FIRST_SEEN * sizeof *calls.at), FIRST_SEEN, 0};
	sets = (struct keys){state_map(FIRST_SEEN * sizeof *sets.at), FIRST_SEEN, 0};
	numbers = state_map(FIRST_SEEN * sizeof *numbers);
	if (!stack || !times || !calls.at || !sets.at || !numbers)
		stack = NULL;
}
