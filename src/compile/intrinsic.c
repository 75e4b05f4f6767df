/* See intrinsic.h. A name matches a row if it equals it or goes on with ".type". */
#include "compile/intrinsic.h"

#include <string.h>

static const struct intrinsic table[] = {
	{"abs", INTRINSIC_TERM, TD_ABS, 1, 0},
	{"annotation", INTRINSIC_SAME, TD_OP_NONE, 1, 0},
	{"assume", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"bitreverse", INTRINSIC_TERM, TD_BITREV, 1, 0},
	{"bswap", INTRINSIC_TERM, TD_BSWAP, 1, 0},
	{"ceil", INTRINSIC_TERM, TD_FROUND, 1, TD_ROUND_CEIL},
	{"copysign", INTRINSIC_TERM, TD_FCOPYSIGN, 2, 0},
	{"ctlz", INTRINSIC_TERM, TD_CTLZ, 1, 0},
	{"ctpop", INTRINSIC_TERM, TD_CTPOP, 1, 0},
	{"cttz", INTRINSIC_TERM, TD_CTTZ, 1, 0},
	{"dbg", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"debugtrap", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"donothing", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"eh", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"expect", INTRINSIC_SAME, TD_OP_NONE, 1, 0},
	{"fabs", INTRINSIC_TERM, TD_FABS, 1, 0},
	{"floor", INTRINSIC_TERM, TD_FROUND, 1, TD_ROUND_FLOOR},
	{"fma", INTRINSIC_TERM, TD_FMA, 3, 0},
	{"frameaddress", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"fshl", INTRINSIC_TERM, TD_FSHL, 3, 0},
	{"fshr", INTRINSIC_TERM, TD_FSHR, 3, 0},
	{"get.rounding", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"is.constant", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"lifetime", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"maxnum", INTRINSIC_TERM, TD_FMAX, 2, 0},
	{"memcpy", INTRINSIC_COPY, TD_OP_NONE, 0, 0},
	{"memmove", INTRINSIC_COPY, TD_OP_NONE, 0, 0},
	{"memset", INTRINSIC_FILL, TD_OP_NONE, 0, 0},
	{"minnum", INTRINSIC_TERM, TD_FMIN, 2, 0},
	{"nearbyint", INTRINSIC_TERM, TD_FROUND, 1, TD_ROUND_EVEN},
	{"objectsize", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"prefetch", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"readcyclecounter", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"returnaddress", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"rint", INTRINSIC_TERM, TD_FROUND, 1, TD_ROUND_EVEN},
	{"round", INTRINSIC_TERM, TD_FROUND, 1, TD_ROUND_ROUND},
	{"roundeven", INTRINSIC_TERM, TD_FROUND, 1, TD_ROUND_EVEN},
	{"sadd.sat", INTRINSIC_TERM, TD_SADDSAT, 2, 0},
	{"sadd.with.overflow", INTRINSIC_OVERFLOW, TD_ADD, 2, TD_SADDO},
	{"sideeffect", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"smax", INTRINSIC_TERM, TD_SMAX, 2, 0},
	{"smin", INTRINSIC_TERM, TD_SMIN, 2, 0},
	{"smul.with.overflow", INTRINSIC_OVERFLOW, TD_MUL, 2, TD_SMULO},
	{"sqrt", INTRINSIC_TERM, TD_FSQRT, 1, 0},
	{"sshl.sat", INTRINSIC_TERM, TD_SSHLSAT, 2, 0},
	{"ssub.sat", INTRINSIC_TERM, TD_SSUBSAT, 2, 0},
	{"ssub.with.overflow", INTRINSIC_OVERFLOW, TD_SUB, 2, TD_SSUBO},
	{"stackrestore", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"stacksave", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"threadlocal.address", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"trap", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"trunc", INTRINSIC_TERM, TD_FROUND, 1, TD_ROUND_TRUNC},
	{"uadd.sat", INTRINSIC_TERM, TD_UADDSAT, 2, 0},
	{"uadd.with.overflow", INTRINSIC_OVERFLOW, TD_ADD, 2, TD_UADDO},
	{"ubsantrap", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"umax", INTRINSIC_TERM, TD_UMAX, 2, 0},
	{"umin", INTRINSIC_TERM, TD_UMIN, 2, 0},
	{"umul.with.overflow", INTRINSIC_OVERFLOW, TD_MUL, 2, TD_UMULO},
	{"ushl.sat", INTRINSIC_TERM, TD_USHLSAT, 2, 0},
	{"usub.sat", INTRINSIC_TERM, TD_USUBSAT, 2, 0},
	{"usub.with.overflow", INTRINSIC_OVERFLOW, TD_SUB, 2, TD_USUBO},
	{"va_copy", INTRINSIC_VA_COPY, TD_OP_NONE, 0, 0},
	{"va_end", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
	{"va_start", INTRINSIC_VA_START, TD_OP_NONE, 0, 0},
	{"var.annotation", INTRINSIC_QUIET, TD_OP_NONE, 0, 0},
};

const struct intrinsic *intrinsic_of(Value call)
{
	static const struct intrinsic not_one = {"", INTRINSIC_NOT, TD_OP_NONE, 0, 0};
	static const struct intrinsic unknown = {"", INTRINSIC_UNKNOWN, TD_OP_NONE, 0, 0};
	Value callee = LLVMGetCalledValue(call);
	if (!LLVMIsAFunction(callee) || strncmp(unit_name(callee), "llvm.", 5) != 0)
		return &not_one;
	const char *name = unit_name(callee) + 5;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		size_t n = strlen(table[i].name);
		if (strncmp(name, table[i].name, n) == 0 && (name[n] == 0 || name[n] == '.'))
			return &table[i];
	}
	return &unknown;
}
