/* What leaves the woven world: arguments of uninstrumented functions and of variadic calls. */
#include "object.h"

/* How far to look when nobody says how long the memory is: on from the pointer, over gaps of this many bytes, not over the end of its object. */
enum { GAP = 64, REACH = 1 << 16, PAGE = 4096 };

/* ---- who gets it ---- */

static __thread const char *receiver __attribute__((tls_model("initial-exec"))); /* null: nobody in particular */
static __thread bool counted __attribute__((tls_model("initial-exec")));         /* this call of it */

void __td_handed(void *name)
{
	receiver = name;
	counted = false;
}

static bool is_name(const char *a, const char *b)
{
	unsigned i = 0;
	while (i + 1 < TD_NAME_SIZE && a[i] && a[i] == b[i])
		i++;
	return a[i] == b[i] || i + 1 == TD_NAME_SIZE;
}

static struct td_foreign *row_of(const char *name)
{
	struct td_header *h = td_state.header;
	uint32_t i = 0;
	while (i < h->foreign && !is_name(name, td_state.foreign[i].name))
		i++;
	if (i == TD_MAX_FOREIGN)
		return &td_state.foreign[i - 1];
	struct td_foreign *row = &td_state.foreign[i];
	if (i < h->foreign)
		return row;
	if (i + 1 == TD_MAX_FOREIGN)
		name = "(others)";
	*row = (struct td_foreign){0};
	for (unsigned k = 0; name[k] && k + 1 < TD_NAME_SIZE; k++)
		row->name[k] = name[k];
	__atomic_store_n(&h->foreign, i + 1, __ATOMIC_RELEASE);
	return row;
}

void foreign_lost(uint64_t values, uint64_t bytes)
{
	if (!receiver)
		return;
	struct td_foreign *row = row_of(receiver);
	row->calls += !counted;
	row->values += values;
	row->bytes += bytes;
	counted = true;
}

/* ---- memory ---- */

static void lose_byte(uint32_t word)
{
	uint32_t node = TD_WORD_NODE(word);
	if (td_state.nodes[node].bits != 8)
		node = node_extract(node, 8u * TD_WORD_BYTE(word), 8);
	event_lose(TD_NO_SITE, TD_LOST_MEMORY, node);
}

/* Bytes from here to the end of the object; 0: nobody knows. */
static uint64_t left_of(uint64_t address)
{
	const struct td_object *o = object_get(object_at(address));
	bool known = o && o->kind != TD_OBJECT_FOREIGN && o->state == TD_OBJECT_LIVE && address - o->start < o->size;
	return known ? o->size - (address - o->start) : 0;
}

static bool is_readable(uint64_t address)
{
	return address > 4095 && state_readable(address);
}

static bool reads(enum td_effect effect)
{
	return effect == TD_EFFECT_READS || effect == TD_EFFECT_STRING || effect == TD_EFFECT_UNKNOWN;
}

/* No further than to the end of its object, if it has one: what lies behind is none of the function's business. */
static uint64_t reach_of(uint64_t address, uint64_t left, enum td_effect effect)
{
	uint64_t end = left && left < REACH ? left : REACH;
	for (uint64_t i = 0; effect == TD_EFFECT_STRING && i < end; i++) {
		if (!left && (i == 0 || (address + i) % PAGE == 0) && !is_readable(address + i))
			return i;
		if (!((const char *)address)[i])
			return i + 1;
	}
	return end;
}

/* From the pointer on: what is symbolic is lost, or forgotten, or both. Was there any? (What is only written over is no loss.) */
static bool touch(uint64_t address, uint64_t bytes, enum td_effect effect)
{
	bool any = false;
	uint64_t left = left_of(address);
	for (uint64_t i = 0, end = bytes ? bytes : reach_of(address, left, effect); i < end; i++) {
		bool all = bytes || effect == TD_EFFECT_STRING;
		uint64_t most = all || end - i < GAP ? end - i : GAP, gap = shadow_gap(address + i, most);
		if (gap == most)
			break;
		i += gap;
		uint32_t word = shadow_byte(address + i);
		if (i < left && shadow_is_stale(address + i, word))
			continue;
		any = true;
		if (reads(effect)) {
			lose_byte(word);
			foreign_lost(0, 1);
		}
		if (effect == TD_EFFECT_WRITES || effect == TD_EFFECT_UNKNOWN)
			shadow_set_byte(address + i, 0);
	}
	return any;
}

