/* 128-bit digests: names for structures, such that two that differ have different names for all practical purposes. Not for
 * use against an adversary. Start from any constant that says what kind of thing it is and add words. */
#ifndef TANDEM_BASE_DIGEST_H
#define TANDEM_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct digest {
	uint64_t a, b;
};

static inline struct digest digest_add(struct digest d, uint64_t x)
{
	d.a = (d.a ^ x) * 0x9e3779b97f4a7c15u;
	d.a = (d.a ^ d.a >> 32) * 0xd6e8feb86659fd93u;
	d.a ^= d.a >> 29;
	d.b = (d.b + (x ^ 0x2545f4914f6cdd1du)) * 0xbf58476d1ce4e5b9u;
	d.b = (d.b ^ d.b >> 31) * 0x94d049bb133111ebu;
	d.b ^= d.b >> 30;
	return d;
}

static inline struct digest digest_join(struct digest d, struct digest x)
{
	d = digest_add(d, x.a);
	d.b ^= x.b; /* so that both halves of x count in both of d */
	return digest_add(d, x.b);
}

static inline struct digest digest_of(uint64_t kind)
{
	return digest_add((struct digest){ 0x243f6a8885a308d3u, 0x13198a2e03707344u }, kind);
}

static inline bool digest_same(struct digest x, struct digest y)
{
	return x.a == y.a && x.b == y.b;
}

static inline bool digest_is_none(struct digest d)
{
	return !d.a && !d.b;
}

struct digest digest_bytes(struct digest d, const void *bytes, size_t size);

#endif
