/* Reference semantics, floating point half: the machine's own arithmetic on 32, 64 and (x87) 80-bit patterns, in the
 * default rounding mode. Sign operations (FNEG, FABS, FCOPYSIGN) work on bits, so that a NaN keeps its payload. FREM is C's
 * fmod; FMIN and FMAX are C's fmin and fmax as clang lowers them: of two zeros the first operand wins (x87: libm
 * decides).
 *
 * Out of range, C leaves FPTOSI and FPTOUI undefined; the program got what x86 gives it, and so do we:
 *   - cvttsd2si and fistp answer the smallest number of their own width ("integer indefinite"); other targets take the low
 *     bits of a conversion to 16 (x87 only), 32 or 64 bits, where an unsigned target counts as one bit wider;
 *   - unsigned 64: SSE converts x and x - 2^63 and joins the two; x87 converts one of them and adds 2^63 again;
 *   - more than 64 bits: libgcc's answer has no pattern; ours is the smallest signed number, like the machine's.
 *
 * Not promised: which payload a NaN has that was computed from two NaNs (the compiler may swap operands). */
#include "expr/feval.h"

#include "contract/op.h"

#include <math.h>
#include <string.h>

typedef float f32;
typedef double f64;
typedef long double f80;

/* One family of functions per width; `size` is what the pattern occupies in memory. */
#define FLOAT_FAMILY(T, size, s) \
static T T##_load(u128 pattern) \
{ \
	T x = 0; \
	memcpy(&x, &pattern, size); \
	return x; \
} \
\
static u128 T##_pattern(T x) \
{ \
	u128 pattern = 0; \
	memcpy(&pattern, &x, size); \
	return pattern; \
} \
\
static T T##_round(T x, unsigned how) \
{ \
	switch (how) { \
	case TD_ROUND_FLOOR: return floor##s(x); \
	case TD_ROUND_CEIL: return ceil##s(x); \
	case TD_ROUND_TRUNC: return trunc##s(x); \
	case TD_ROUND_ROUND: return round##s(x); \
	default: return nearbyint##s(x); \
	} \
} \
\
static T T##_arithmetic(const struct td_node *n, T a, T b, T c) \
{ \
	switch (n->op) { \
	case TD_FADD: return a + b; \
	case TD_FSUB: return a - b; \
	case TD_FMUL: return a * b; \
	case TD_FDIV: return a / b; \
	case TD_FREM: return fmod##s(a, b); \
	case TD_FSQRT: return sqrt##s(a); \
	case TD_FROUND: return T##_round(a, n->b); \
	case TD_FMIN: return size == 10 ? fmin##s(a, b) : isnan(a) ? b : b < a ? b : a; \
	case TD_FMAX: return size == 10 ? fmax##s(a, b) : isnan(a) ? b : b > a ? b : a; \
	default: return fma##s(a, b, c); \
	} \
} \
\
static u128 T##_compute(const struct td_node *n, const struct operands *x) \
{ \
	return T##_pattern(T##_arithmetic(n, T##_load(x->a), T##_load(x->b), T##_load(x->c))); \
}

FLOAT_FAMILY(f32, 4, f)
FLOAT_FAMILY(f64, 8, )
FLOAT_FAMILY(f80, 10, l)

/* Exact: every float and double is a long double. Signalling NaNs become quiet. */
static f80 widen(u128 pattern, unsigned bits)
{
	return bits == 32 ? (f80)f32_load(pattern) : bits == 64 ? (f80)f64_load(pattern) : f80_load(pattern);
}

static u128 compute(const struct td_node *n, const struct operands *x)
{
	return n->bits == 32 ? f32_compute(n, x) : n->bits == 64 ? f64_compute(n, x) : f80_compute(n, x);
}

/* Predicates are sets: bit 0 equal, 1 greater, 2 less, 3 unordered (enum td_fcmp). */
static bool compare(unsigned predicate, f80 a, f80 b)
{
	unsigned relation = a == b ? 0 : a > b ? 1 : a < b ? 2 : 3;
	return predicate >> relation & 1;
}

static u128 change_sign(unsigned op, unsigned bits, u128 a, u128 b)
{
	u128 sign = (u128)1 << (bits - 1);
	return op == TD_FNEG ? a ^ sign : op == TD_FABS ? a & ~sign : (a & ~sign) | (b & sign);
}

/* What cvttss2si, cvttsd2si and fistp do: the smallest number if the integer part does not fit. The smallest number
 * itself gives the same answer, so the range can be tested by magnitude. */
static u128 to_signed(f80 x, unsigned bits)
{
	return fabsl(x) < ldexpl(1, (int)bits - 1) ? (u128)(s128)x : (u128)1 << (bits - 1);
}

static unsigned signed_container(unsigned bits, bool x87)
{
	return x87 && bits <= 16 ? 16 : bits <= 32 ? 32 : bits <= 64 ? 64 : 128;
}

static u128 to_unsigned_64(f80 x, bool x87)
{
	f80 half = 0x1p63L;
	if (x87)
		return x >= half ? to_signed(x - half, 64) ^ (u128)1 << 63 : to_signed(x, 64);
	u128 low = to_signed(x, 64);
	return value_negative(low, 64) ? low | to_signed(x - half, 64) : low;
}

static u128 to_unsigned(f80 x, unsigned bits, bool x87)
{
	if (bits == 64)
		return to_unsigned_64(x, x87);
	if (bits <= 64)
		return to_signed(x, signed_container(bits + 1, x87)); /* the next width up holds them all */
	bool upper = x >= 0x1p127L && x < 0x1p128L;
	return upper ? (u128)(s128)(x - 0x1p127L) | (u128)1 << 127 : to_signed(x, 128);
}

static u128 from_unsigned(u128 v, unsigned bits)
{
	return bits == 32 ? f32_pattern((f32)v) : bits == 64 ? f64_pattern((f64)v) : f80_pattern((f80)v);
}

static u128 from_signed(s128 v, unsigned bits)
{
	return bits == 32 ? f32_pattern((f32)v) : bits == 64 ? f64_pattern((f64)v) : f80_pattern((f80)v);
}

/* Through long double, which is exact on the way up; on the way down it is the only rounding. */
static u128 cast(u128 pattern, unsigned from, unsigned to)
{
	if (from == to)
		return pattern;
	f80 x = widen(pattern, from);
	return to == 32 ? f32_pattern((f32)x) : to == 64 ? f64_pattern((f64)x) : f80_pattern(x);
}

u128 feval_node(const struct td_node *n, const struct operands *x)
{
	switch (n->op) {
	case TD_FCMP:
		return compare(n->c, widen(x->a, x->a_bits), widen(x->b, x->a_bits));
	case TD_FNEG: case TD_FABS: case TD_FCOPYSIGN:
		return change_sign(n->op, n->bits, x->a, x->b);
	case TD_FPTOUI:
		return to_unsigned(widen(x->a, x->a_bits), n->bits, x->a_bits == 80);
	case TD_FPTOSI:
		return to_signed(widen(x->a, x->a_bits), signed_container(n->bits, x->a_bits == 80));
	case TD_UITOFP:
		return from_unsigned(x->a, n->bits);
	case TD_SITOFP:
		return from_signed(value_signed(x->a, x->a_bits), n->bits);
	case TD_FPCAST:
		return cast(x->a, x->a_bits, n->bits);
	default:
		return compute(n, x);
	}
}
