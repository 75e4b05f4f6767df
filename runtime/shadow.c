/* Shadow memory: for every byte of the program a 32-bit word, 0 or (node, byte of that node), in pages. The directory is a plain
 * array in .bss that woven code indexes with bits 12 to 31 of the address: one shift, no mask. It takes 8 MiB of address space, of
 * which only what is touched costs memory, so it also fits under `ulimit -v`. Pages 4 GiB apart share an entry and are chained. An
 * empty entry tells woven code that nothing on the page is symbolic. A page is never made without its predecessor, so that an access
 * that begins on the page before is not taken for concrete.
 *
 * A word whose node disagrees with the byte in memory is dropped: someone wrote there behind our back. */
#include "object.h"

#include "contract/region.h"

#include <sys/mman.h>

enum { PAGE_BITS = 12, PAGE_SIZE = 1 << PAGE_BITS, PAGE_CHUNK = 32 };

struct page {
	uint64_t number;
	struct page *next; /* another page with the same directory entry */
	struct page *older;
	uint32_t words[PAGE_SIZE];
};

TD_EXPORT void *__td_directory[TD_DIRECTORY_ENTRIES];

static struct page *newest;
static uint64_t pages;
static struct page *spare;
static unsigned spare_count;

static struct page *page_find(uint64_t address)
{
	uint64_t number = address >> PAGE_BITS;
	struct page *p = __td_directory[number % TD_DIRECTORY_ENTRIES];
	while (p && p->number != number)
		p = p->next;
	return p;
}

static struct page *page_make_one(uint64_t number)
{
	if (!spare_count) {
		spare = state_map(sizeof *spare * PAGE_CHUNK);
		if (!spare)
			return NULL;
		spare_count = PAGE_CHUNK;
	}
	struct page *p = spare++;
	spare_count--;
	void **entry = &__td_directory[number % TD_DIRECTORY_ENTRIES];
	p->older = newest;
	newest = p;
	pages++;
	p->number = number;
	p->next = *entry;
	*entry = p;
	return p;
}

static struct page *page_get(uint64_t address)
{
	struct page *p = page_find(address);
	if (p)
		return p;
	uint64_t number = address >> PAGE_BITS;
	if (!page_find((number - 1) << PAGE_BITS) && !page_make_one(number - 1))
		return NULL;
	p = page_make_one(number);
	if (!p)
		event_full();
	return p;
}

bool shadow_is_empty(void)
{
	return !newest;
}

static uint64_t run_on_page(uint64_t address, uint64_t bytes)
{
	uint64_t left = PAGE_SIZE - (address & (PAGE_SIZE - 1));
	return bytes < left ? bytes : left;
}

/* How many bytes from here on have no term, at most so many. */
uint64_t shadow_gap(uint64_t address, uint64_t most)
{
	uint64_t gap = 0;
	while (gap < most) {
		const struct page *p = page_find(address + gap);
		uint64_t n = run_on_page(address + gap, most - gap), i = p ? 0 : n;
		for (const uint32_t *w = p ? &p->words[(address + gap) & (PAGE_SIZE - 1)] : NULL; i < n && !w[i];)
			i++;
		gap += i;
		if (i < n)
			return gap;
	}
	return gap;
}

bool shadow_has_page(uint64_t address)
{
	return page_find(address) != NULL;
}

uint32_t shadow_byte(uint64_t address)
{
	const struct page *p = page_find(address);
	return p ? p->words[address & (PAGE_SIZE - 1)] : 0;
}

/* The map of objects counts the bytes that have terms. */
static void set_word(uint32_t *to, uint32_t word, uint64_t address)
{
	if (!*to != !word)
		object_marked(address, word ? 1 : -1);
	*to = word;
}

void shadow_set_byte(uint64_t address, uint32_t word)
{
	struct page *p = word ? page_get(address) : page_find(address);
	if (p)
		set_word(&p->words[address & (PAGE_SIZE - 1)], word, address);
}

static void clear_run(struct page *p, uint64_t address, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		if (p->words[(address & (PAGE_SIZE - 1)) + i])
			set_word(&p->words[(address & (PAGE_SIZE - 1)) + i], 0, address + i);
}