/* An unknown function also follows the pointers it finds in the object, or on the page if nobody knows what that is: argv is an array of them. What they
 * lead to may be read. */
static bool follow(uint64_t address)
{
	bool any = false;
	if (!is_readable(address))
		return false;
	uint64_t left = left_of(address), end = (address | (PAGE - 1)) + 1;
	if (left && left < end - address)
		end = address + left;
	for (const uint64_t *p = (const uint64_t *)((address + 7) & ~7ull); (uint64_t)(p + 1) <= end; p++)
		if (*p > 4095 && shadow_has_page(*p))
			any |= touch(*p, 0, TD_EFFECT_READS);
	return any;
}

void __td_external(void *pointer, uint64_t bytes, uint32_t effect)
{
	if (!pointer || shadow_is_empty() || !state_enter())
		return;
	bool any = touch((uint64_t)pointer, bytes, (enum td_effect)effect);
	if (effect == TD_EFFECT_UNKNOWN)
		any |= follow((uint64_t)pointer);
	if (any)
		state_count(TD_COUNT_EXTERNAL);
	state_leave();
}

struct va_list_x86_64 {
	uint32_t general, floating;
	uint8_t *overflow, *save;
};

enum { SAVE_AREA = 176, GENERAL_AREA = 48, OVERFLOW_GUESS = 128, OVERFLOW_REACH = 4096 };

/* An argument that may be a pointer, and is itself lost. */
static bool touch_argument(const uint8_t *at)
{
	uint64_t word;
	bool any = touch((uint64_t)at, 8, TD_EFFECT_READS);
	__builtin_memcpy(&word, at, 8);
	return (word > 4095 && shadow_has_page(word) && touch(word, 0, TD_EFFECT_UNKNOWN)) || any;
}

/* The last lists of arguments that were begun: from where to where they are on the stack. */
static __thread struct list { uint64_t start, end; } lists[8] __attribute__((tls_model("initial-exec")));
static __thread unsigned lists_next __attribute__((tls_model("initial-exec")));

static uint64_t left_on_stack(uint64_t at)
{
	for (unsigned i = 0; i < 8; i++)
		if (lists[i].start && at >= lists[i].start && at <= lists[i].end)
			return lists[i].end - at;
	return OVERFLOW_GUESS;
}

/* An unknown function gets all that is left of a list of arguments. How many are in registers only it knows. */
void __td_listed(void *list)
{
	const struct va_list_x86_64 *l = list;
	bool any = false;
	if (shadow_is_empty() || !state_enter())
		return;
	for (uint32_t at = l->general; at < GENERAL_AREA; at += 8)
		any |= touch_argument(l->save + at);
	for (uint32_t at = l->floating; at < SAVE_AREA; at += 16)
		any |= touch((uint64_t)l->save + at, 16, TD_EFFECT_READS);
	for (uint64_t at = 0, left = left_on_stack((uint64_t)l->overflow); at < left; at += 8)
		any |= touch_argument(l->overflow + at);
	if (any)
		state_count(TD_COUNT_EXTERNAL);
	state_leave();
}

void __td_va_start(void *list, void *descriptor, void *call)
{
	const struct va_list_x86_64 *l = list;
	const struct td_slots *slots = call;
	if (!state_enter())
		return;
	local_reuse((uint64_t)l->save, SAVE_AREA);
	local_reuse((uint64_t)l->overflow, OVERFLOW_REACH);
	shadow_clear((uint64_t)list, sizeof *l);
	shadow_clear((uint64_t)l->save, SAVE_AREA);
	shadow_clear((uint64_t)l->overflow, slots->stacked); /* no more: behind them are the variables of whoever called */
	lists[lists_next++ % 8] = (struct list){(uint64_t)l->overflow, (uint64_t)l->overflow + slots->stacked};
	state_leave();
	for (const struct td_va *va = descriptor; va && va->size; va++) {
		uint8_t *at = (va->overflow ? l->overflow : l->save) + va->offset;
		if (va->size == 255)
			__td_copy(at, slots->by_value[va->slot], va->bytes);
		else
			__td_store(at, va->size, slots->arg[va->slot]);
	}
}
