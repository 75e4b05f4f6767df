/* The map of objects (contract/object.h), the allocator above it, and what is said when a rule is broken. */
#ifndef TANDEM_RUNTIME_OBJECT_H
#define TANDEM_RUNTIME_OBJECT_H

#include "contract/object.h"
#include "contract/region.h"
#include "contract/report.h"
#include "state.h"

/* object.c: to be called with the runtime's lock (state_enter). */
TD_HIDDEN uint64_t library_left(uint64_t base, uint64_t at); /* library.c, without the lock: bytes to the object's end, 0: nothing is known */
TD_HIDDEN bool object_init(void);                           /* false: no room; then nothing is ever known */
TD_HIDDEN uint32_t object_at(uint64_t address);             /* its number: of what is there, or one past whose end that is; 0: unknown */
TD_HIDDEN struct td_object *object_get(uint32_t number);
TD_HIDDEN struct td_object *object_next(uint32_t *number); /* all records one after the other, from number 0 on; null: there are no more */
TD_HIDDEN uint32_t object_add(enum td_object_kind kind, uint64_t start, uint64_t size, const char *name); /* 0: no room */
TD_HIDDEN uint32_t object_adopt(enum td_object_kind kind, uint64_t start, uint64_t size, const char *name); /* likewise, of what is in use: terms stay */
TD_HIDDEN bool object_again(enum td_object_kind kind, uint64_t start, uint64_t size, const char *name); /* one that is gone comes back just where it was */
TD_HIDDEN void object_retire(uint32_t number);              /* gone; whoever still points to it is found out */
TD_HIDDEN void object_forget(uint64_t start, uint64_t size);  /* that memory is unknown again */
TD_HIDDEN void object_trim(uint32_t number, uint64_t start, uint64_t end); /* it has only that part of its bytes left; the others are unknown */
TD_HIDDEN void object_marked(uint64_t address, int change); /* shadow.c: a byte got its term (1) or lost it (-1) */

/* Is an address in it? Of what has no bytes, its start is. */
static inline bool object_has(const struct td_object *o, uint64_t address)
{
	return address - o->start < o->size + !o->size;
}

/* stack.c: call stacks of the traced program, kept once each. */
TD_HIDDEN uint32_t stack_here(void);                        /* number of the present one, 0: no room */
TD_HIDDEN uint32_t stack_from(const void *frame);           /* the one that leads to this frame of ours */
TD_HIDDEN void stack_begin(const void *top);                /* the first thread's stack is below that */
TD_HIDDEN uint64_t stack_end(void);                         /* what was said then */
TD_HIDDEN bool stack_has(uint64_t address);                 /* is it in the first thread's stack, in use? */
TD_HIDDEN uint32_t stack_get(uint32_t number, uint64_t *frames, uint32_t room); /* return addresses, innermost first; how many */

TD_HIDDEN uint32_t object_narrow(uint64_t pointer, uint64_t start, uint64_t size); /* for a while whoever looks the pointer up finds this part of its object; 0: not so */
TD_HIDDEN void object_widen(uint32_t number, uint64_t pointer);

/* local.c */
TD_HIDDEN uint64_t local_room(void);                        /* bytes that a variable may have at most */
TD_HIDDEN void local_reuse(uint64_t start, uint64_t size);  /* variables that are gone from there: the stack has another use for it now */

/* safety.c: what must hold for an operation with symbolic operands, as events. */
/* Two numbers with their terms, at least one of which is not 0. */
struct operands {
	uint32_t kind, a, b;           /* kind: enum td_safety_shape, with the width */
	uint64_t va, vb;
	uint32_t function, place;
};

struct access {
	uint64_t base, pointer;        /* the pointer was computed from base */
	uint32_t base_node, node;      /* their terms */
	uint32_t inside;               /* nonzero: of an array of so many bytes that begins at base; else of base's object */
	uint32_t function, place;
};

TD_HIDDEN void safety_operands(const struct operands *o);
TD_HIDDEN void safety_inside(const struct access *a, int32_t offset, uint32_t bytes);          /* behind its pointer */
TD_HIDDEN bool safety_said_inside(uint32_t node, int32_t offset, uint64_t start, uint64_t size); /* of this very object */
TD_HIDDEN void safety_reaches(const struct access *a, uint64_t bytes, uint32_t length);        /* so many, and their term */
TD_HIDDEN void safety_given(const struct operands *o);          /* kind: enum td_given */

/* check.c: memory that is about to be touched, or has been, as a whole. */
enum { CHECK_LOWEST = 1 << 16 }; /* below it nothing is ever mapped */

struct reach {
	uint64_t base, at, bytes;
	bool writes;
	uint32_t place;           /* TD_PLACE, or 0 */
	const void *function;     /* of the library, without a model, that does it; or null */
	const char *name;         /* its name */
	const void *frame;        /* __builtin_frame_address(0) of the hook */
	uint32_t inside;          /* nonzero: it is an array of so many bytes in its object */
};

TD_HIDDEN bool check_leaves(const struct td_look *looks, const uint64_t *pointers); /* must the concrete side leave? If not, what will be stored to is cleared */
TD_HIDDEN void check_looks(const struct td_look *looks, const uint64_t *pointers, const void *frame); /* an error if any is out of bounds */
TD_HIDDEN bool check_overflow(uint32_t shape, uint64_t a, uint64_t b); /* enum td_safety_shape: does it overflow? */
TD_HIDDEN void check_range(const struct reach *r);          /* an error if it is not all there; without the lock */

/* report.c: what broke a rule. The first and the last do not return unless the run is to go on (TD_GO_ON) or is not traced. */
struct violation {
	enum td_violation kind;
	uint64_t address, bytes;  /* of the access */
	bool write;
	uint32_t object;          /* number, 0: none */
	const char *text;         /* or null */
	bool library;             /* it is the name of a function */
	struct { enum td_object_kind kind; uint64_t start, size; } variable; /* if it has no number */
	uint64_t member, member_size; /* start and size of the array that was left, not the object; or 0 */
	uint32_t term;            /* that it is about, or 0 */
	uint32_t place;           /* TD_PLACE in the innermost function, or 0 */
	const void *context;      /* ucontext_t of a crash: the call stack is what it interrupted; or null, and then */
	const void *frame;        /* __builtin_frame_address(0) of a function of the runtime: the call stack is the traced code's from there on */
};

TD_HIDDEN void report_violation(const struct violation *v);
TD_HIDDEN void report_crash(const struct violation *v);     /* returns: the caller sees to the end of the run */
TD_HIDDEN void report_note(const struct violation *v);      /* returns always */
TD_HIDDEN void report_raise(enum td_violation kind, uint64_t address, uint64_t size, bool write, uint32_t object); /* the usual case, from anywhere in the runtime */

#endif
