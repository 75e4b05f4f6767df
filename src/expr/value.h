/* Values of terms: bit-vectors of 1 to 128 bits in the low bits of a u128, all higher bits zero. */
#ifndef TANDEM_EXPR_VALUE_H
#define TANDEM_EXPR_VALUE_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static inline u128 value_mask(unsigned bits)
{
	return bits >= 128 ? ~(u128)0 : ((u128)1 << bits) - 1;
}

static inline u128 value_trim(u128 v, unsigned bits)
{
	return v & value_mask(bits);
}

static inline bool value_negative(u128 v, unsigned bits)
{
	return v >> (bits - 1) & 1;
}

static inline s128 value_signed(u128 v, unsigned bits)
{
	return (s128)(value_negative(v, bits) ? v | ~value_mask(bits) : v);
}

static inline u128 value_join(uint64_t lo, uint64_t hi)
{
	return (u128)hi << 64 | lo;
}

#endif
