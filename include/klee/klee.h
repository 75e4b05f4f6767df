/* KLEE's functions, as far as Tandem has them: programs written for it compile as they are. Values of klee_make_symbolic and the like
 * are 0 at first. */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void klee_make_symbolic(void *memory, size_t bytes, const char *name);
void klee_assume(uintptr_t condition);
int klee_range(int begin, int end, const char *name); /* begin <= result < end */
int klee_int(const char *name);
uintptr_t klee_choose(uintptr_t n);                   /* 0 <= result < n */
void klee_silent_exit(int status) __attribute__((noreturn));
void klee_abort(void) __attribute__((noreturn));
void klee_report_error(const char *file, int line, const char *message, const char *suffix) __attribute__((noreturn));

/* Accepted, without effect. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_mark_global(void *object);
void klee_check_memory_access(const void *address, size_t size);
void klee_set_forking(unsigned enable);
void klee_stack_trace(void);
unsigned klee_is_symbolic(uintptr_t value);           /* 0 */
unsigned klee_is_replay(void);                        /* 0 */
size_t klee_get_obj_size(void *object);

/* The value itself. */
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);

void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) __attribute__((noreturn));
#define klee_assert(expression) ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))

#ifdef __cplusplus
}
#endif

#endif
