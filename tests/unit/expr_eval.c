/* The evaluator against the compiler: every integer operator at odd and even widths against clang's own _BitInt
 * arithmetic (exact, in a type twice as wide), every floating point operator against the machine. */
#include "base/rng.h"
#include "contract/op.h"
#include "expr/eval.h"
#include "expr/op.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#pragma clang diagnostic ignored "-Wbit-int-extension"

enum { ROUNDS = 3000 };

static struct rng rng;

static u128 pick(unsigned bits)
{
	u128 v = value_join(rng_next(&rng), rng_next(&rng));
	switch (rng_below(&rng, 6)) {
	case 0: v = rng_below(&rng, 4); break;
	case 1: v = -(u128)rng_below(&rng, 4); break;
	case 2: v = ((u128)1 << (bits - 1)) + rng_below(&rng, 3) - 1; break;
	case 3: v = rng_below(&rng, bits + 2); break;
	case 4: v >>= rng_below(&rng, bits); break;
	default: break;
	}
	return value_trim(v, bits);
}

static u128 run(unsigned op, unsigned bits, unsigned operand_bits, u128 a, u128 b, u128 c, uint32_t immediate)
{
	struct td_node n = { .op = (uint8_t)op, .bits = (uint16_t)bits };
	*(op == TD_FCMP ? &n.c : &n.b) = immediate;
	struct operands x = { a, b, c, operand_bits, operand_bits };
	return eval_node(&n, &x);
}

static void expect(unsigned op, unsigned bits, u128 a, u128 b, u128 got, u128 wanted)
{
	if (got == wanted)
		return;
	fail_msg("%s at %u bits of %016llx%016llx, %016llx%016llx: got %016llx%016llx, wanted %016llx%016llx", op_get(op)->name,
	         bits, (unsigned long long)(a >> 64), (unsigned long long)a, (unsigned long long)(b >> 64),
	         (unsigned long long)b, (unsigned long long)(got >> 64), (unsigned long long)got,
	         (unsigned long long)(wanted >> 64), (unsigned long long)wanted);
}

/* --- integers --- */

static unsigned count_bits(u128 v, unsigned bits)
{
	unsigned n = 0;
	for (unsigned i = 0; i < bits; i++)
		n += (unsigned)(v >> i & 1);
	return n;
}

static u128 reversed(u128 v, unsigned bits, unsigned group)
{
	u128 r = 0;
	for (unsigned i = 0; i < bits; i++) {
		unsigned to = bits - group - i / group * group + i % group;
		r |= (v >> i & 1) << to;
	}
	return r;
}

static unsigned zeros_above(u128 v, unsigned bits)
{
	unsigned n = bits;
	for (; v; v >>= 1)
		n--;
	return n;
}