/* More pages than have shadows at all. */
static void clear_wide(uint64_t address, uint64_t bytes)
{
	for (struct page *p = newest; p; p = p->older) {
		uint64_t from = p->number << PAGE_BITS, to = from + PAGE_SIZE, end = address + bytes;
		if (from < end && to > address) {
			from = from > address ? from : address;
			clear_run(p, from, (to < end ? to : end) - from);
		}
	}
}

void shadow_clear(uint64_t address, uint64_t bytes)
{
	if (bytes >> PAGE_BITS >= pages) {
		clear_wide(address, bytes);
		return;
	}
	for (uint64_t n; bytes; address += n, bytes -= n) {
		n = run_on_page(address, bytes);
		struct page *p = page_find(address);
		if (p)
			clear_run(p, address, n);
	}
}

static void copy_run(uint64_t to, uint64_t from, uint64_t n)
{
	const struct page *source = page_find(from);
	struct page *target = page_find(to);
	if (!source) {
		if (target)
			shadow_clear(to, n);
		return;
	}
	if (!target) {
		uint32_t any = 0;
		for (uint64_t i = 0; i < n; i++)
			any |= source->words[(from & (PAGE_SIZE - 1)) + i];
		if (!any || !(target = page_get(to)))
			return;
	}
	uint32_t *t = &target->words[to & (PAGE_SIZE - 1)];
	const uint32_t *s = &source->words[from & (PAGE_SIZE - 1)];
	if (t <= s)
		for (uint64_t i = 0; i < n; i++)
			set_word(&t[i], s[i], to + i);
	else
		for (uint64_t i = n; i-- > 0;)
			set_word(&t[i], s[i], to + i);
}

/* Like memmove: runs that stay on one page on both sides, in the order that an overlap needs. */
void shadow_copy(uint64_t to, uint64_t from, uint64_t bytes)
{
	if (to == from)
		return;
	if (to < from || to >= from + bytes) {
		for (uint64_t n; bytes; to += n, from += n, bytes -= n) {
			n = run_on_page(from, run_on_page(to, bytes));
			copy_run(to, from, n);
		}
		return;
	}
	while (bytes) {
		uint64_t t = ((to + bytes - 1) & (PAGE_SIZE - 1)) + 1, s = ((from + bytes - 1) & (PAGE_SIZE - 1)) + 1;
		uint64_t n = t < s ? t : s;
		n = n < bytes ? n : bytes;
		copy_run(to + bytes - n, from + bytes - n, n);
		bytes -= n;
	}
}

/* ---- loads ---- */

struct value { uint64_t lo, hi; };

static uint8_t byte_of(struct value v, unsigned i)
{
	return (uint8_t)(i < 8 ? v.lo >> 8 * i : v.hi >> 8 * (i - 8));
}

static struct value node_value(uint32_t node)
{
	return (struct value){td_state.nodes[node].lo, td_state.nodes[node].hi};
}

/* Bytes [from, from + n) of v as a value of their own. */
static struct value bytes_of(struct value v, unsigned from, unsigned n)
{
	struct value r = {0, 0};
	for (unsigned i = 0; i < n; i++) {
		uint64_t b = byte_of(v, from + i);
		if (i < 8)
			r.lo |= b << 8 * i;
		else
			r.hi |= b << 8 * (i - 8);
	}
	return r;
}

static bool gather(uint64_t address, unsigned size, struct value v, uint32_t words[16])
{
	uint32_t any = 0;
	const struct page *p = run_on_page(address, size) == size ? page_find(address) : NULL;
	for (unsigned i = 0; i < size; i++) {
		words[i] = p ? p->words[(address & (PAGE_SIZE - 1)) + i] : shadow_byte(address + i);
		if (words[i] && byte_of(node_value(TD_WORD_NODE(words[i])), TD_WORD_BYTE(words[i])) != byte_of(v, i)) {
			state_count(TD_COUNT_STALE);
			shadow_set_byte(address + i, 0);
			words[i] = 0;
		}
		any |= words[i];
	}
	return any != 0;
}

