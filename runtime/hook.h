/* Prototypes of the hooks, from contract/hook.def. */
#ifndef TANDEM_RUNTIME_HOOK_H
#define TANDEM_RUNTIME_HOOK_H

#include "contract/object.h"
#include "contract/slots.h"

#include <stdint.h>

struct iovec;

#define TD_EXPORT __attribute__((visibility("default")))
#define TD_CONVENTION_NONE __attribute__((preserve_most))
#define TD_CONVENTION_SHADOW __attribute__((preserve_most))
#define TD_CONVENTION_PAGES __attribute__((preserve_most))
#define TD_CONVENTION_CROSS /* not C's to define, see cross.c */
#define TD_CONVENTION_ANY

#define V void
#define S uint32_t
#define W uint32_t
#define L uint64_t
#define P void *
#define E void *
#define M ...
#define HOOK(name, memory, result, ...) TD_EXPORT TD_CONVENTION_##memory result __td_##name(__VA_ARGS__);
#include "contract/hook.def"
#undef HOOK
#undef V
#undef S
#undef W
#undef L
#undef P
#undef E
#undef M

extern TD_EXPORT __thread struct td_slots __td_slots __attribute__((tls_model("initial-exec")));
extern TD_EXPORT void *__td_directory[TD_DIRECTORY_ENTRIES];
extern TD_EXPORT uint32_t __td_force;
extern TD_EXPORT struct td_space __td_space;
extern TD_EXPORT __thread uint64_t __td_lowest __attribute__((tls_model("initial-exec")));

/* How a mapping came about: anonymous, of a file, at a place that the program wanted. */
enum td_mapped { TD_MAPPED_MEMORY, TD_MAPPED_FILE, TD_MAPPED_PLACED };

/* Called by the models. */
TD_EXPORT uint32_t __td_fixed(void); /* is this the process that is traced, and does the same happen in each of its runs? */
TD_EXPORT void __td_input_read(int fd, void *buffer, uint64_t bytes, uint64_t wanted);
TD_EXPORT void __td_input_read_at(int fd, void *buffer, uint64_t bytes, uint64_t wanted, uint64_t at);
TD_EXPORT void __td_input_filled(void *stream, const void *old_end, int at_end);
TD_EXPORT void __td_input_parts(int fd, const struct iovec *parts, int count, int64_t got);
TD_EXPORT void __td_input_parts_at(int fd, const struct iovec *parts, int count, int64_t got, uint64_t at);
TD_EXPORT void __td_input_refilled(void *stream); /* it was repositioned: its buffer may be another part of the file */
TD_EXPORT void __td_input_mapped(int fd, void *memory, uint64_t bytes, uint64_t at, int access);
TD_EXPORT void __td_input_size(int fd, uint64_t *size); /* size of a file that was found out by seeking */
TD_EXPORT void __td_input_sized(int fd);                /* it is known now, though nobody asked for it as a number */
TD_EXPORT void __td_input_stat(void *result);           /* struct stat */
TD_EXPORT void __td_input_statx(void *result);          /* struct statx */
TD_EXPORT uint32_t __td_input_runs(void);               /* the bits of a mode any of which lets this process execute the file */
TD_EXPORT void __td_mark(void *memory, uint64_t bytes, const char *name, uint32_t clear); /* it becomes an input */
TD_EXPORT void __td_assume(const void *holds);          /* a byte; 0: the run ends */
TD_EXPORT void __td_clear(void *memory, uint64_t bytes);
TD_EXPORT void __td_listed(void *va_list);             /* goes to a function that nothing is known of */
TD_EXPORT void __td_vprinted(void *base, void *at, uint64_t room, uint32_t place, void *function, void *name, void *format, void *list); /* the library is about to format to there */
TD_EXPORT uint32_t __td_serves(void); /* is the heap the runtime's, which sees to terms itself? */
TD_EXPORT uint32_t __td_same(uint64_t a, uint64_t b); /* a comparison that is no condition on the input */
TD_EXPORT uint64_t __td_compare_span(const void *a, const void *b, uint32_t folded); /* compare.c */
TD_EXPORT uint32_t __td_plain_string(const void *s); /* compare.c: is it all concrete, and does it end inside of its object? */
TD_EXPORT uint64_t __td_room_at(const void *memory); /* bytes up to the end of its object, or as many as there are numbers */
TD_EXPORT uint64_t __td_map_hint(uint64_t bytes);    /* where a mapping should go, or 0: anywhere */
TD_EXPORT void __td_refused(uint64_t bytes);         /* the system has no memory for the program */
TD_EXPORT void __td_mapped(void *memory, uint64_t bytes, uint32_t kind, int access); /* enum td_mapped */
TD_EXPORT void __td_unmapped(void *memory, uint64_t bytes);
TD_EXPORT void __td_protected(void *memory, uint64_t bytes, int access);
TD_EXPORT void __td_remapped(void *memory, void *old, uint64_t bytes, uint64_t wanted, uint32_t stays);
TD_EXPORT void __td_move(void *to, const void *from, uint64_t bytes);
TD_EXPORT uint32_t __td_goes_on(void);               /* does __td_assertion return? */
TD_EXPORT void __td_assertion(const char *text);     /* it does not hold */

#endif