/* x, y: signed; p, q: unsigned; all in W, which holds every exact result. */
#define REFERENCE(N) \
static u128 reference_##N(unsigned op, u128 ua, u128 ub, u128 uc) \
{ \
	typedef unsigned _BitInt(N) U; \
	typedef signed _BitInt(2 * N + 2) W; \
	typedef unsigned _BitInt(2 * N) P; \
	const W one = 1, modulus = one << N, low = -(one << (N - 1)), high = (one << (N - 1)) - 1, top = modulus - 1; \
	const U a = (U)ua, b = (U)ub; \
	const W p = (W)a, q = (W)b, x = p > high ? p - modulus : p, y = q > high ? q - modulus : q, z = (W)(uc % N); \
	const W shifted = q < N ? p << q : p ? top + 1 : 0; \
	const W slid = q < N ? x * (one << q) : x > 0 ? high + 1 : x < 0 ? low - 1 : 0; \
	W r; \
	switch (op) { \
	case TD_ADD: r = p + q; break; \
	case TD_SUB: r = p - q; break; \
	case TD_MUL: r = p * q; break; \
	case TD_UDIV: r = q ? p / q : top; break; \
	case TD_SDIV: r = y ? x / y : x < 0 ? 1 : -1; break; \
	case TD_UREM: r = q ? p % q : p; break; \
	case TD_SREM: r = y ? x % y : x; break; \
	case TD_SHL: r = q < N ? p << q : 0; break; \
	case TD_LSHR: r = q < N ? p >> q : 0; break; \
	case TD_ASHR: r = q < N ? x >> q : x < 0 ? -1 : 0; break; \
	case TD_AND: r = a & b; break; \
	case TD_OR: r = a | b; break; \
	case TD_XOR: r = a ^ b; break; \
	case TD_EQ: r = a == b; break; \
	case TD_NE: r = a != b; break; \
	case TD_ULT: r = a < b; break; \
	case TD_ULE: r = a <= b; break; \
	case TD_SLT: r = x < y; break; \
	case TD_SLE: r = x <= y; break; \
	case TD_ZEXT: r = p; break; \
	case TD_SEXT: r = x; break; \
	case TD_CTPOP: r = (W)count_bits(ua, N); break; \
	case TD_CTLZ: r = (W)zeros_above(ua, N); break; \
	case TD_CTTZ: r = (W)zeros_above(reversed(ua, N, 1), N); break; \
	case TD_BITREV: r = (W)reversed(ua, N, 1); break; \
	case TD_BSWAP: r = (W)reversed(ua, N, 8); break; \
	case TD_UADDO: r = p + q > top; break; \
	case TD_SADDO: r = x + y > high || x + y < low; break; \
	case TD_USUBO: r = p - q < 0; break; \
	case TD_SSUBO: r = x - y > high || x - y < low; break; \
	case TD_UMULO: r = p * q > top; break; \
	case TD_SMULO: r = x * y > high || x * y < low; break; \
	case TD_UADDSAT: r = p + q > top ? top : p + q; break; \
	case TD_SADDSAT: r = x + y > high ? high : x + y < low ? low : x + y; break; \
	case TD_USUBSAT: r = p < q ? 0 : p - q; break; \
	case TD_SSUBSAT: r = x - y > high ? high : x - y < low ? low : x - y; break; \
	case TD_USHLSAT: r = shifted > top ? top : shifted; break; \
	case TD_SSHLSAT: r = slid > high ? high : slid < low ? low : slid; break; \
	case TD_UMIN: r = p < q ? p : q; break; \
	case TD_UMAX: r = p < q ? q : p; break; \
	case TD_SMIN: r = x < y ? x : y; break; \
	case TD_SMAX: r = x < y ? y : x; break; \
	case TD_ABS: r = x < 0 ? -x : x; break; \
	case TD_FSHL: r = (W)(((P)a << N | b) << z >> N); break; \
	case TD_FSHR: r = (W)(((P)a << N | b) >> z); break; \
	default: fail_msg("no reference for operator %u", op); r = 0; \
	} \
	return (u128)(U)r; \
}

REFERENCE(1) REFERENCE(7) REFERENCE(8) REFERENCE(16) REFERENCE(31) REFERENCE(32) REFERENCE(33)
REFERENCE(64) REFERENCE(65) REFERENCE(80) REFERENCE(127) REFERENCE(128)

static const struct {
	unsigned bits;
	u128 (*reference)(unsigned op, u128 a, u128 b, u128 c);
} widths[] = {
	{ 1, reference_1 }, { 7, reference_7 }, { 8, reference_8 }, { 16, reference_16 }, { 31, reference_31 },
	{ 32, reference_32 }, { 33, reference_33 }, { 64, reference_64 }, { 65, reference_65 }, { 80, reference_80 },
	{ 127, reference_127 }, { 128, reference_128 },
};

static bool gives_one_bit(unsigned op)
{
	return (op >= TD_EQ && op <= TD_SLE) || (op >= TD_UADDO && op <= TD_SMULO);
}

static void check_integer(unsigned op, size_t w)
{
	unsigned bits = widths[w].bits;
	if (op == TD_BSWAP && bits % 8)
		return;
	for (int i = 0; i < ROUNDS; i++) {
		u128 a = pick(bits), b = pick(bits), c = pick(bits);
		u128 got = run(op, gives_one_bit(op) ? 1 : bits, bits, a, b, c, 0);
		expect(op, bits, a, b, got, widths[w].reference(op, a, b, c));
	}
}

static void test_integers(void **state)
{
	(void)state;
	for (unsigned op = TD_ADD; op <= TD_FSHR; op++) {
		if (op == TD_EXTRACT || op == TD_CONCAT || op == TD_ITE)
			continue;
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
			check_integer(op, w);
	}
}

