/* What the runtime says when a run does what no C program may do: one record, written into the trace before the run ends. */
#ifndef TANDEM_CONTRACT_REPORT_H
#define TANDEM_CONTRACT_REPORT_H

#include <stdint.h>

/* VIOLATION(name, key, text): `key` is for programs and stays as it is. */
#define TD_VIOLATION_TABLE(VIOLATION) \
	VIOLATION(NULL, "null", "null pointer dereference") \
	VIOLATION(LOWER, "underflow", "access before the start of an object") \
	VIOLATION(UPPER, "overflow", "access past the end of an object") \
	VIOLATION(FREED, "use-after-free", "use of freed memory") \
	VIOLATION(DEAD, "use-after-return", "use of a local variable that is gone") \
	VIOLATION(CONSTANT, "constant-write", "write to a constant") \
	VIOLATION(WILD, "wild", "access to memory that is not there") \
	VIOLATION(DOUBLE_FREE, "double-free", "block freed twice") \
	VIOLATION(INVALID_FREE, "invalid-free", "free of what is not a heap block") \
	VIOLATION(INTERIOR_FREE, "interior-free", "free of a pointer into a heap block") \
	VIOLATION(ALLOCATION, "allocation-overflow", "allocation of an absurd size") \
	VIOLATION(DIVISION, "division", "division by zero") \
	VIOLATION(QUOTIENT, "quotient", "division overflow") \
	VIOLATION(SHIFT, "shift", "shift by too much") \
	VIOLATION(ASSERT, "assert", "assertion failed") \
	VIOLATION(LEAK, "leak", "memory never freed") \
	VIOLATION(UNINITIALISED, "uninitialised", "use of what was never set") \
	VIOLATION(SIGNED, "signed-overflow", "signed overflow")

enum td_violation {
	TD_NO_VIOLATION,
#define VIOLATION(name, key, text) TD_VIOLATION_##name,
	TD_VIOLATION_TABLE(VIOLATION)
#undef VIOLATION
	TD_VIOLATIONS
};

#endif
