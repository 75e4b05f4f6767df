/* Sorting and searching. qsort is the merge sort of glibc 2.36 (stdlib/msort.c): the same comparisons in the same order, with the same
 * addresses, and so the same result for elements that are equal and for comparisons that contradict themselves. It takes memory as that does:
 * up to a kibibyte on the stack, else from the heap. Not taken over is the quicksort it falls back to when memory is short. */
#include "model.h"

#include <stdlib.h>

enum { ON_STACK = 1024, INDIRECT = 32 /* bytes of an element: larger ones are sorted by their addresses */ };

typedef int plain_order(const void *, const void *);
typedef int order(const void *, const void *, void *);

struct sort {
	size_t size;       /* of what is moved: elements, or their addresses */
	int indirect;
	plain_order *plain; /* one of the two */
	order *with;
	void *context;
	byte *room;
};

static int compare(const struct sort *s, const byte *a, const byte *b)
{
	const void *x = s->indirect ? *(void *const *)a : a, *y = s->indirect ? *(void *const *)b : b;
	return s->plain ? s->plain(x, y) : s->with(x, y, s->context);
}

static void merge_sort(const struct sort *s, byte *base, size_t n)
{
	if (n <= 1)
		return;
	size_t n1 = n / 2, n2 = n - n1, size = s->size;
	byte *a = base, *b = base + n1 * size, *to = s->room;
	merge_sort(s, a, n1);
	merge_sort(s, b, n2);
	for (; n1 > 0 && n2 > 0; to += size) {
		if (compare(s, a, b) <= 0) {
			__builtin_memcpy(to, a, size);
			a += size;
			n1--;
		} else {
			__builtin_memcpy(to, b, size);
			b += size;
			n2--;
		}
	}
	if (n1 > 0)
		__builtin_memcpy(to, a, n1 * size);
	__builtin_memcpy(base, s->room, (n - n2) * size);
}

/* The addresses are in order: now the elements, one cycle after the other. */
static void permute(byte *base, byte **addresses, byte *spare, size_t n, size_t size)
{
	for (size_t i = 0; i < n; i++) {
		byte *from = addresses[i], *here = base + i * size;
		if (from == here)
			continue;
		size_t k = i;
		__builtin_memcpy(spare, here, size);
		do {
			size_t next = (size_t)(from - base) / size;
			addresses[k] = here;
			__builtin_memcpy(here, from, size);
			k = next;
			here = from;
			from = addresses[k];
		} while (from != base + i * size);
		addresses[k] = here;
		__builtin_memcpy(here, spare, size);
	}
}

static void sort_indirectly(struct sort *s, byte *base, size_t n, size_t size)
{
	byte **addresses = (byte **)(void *)(s->room + n * sizeof *addresses);
	s->indirect = 1;
	s->size = sizeof *addresses;
	for (size_t i = 0; i < n; i++)
		addresses[i] = base + i * size;
	merge_sort(s, (byte *)addresses, n);
	permute(base, addresses, (byte *)(addresses + n), n, size);
}

static void sort_with(struct sort *s, byte *base, size_t n, size_t size, byte *room)
{
	s->room = room;
	s->size = size;
	if (size > INDIRECT)
		sort_indirectly(s, base, n, size);
	else
		merge_sort(s, base, n);
}

static void sort_on_stack(struct sort *s, byte *base, size_t n, size_t size)
{
	_Alignas(16) byte room[ON_STACK];
	sort_with(s, base, n, size, room);
}

/* The library takes its memory also when there is nothing to sort. */
static void sort(struct sort *s, void *base, size_t n, size_t size)
{
	size_t bytes = size > INDIRECT ? 2 * n * sizeof(void *) + size : n * size;
	__td_extent(base, base, n * size, 0, 1, 0, NULL, NULL);
	if (bytes < ON_STACK) {
		sort_on_stack(s, base, n, size);
		return;
	}
	byte *room = MODEL(malloc)(bytes);
	if (!room) {
		if (s->plain)
			qsort(base, n, size, s->plain);
		else
			qsort_r(base, n, size, s->with, s->context);
		return;
	}
	sort_with(s, base, n, size, room);
	free(room);
}

void MODEL(qsort)(void *base, size_t n, size_t size, plain_order *compare_plain)
{
	struct sort s = {.plain = compare_plain};
	sort(&s, base, n, size);
}

void MODEL(qsort_r)(void *base, size_t n, size_t size, order *compare_with, void *context)
{
	struct sort s = {.with = compare_with, .context = context};
	sort(&s, base, n, size);
}

void *MODEL(bsearch)(const void *key, const void *base, size_t n, size_t size, plain_order *compare_plain)
{
	size_t low = 0, high = n;
	while (low < high) {
		size_t middle = (low + high) / 2;
		const byte *at = (const byte *)base + middle * size;
		int c = compare_plain(key, at);
		if (c < 0)
			high = middle;
		else if (c > 0)
			low = middle + 1;
		else
			return (void *)at;
	}
	return NULL;
}