static void test_widths_that_differ(void **state)
{
	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		unsigned wide = 2 + (unsigned)rng_below(&rng, 127), narrow = 1 + (unsigned)rng_below(&rng, wide - 1);
		unsigned low = (unsigned)rng_below(&rng, wide - narrow + 1);
		u128 a = pick(wide), h = pick(wide - narrow), l = pick(narrow);
		expect(TD_EXTRACT, narrow, a, low, run(TD_EXTRACT, narrow, wide, a, 0, 0, low), a >> low & value_mask(narrow));
		expect(TD_ZEXT, wide, l, 0, run(TD_ZEXT, wide, narrow, l, 0, 0, 0), l);
		u128 extended = l >> (narrow - 1) ? l | (value_mask(wide) ^ value_mask(narrow)) : l;
		expect(TD_SEXT, wide, l, 0, run(TD_SEXT, wide, narrow, l, 0, 0, 0), extended);
		struct td_node concat = { .op = TD_CONCAT, .bits = (uint16_t)wide };
		struct operands x = { h, l, 0, wide - narrow, narrow };
		expect(TD_CONCAT, wide, h, l, eval_node(&concat, &x), h << narrow | l);
		expect(TD_ITE, wide, 1, a, run(TD_ITE, wide, 1, 1, a, l, 0), a);
		expect(TD_ITE, wide, 0, a, run(TD_ITE, wide, 1, 0, a, l, 0), l);
	}
}

/* --- floating point --- */

static long double pick_number(void)
{
	static const long double special[] = { 0.0L, -0.0L, 1, -1, 0.5L, -0.5L, 1.5L, 2.5L, -2.5L, INFINITY, -INFINITY, NAN,
		0x1p31L, -0x1p31L, 0x1p32L, 0x1p63L, -0x1p63L, 0x1p64L, 0x1p65L, 127, 128, -129, 255, 256, 32768, 65536, -0.9L,
		0x1.fffffep-127L, 0x1p-149L, 0x1p127L, 1e300L, 1e-320L, 1e4000L };
	if (rng_below(&rng, 3) == 0)
		return special[rng_below(&rng, sizeof special / sizeof *special)];
	long double mantissa = (long double)(int64_t)rng_next(&rng);
	return ldexpl(mantissa, -63 + (int)rng_below(&rng, rng_below(&rng, 2) ? 70 : 8));
}

static bool both_nan(unsigned bits, u128 a, u128 b)
{
	u128 all = bits == 32 ? 0x7f800000 : bits == 64 ? (u128)0x7ff0000000000000 : value_join(0x8000000000000000, 0x7fff);
	u128 body = value_mask(bits - 1);
	return (a & body) > all && (b & body) > all;
}

static void expect_float(unsigned op, unsigned bits, u128 a, u128 b, u128 got, u128 wanted)
{
	if (!both_nan(bits, got, wanted))
		expect(op, bits, a, b, got, wanted);
}

