/* See pack.h. */
#include "base/pack.h"

#include "base/vec.h"

#include <string.h>

void pack_number(struct pack *p, uint64_t n)
{
	vec_reserve(p, p->count + 10);
	for (; n >= 0x80; n >>= 7)
		p->at[p->count++] = (uint8_t)(n | 0x80);
	p->at[p->count++] = (uint8_t)n;
}

void pack_bytes(struct pack *p, const void *bytes, size_t size)
{
	vec_reserve(p, p->count + size);
	if (size)
		memcpy(p->at + p->count, bytes, size);
	p->count += size;
}

void pack_text(struct pack *p, const char *text)
{
	size_t size = strlen(text);
	pack_number(p, size);
	pack_bytes(p, text, size);
}

void pack_clear(struct pack *p)
{
	vec_clear(p);
}

void pack_free(struct pack *p)
{
	vec_free(p);
}

uint64_t unpack_number(struct unpack *u)
{
	uint64_t n = 0;
	for (unsigned shift = 0; u->at < u->end && shift < 64; shift += 7) {
		uint8_t byte = *u->at++;
		n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return n;
	}
	u->bad = true;
	return 0;
}

const uint8_t *unpack_bytes(struct unpack *u, size_t size)
{
	const uint8_t *bytes = u->at;
	if (size > (size_t)(u->end - u->at)) {
		u->bad = true;
		return NULL;
	}
	u->at += size;
	return bytes;
}

const uint8_t *unpack_block(struct unpack *u, size_t *size)
{
	*size = (size_t)unpack_number(u);
	const uint8_t *bytes = unpack_bytes(u, *size);
	*size = bytes ? *size : 0;
	return bytes;
}

/* --- differences --- */

/* Of two of one length: stretches that are the same, and others. */
static void pack_stretches(struct pack *p, const uint8_t *a, const uint8_t *b, size_t size)
{
	for (size_t at = 0; at < size;) {
		size_t same = at, other;
		while (same < size && a[same] == b[same])
			same++;
		for (other = same; other < size && a[other] != b[other]; other++)
			;
		pack_number(p, same - at);
		pack_number(p, other - same);
		pack_bytes(p, b + same, other - same);
		at = other;
	}
}

/* What is the same at the beginning and at the end is said by its length. In between they are often of one length. */
void pack_difference(struct pack *p, const struct pack *from, const struct pack *to)
{
	size_t least = from->count < to->count ? from->count : to->count, front = 0, back = 0;
	while (front < least && from->at[front] == to->at[front])
		front++;
	while (back < least - front && from->at[from->count - 1 - back] == to->at[to->count - 1 - back])
		back++;
	size_t middle = to->count - front - back;
	pack_number(p, front);
	pack_number(p, back);
	pack_number(p, middle);
	if (from->count == to->count)
		pack_stretches(p, from->at + front, to->at + front, middle);
	else
		pack_bytes(p, to->at + front, middle);
}

static void unpack_stretches(struct unpack *u, const uint8_t *from, size_t size, struct pack *to)
{
	for (size_t at = 0; at < size && !u->bad;) {
		uint64_t same = unpack_number(u), other = unpack_number(u);
		const uint8_t *bytes = other <= size - at ? unpack_bytes(u, (size_t)other) : NULL;
		u->bad |= !bytes || same > size - at - other || !(same + other);
		if (u->bad)
			return;
		pack_bytes(to, from + at, (size_t)same);
		pack_bytes(to, bytes, (size_t)other);
		at += (size_t)(same + other);
	}
}

bool unpack_difference(struct unpack *u, const struct pack *from, struct pack *to)
{
	uint64_t front = unpack_number(u), back = unpack_number(u), middle = unpack_number(u);
	u->bad |= front > from->count || back > from->count - front;
	if (u->bad)
		return false;
	pack_clear(to);
	pack_bytes(to, from->at, (size_t)front);
	if (middle == from->count - front - back) {
		unpack_stretches(u, from->at + front, (size_t)middle, to);
	} else {
		const uint8_t *bytes = unpack_bytes(u, (size_t)middle);
		pack_bytes(to, bytes, bytes ? (size_t)middle : 0);
	}
	pack_bytes(to, from->at + from->count - back, (size_t)back);
	return !u->bad;
}
