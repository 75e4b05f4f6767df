/* CROWN's marks: SYM_int(x) makes the variable x an input, 0 at first; SYM_assume(c) ends runs where c is false. */
#ifndef CROWN_H
#define CROWN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void __td_mark_zero(void *memory, size_t bytes, const char *name);
void SYM_assume(int condition);
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) __attribute__((noreturn));

#define SYM_variable(x) __td_mark_zero(&(x), sizeof(x), #x)
#define SYM_unsigned_char(x) SYM_variable(x)
#define SYM_unsigned_short(x) SYM_variable(x)
#define SYM_unsigned_int(x) SYM_variable(x)
#define SYM_unsigned_long(x) SYM_variable(x)
#define SYM_unsigned_long_long(x) SYM_variable(x)
#define SYM_char(x) SYM_variable(x)
#define SYM_short(x) SYM_variable(x)
#define SYM_int(x) SYM_variable(x)
#define SYM_long(x) SYM_variable(x)
#define SYM_long_long(x) SYM_variable(x)
#define SYM_float(x) SYM_variable(x)
#define SYM_double(x) SYM_variable(x)
#define SYM_assume(condition) SYM_assume(!!(condition))
#define SYM_assert(condition) ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __func__))

#ifdef __cplusplus
}
#endif

#endif