#define FLOAT_CHECKS(T, N, size, s) \
static u128 pattern_##N(T x) \
{ \
	u128 p = 0; \
	memcpy(&p, &x, size); \
	return p; \
} \
\
/* Native conversions, out of range included: not constant, so the machine decides. */ \
__attribute__((noinline, no_sanitize("undefined"))) static u128 to_int_##N(unsigned bits, bool is_signed, T x) \
{ \
	switch (bits) { \
	case 8: return is_signed ? (u128)(int8_t)x : (u128)(uint8_t)x; \
	case 16: return is_signed ? (u128)(int16_t)x : (u128)(uint16_t)x; \
	case 31: return is_signed ? (u128)(_BitInt(31))x : (u128)(unsigned _BitInt(31))x; \
	case 32: return is_signed ? (u128)(int32_t)x : (u128)(uint32_t)x; \
	case 33: return is_signed ? (u128)(_BitInt(33))x : (u128)(unsigned _BitInt(33))x; \
	case 64: return is_signed ? (u128)(int64_t)x : (u128)(uint64_t)x; \
	default: return is_signed ? (u128)(s128)x : (u128)x; \
	} \
} \
\
static void check_arithmetic_##N(T a, T b, T c) \
{ \
	const u128 pa = pattern_##N(a), pb = pattern_##N(b), pc = pattern_##N(c); \
	const struct { unsigned op; T wanted; uint32_t immediate; } rows[] = { \
		{ TD_FADD, a + b, 0 }, { TD_FSUB, a - b, 0 }, { TD_FMUL, a * b, 0 }, { TD_FDIV, a / b, 0 }, \
		{ TD_FREM, fmod##s(a, b), 0 }, { TD_FNEG, -a, 0 }, { TD_FABS, fabs##s(a), 0 }, { TD_FSQRT, sqrt##s(a), 0 }, \
		{ TD_FROUND, floor##s(a), TD_ROUND_FLOOR }, { TD_FROUND, ceil##s(a), TD_ROUND_CEIL }, \
		{ TD_FROUND, trunc##s(a), TD_ROUND_TRUNC }, { TD_FROUND, round##s(a), TD_ROUND_ROUND }, \
		{ TD_FROUND, rint##s(a), TD_ROUND_EVEN }, { TD_FMIN, fmin##s(a, b), 0 }, { TD_FMAX, fmax##s(a, b), 0 }, \
		{ TD_FCOPYSIGN, copysign##s(a, b), 0 }, { TD_FMA, fma##s(a, b, c), 0 }, \
	}; \
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) \
		expect_float(rows[i].op, N, pa, pb, run(rows[i].op, N, N, pa, pb, pc, rows[i].immediate), \
		             pattern_##N(rows[i].wanted)); \
} \
\
static void check_comparisons_##N(T a, T b) \
{ \
	const bool un = isunordered(a, b); \
	const bool wanted[16] = { false, a == b, a > b, a >= b, a < b, a <= b, a < b || a > b, !un, un, un || a == b, \
	                          un || a > b, un || a >= b, un || a < b, un || a <= b, a != b, true }; \
	for (uint32_t i = 0; i < 16; i++) \
		expect(TD_FCMP, N, pattern_##N(a), pattern_##N(b), run(TD_FCMP, 1, N, pattern_##N(a), pattern_##N(b), 0, i), \
		       wanted[i]); \
} \
\
static void check_conversions_##N(T a) \
{ \
	static const unsigned targets[] = { 8, 16, 31, 32, 33, 64, 128 }; \
	const u128 pa = pattern_##N(a); \
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) { \
		const unsigned bits = targets[i]; \
		bool fits = bits < 128 || fabsl((long double)a) < 0x1p127L; \
		if (fits) \
			expect(TD_FPTOSI, bits, pa, N, run(TD_FPTOSI, bits, N, pa, 0, 0, 0), value_trim(to_int_##N(bits, true, a), bits)); \
		if (bits < 128 || (fits && a >= 0)) \
			expect(TD_FPTOUI, bits, pa, N, run(TD_FPTOUI, bits, N, pa, 0, 0, 0), value_trim(to_int_##N(bits, false, a), bits)); \
	} \
	expect_float(TD_FPCAST, 32, pa, N, run(TD_FPCAST, 32, N, pa, 0, 0, 0), pattern_32((float)a)); \
	expect_float(TD_FPCAST, 64, pa, N, run(TD_FPCAST, 64, N, pa, 0, 0, 0), pattern_64((double)a)); \
	expect_float(TD_FPCAST, 80, pa, N, run(TD_FPCAST, 80, N, pa, 0, 0, 0), pattern_80((long double)a)); \
} \
\
static void check_integers_to_##N(unsigned bits) \
{ \
	const u128 v = pick(bits); \
	const s128 sv = value_signed(v, bits); \
	const T u = bits <= 64 ? (T)(uint64_t)v : (T)v, i = bits <= 64 ? (T)(int64_t)sv : (T)sv; \
	expect(TD_UITOFP, bits, v, N, run(TD_UITOFP, N, bits, v, 0, 0, 0), pattern_##N(u)); \
	expect(TD_SITOFP, bits, v, N, run(TD_SITOFP, N, bits, v, 0, 0, 0), pattern_##N(i)); \
} \
\
static void test_float_##N(void **state) \
{ \
	(void)state; \
	for (int i = 0; i < 4 * ROUNDS; i++) { \
		T a = (T)pick_number(), b = (T)pick_number(), c = (T)pick_number(); \
		check_arithmetic_##N(a, b, c); \
		check_comparisons_##N(a, b); \
		check_conversions_##N(a); \
		check_integers_to_##N(widths[(size_t)i % (sizeof widths / sizeof *widths)].bits); \
	} \
}

static u128 pattern_64(double x);
static u128 pattern_80(long double x);
FLOAT_CHECKS(float, 32, 4, f)
FLOAT_CHECKS(double, 64, 8, )
FLOAT_CHECKS(long double, 80, 10, l)

int main(void)
{
	rng_seed(&rng, 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers), cmocka_unit_test(test_widths_that_differ), cmocka_unit_test(test_float_32),
		cmocka_unit_test(test_float_64), cmocka_unit_test(test_float_80),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
