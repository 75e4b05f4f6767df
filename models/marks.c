/* Marks in programs that were written for other tools: KLEE, CREST, CROWN, SV-COMP. The runtime has the idea (input.c); here are the
 * spellings, all of them weak: many programs bring definitions of their own. They work in ordinary runs too, where variables are 0
 * unless the run is given values for them. */
#include "model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

/* Not a branch of the program's: a condition that holds, or the end. */
static void MODEL(assume)(int condition)
{
	byte holds = condition != 0;
	__td_assume(&holds);
}

/* What must not be reached was. */
static _Noreturn void fail(const char *text)
{
	fprintf(stderr, "%s\n", text);
	__td_assertion(text);
	abort();
}

WEAK void tandem_assume(int condition) { MODEL(assume)(condition); }
WEAK void __td_mark_zero(void *memory, size_t bytes, const char *name) { __td_mark(memory, bytes, name, 1); }

/* ---- KLEE ---- */

WEAK void klee_make_symbolic(void *memory, size_t bytes, const char *name) { __td_mark(memory, bytes, name, 1); }
WEAK void klee_assume(uintptr_t condition) { MODEL(assume)(condition != 0); }

/* One that is allowed, at first: else no run would come past here before the first is solved. */
WEAK int klee_range(int begin, int end, const char *name)
{
	int x = begin <= 0 && 0 < end ? 0 : begin;
	if (begin >= end)
		fail("klee_range: the range is empty");
	__td_mark(&x, sizeof x, name, 0);
	MODEL(assume)((begin <= x) & (x < end));
	return x;
}

WEAK int klee_int(const char *name)
{
	int x = 0;
	__td_mark(&x, sizeof x, name, 0);
	return x;
}

WEAK uintptr_t klee_choose(uintptr_t n)
{
	uintptr_t x = 0;
	__td_mark(&x, sizeof x, "klee_choose", 0);
	MODEL(assume)(x < n);
	return x;
}

WEAK _Noreturn void klee_silent_exit(int status) { _exit(status); }
WEAK _Noreturn void klee_abort(void) { fail("klee_abort was called"); }

WEAK _Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
	(void)file, (void)line, (void)suffix;
	fail(message);
}

WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_warning(const char *message) { (void)message; }
WEAK void klee_warning_once(const char *message) { (void)message; }
WEAK void klee_print_expr(const char *message, ...) { (void)message; }
WEAK void klee_print_range(const char *name, int value) { (void)name, (void)value; }
WEAK void klee_open_merge(void) {}
WEAK void klee_close_merge(void) {}
WEAK void klee_mark_global(void *object) { (void)object; }
WEAK void klee_check_memory_access(const void *address, size_t size) { (void)address, (void)size; }
WEAK void klee_set_forking(unsigned enable) { (void)enable; }
WEAK void klee_stack_trace(void) {}
WEAK unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0u; }
WEAK unsigned klee_is_replay(void) { return 0; }
WEAK size_t klee_get_obj_size(void *object) { return __td_room_at(object); }
WEAK float klee_get_valuef(float value) { return value; }
WEAK double klee_get_valued(double value) { return value; }
WEAK long klee_get_valuel(long value) { return value; }
WEAK long long klee_get_valuell(long long value) { return value; }
WEAK int32_t klee_get_value_i32(int32_t value) { return value; }
WEAK int64_t klee_get_value_i64(int64_t value) { return value; }

/* ---- CREST and CROWN ---- */

#define CREST(name, type) \
	WEAK void __Crest##name(type *x) { __td_mark(x, sizeof *x, "x", 1); }

CREST(UChar, unsigned char)
CREST(UShort, unsigned short)
CREST(UInt, unsigned)
CREST(ULong, unsigned long)
CREST(ULongLong, unsigned long long)
CREST(Char, char)
CREST(Short, short)
CREST(Int, int)
CREST(Long, long)
CREST(LongLong, long long)
CREST(Float, float)
CREST(Double, double)

WEAK void SYM_assume(int condition) { MODEL(assume)(condition); }

/* ---- SV-COMP ---- */

#define NONDET(name, type) \
	WEAK type __VERIFIER_nondet_##name(void) \
	{ \
		type x = 0; \
		__td_mark(&x, sizeof x, "nondet_" #name, 0); \
		return x; \
	}

NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(u8, uint8_t)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(u16, uint16_t)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(u32, uint32_t)
NONDET(S32, int32_t)
NONDET(U32, uint32_t)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
NONDET(size_t, size_t)
NONDET(loff_t, off_t)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(float, float)
NONDET(double, double)
NONDET(pointer, void *)
NONDET(pchar, char *)
NONDET(charp, char *)

WEAK _Bool __VERIFIER_nondet_bool(void)
{
	byte x = 0;
	__td_mark(&x, sizeof x, "nondet_bool", 0);
	return x & 1;
}

WEAK void __VERIFIER_nondet_memory(void *memory, size_t bytes) { __td_mark(memory, bytes, "nondet_memory", 1); }
WEAK void __VERIFIER_assume(int condition) { MODEL(assume)(condition); }

WEAK void __VERIFIER_assert(int condition)
{
	if (!condition)
		fail("__VERIFIER_assert: the condition does not hold");
}

WEAK _Noreturn void __VERIFIER_error(void) { fail("__VERIFIER_error was reached"); }
WEAK void reach_error(void) { fail("reach_error was reached"); }