/* The longest piece from i on that is one node's consecutive bytes, or a constant. */
static uint32_t piece(const uint32_t words[16], unsigned i, unsigned size, struct value v, unsigned *length)
{
	unsigned n = 1;
	if (!words[i]) {
		while (i + n < size && !words[i + n])
			n++;
		struct value c = bytes_of(v, i, n);
		*length = n;
		return node_const(8 * n, c.lo, c.hi);
	}
	while (i + n < size && words[i + n] == words[i] + n && TD_WORD_NODE(words[i + n]) == TD_WORD_NODE(words[i]))
		n++;
	*length = n;
	return node_extract(TD_WORD_NODE(words[i]), 8 * TD_WORD_BYTE(words[i]), 8 * n);
}

static uint32_t assemble(const uint32_t words[16], unsigned size, unsigned bits, struct value v)
{
	uint32_t whole = 0;
	for (unsigned i = 0, n; i < size; i += n) {
		uint32_t part = piece(words, i, size, v, &n);
		if (!part)
			return 0;
		struct value so_far = bytes_of(v, 0, i + n);
		whole = whole ? node_make(TD_CONCAT, 8 * (i + n), part, whole, 0, so_far.lo, so_far.hi) : part;
		if (!whole)
			return 0;
	}
	return bits < 8 * size ? node_extract(whole, 0, bits) : whole;
}

static uint32_t load(const void *pointer, unsigned size, unsigned bits, struct value v)
{
	uint32_t words[16], r = 0;
	if (!state_enter())
		return 0;
	if (gather((uint64_t)pointer, size, v, words))
		r = assemble(words, size, bits, v);
	state_leave();
	return r;
}

uint32_t __td_load(void *pointer, uint32_t size, uint32_t bits, uint64_t value)
{
	return load(pointer, size, bits, (struct value){value, 0});
}

uint32_t __td_load_wide(void *pointer, uint32_t size, uint32_t bits, uint64_t lo, uint64_t hi)
{
	return load(pointer, size, bits, (struct value){lo, hi});
}

bool shadow_is_stale(uint64_t address, uint32_t word)
{
	uint8_t byte = *(const uint8_t *)address;
	if (byte_of(node_value(TD_WORD_NODE(word)), TD_WORD_BYTE(word)) == byte)
		return false;
	state_count(TD_COUNT_STALE);
	shadow_set_byte(address, 0);
	return true;
}

bool shadow_any(uint64_t address, uint64_t bytes)
{
	for (uint64_t n; bytes; address += n, bytes -= n) {
		n = run_on_page(address, bytes);
		const struct page *p = page_find(address);
		for (uint64_t i = 0; p && i < n; i++) {
			uint32_t word = p->words[(address & (PAGE_SIZE - 1)) + i];
			if (word && !shadow_is_stale(address + i, word))
				return true;
		}
	}
	return false;
}

/* ---- stores ---- */

void __td_store(void *pointer, uint32_t size, uint32_t node)
{
	if (!state_enter())
		return;
	if (node && td_state.nodes[node].bits < 8 * size) {
		const struct td_node *n = &td_state.nodes[node];
		node = node_make(TD_ZEXT, 8 * size, node, 0, 0, n->lo, n->hi);
	}
	if (!node)
		shadow_clear((uint64_t)pointer, size);
	else
		for (unsigned i = 0; i < size; i++)
			shadow_set_byte((uint64_t)pointer + i, TD_WORD(node, i));
	state_leave();
}

void __td_copy(void *to, void *from, uint64_t bytes)
{
	if (!state_enter())
		return;
	shadow_copy((uint64_t)to, (uint64_t)from, bytes);
	state_leave();
}

void __td_fill(void *pointer, uint32_t node, uint64_t bytes)
{
	if (!state_enter())
		return;
	if (node)
		for (uint64_t i = 0; i < bytes; i++)
			shadow_set_byte((uint64_t)pointer + i, TD_WORD(node, 0));
	else
		shadow_clear((uint64_t)pointer, bytes);
	state_leave();
}

void __td_forget(void *pointer, uint64_t bytes)
{
	if (!state_enter())
		return;
	shadow_clear((uint64_t)pointer, bytes);
	state_leave();
}

void __td_clear(void *memory, uint64_t bytes)
{
	__td_forget(memory, bytes);
}

void __td_move(void *to, const void *from, uint64_t bytes)
{
	__td_copy(to, (void *)(uintptr_t)from, bytes);
}
