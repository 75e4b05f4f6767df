/* The runtime's own state. Linked into foreign programs: it uses no stdio and no malloc, never prints, and what it does
 * not know it leaves concrete. Every hook goes through `state_enter`, which says no when the run is not traced, when the
 * process is a forked child, or when a signal handler interrupted the runtime itself. */
#ifndef TANDEM_RUNTIME_STATE_H
#define TANDEM_RUNTIME_STATE_H

#include "contract/op.h"
#include "contract/trace.h"
#include "hook.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TD_HIDDEN __attribute__((visibility("hidden")))

struct td_function;

struct state {
	struct td_header *header;  /* NULL: not traced */
	struct td_node *nodes;
	struct td_event *events;
	struct td_input *inputs;
	struct td_array *arrays;
	uint8_t *array_bytes;
	struct td_report *reports; /* contract/report.h */
	struct td_foreign *foreign;
	uint64_t returned;         /* main has: no frame of the program is below this one, whatever its frames left there */
	bool live;                 /* attached, and this process writes the trace */
	uint32_t *site_counts;     /* events so far per site, when there is a budget */
	uint32_t site_room;        /* how many sites that covers: not those of libraries loaded later */
};

extern TD_HIDDEN struct state td_state;

TD_HIDDEN bool state_enter(void);   /* false: leave everything concrete */
TD_HIDDEN bool state_hold(void);    /* the same, traced or not; false: this thread has it already */
TD_HIDDEN bool state_is_busy(void); /* does this thread have it? */
TD_HIDDEN void state_leave(void);
TD_HIDDEN bool state_pause(void);   /* lets other threads in; true: this one was inside */
TD_HIDDEN void state_resume(bool inside); /* and is so again */
TD_HIDDEN void state_unlock(void);  /* whoever has it: in a child, which has only one thread */
TD_HIDDEN uint16_t state_thread(void);
TD_HIDDEN void state_count(enum td_counter counter);
TD_HIDDEN bool state_readable(uint64_t address); /* may the page be read? */
TD_HIDDEN void *state_map(uint64_t bytes); /* zeroed private memory, or NULL */

/* node.c: hash-consed terms. All return 0 when there is no room. */
TD_HIDDEN bool node_init(void);
TD_HIDDEN void node_touch(void); /* so that no child has to */
TD_HIDDEN uint32_t node_make(enum td_op op, unsigned bits, uint32_t a, uint32_t b, uint32_t c, uint64_t lo, uint64_t hi);
TD_HIDDEN uint32_t node_const(unsigned bits, uint64_t lo, uint64_t hi);
TD_HIDDEN uint32_t node_input(uint32_t object, uint32_t offset, uint8_t value);
TD_HIDDEN uint32_t node_inputs(uint32_t object, uint32_t offset, const uint8_t *values, uint32_t count); /* one for each byte, none of which is ever asked for again; the first of them, 0: there is no room */
TD_HIDDEN uint32_t node_extract(uint32_t node, unsigned low, unsigned bits);

/* Bits of __td_force, which makes all code run on its symbolic side. */
enum { FORCE_BRANCHES = 1, FORCE_SITES = 2 };

/* sensitive.c */
TD_HIDDEN void sensitive_next(void);                     /* a symbolic branch */
TD_HIDDEN void sensitive_passed(uint32_t function, uint32_t place);
TD_HIDDEN void sensitive_told(uint32_t function, uint32_t place); /* it is symbolic: nothing is to be said of it in this stretch */

/* event.c */
TD_HIDDEN void event_add(enum td_event_kind kind, unsigned sub, uint32_t site, uint32_t node, uint32_t aux, uint64_t value);
TD_HIDDEN void foreign_lost(uint64_t values, uint64_t bytes); /* to the function that was named last (hook `handed`) */
TD_HIDDEN void event_lose(uint32_t site, enum td_lost why, uint32_t node);
TD_HIDDEN bool event_is_lost(uint32_t node); /* a CONCRETISE event says what it is */
TD_HIDDEN void event_full(void);

/* shadow.c */
TD_HIDDEN void shadow_set_byte(uint64_t address, uint32_t word);
TD_HIDDEN void shadow_clear(uint64_t address, uint64_t bytes);
TD_HIDDEN void shadow_copy(uint64_t to, uint64_t from, uint64_t bytes);
TD_HIDDEN bool shadow_is_empty(void); /* nothing was ever symbolic */
TD_HIDDEN uint64_t shadow_gap(uint64_t address, uint64_t most);
TD_HIDDEN bool shadow_has_page(uint64_t address);
TD_HIDDEN uint32_t shadow_byte(uint64_t address); /* the word of one byte */
TD_HIDDEN bool shadow_any(uint64_t address, uint64_t bytes); /* is any of them symbolic? */
TD_HIDDEN bool shadow_is_stale(uint64_t address, uint32_t word); /* memory has changed since: then it is dropped */

/* A shadow word: which byte of which node. */
#define TD_WORD(node, byte) ((node) << 4 | (uint32_t)(byte))
#define TD_WORD_NODE(word) ((word) >> 4)
#define TD_WORD_BYTE(word) ((word) & 15)

/* module.c */
TD_HIDDEN uint32_t module_site(const void *edge);
TD_HIDDEN uint32_t module_sites(void);
TD_HIDDEN void module_trace(bool on); /* which version of its functions every module runs */
TD_HIDDEN bool module_runs(uint64_t address); /* is it traced code? */
TD_HIDDEN uint32_t module_function(const void *record);
TD_HIDDEN struct td_function *module_record(uint32_t number); /* of the program's; NULL: it has none of that number */
TD_HIDDEN uint64_t module_facts(void); /* where the program's are in memory */
TD_HIDDEN bool module_knows(const void *function); /* is it instrumented? */
TD_HIDDEN uint64_t term_largest(uint32_t node); /* an upper bound on every input that takes this path */
TD_HIDDEN uint32_t term_passed(uint32_t node, unsigned bits, uint64_t lo, uint64_t hi);
TD_HIDDEN void module_seal(void); /* so that less of it has to be looked after */
TD_HIDDEN void module_each_initialised(void (*visit)(void *address, uint64_t size));

/* start.c */
TD_HIDDEN void start_attach(char **environment); /* finds out whether this run is traced; the first time only */
TD_HIDDEN void suite_join(void);                 /* is this run part of a suite that is recorded? */
TD_HIDDEN void start_watch_forks(void);          /* so that a child finds the runtime's lock free */

/* unset.c: what depends on memory that was never set */
TD_HIDDEN void unset_begin(void);
TD_HIDDEN void unset_term(uint32_t node);                                           /* it is new */
TD_HIDDEN void unset_use(enum td_event_kind kind, unsigned sub, uint32_t node);     /* about to be written down: is it an error? */

/* fault.c */
TD_HIDDEN void fault_begin(void);  /* from now on crashes are explained */
TD_HIDDEN void fault_thread(void); /* in this thread too when its stack is exhausted; with the lock */

/* leak.c */
TD_HIDDEN void leak_begin(void); /* there will be a look at what was not freed, if it is wanted */

/* malloc.c */
TD_HIDDEN void malloc_serve(void); /* from now on the runtime's own heap, unless the program has an allocator of its own */

/* argument.c, segment.c: objects that are there from the start. */
TD_HIDDEN char **argument_adopt(char **strings, unsigned kind); /* a copy, each string an object of its own */
TD_HIDDEN void segment_add_all(void);

/* given.c: in this order */
TD_HIDDEN void given_begin(void);
TD_HIDDEN char **given_arguments(int *argc);          /* a fork server's */
TD_HIDDEN void given_skip_arguments(void);            /* or nobody's */
TD_HIDDEN char **given_environment(char **old);
TD_HIDDEN bool given_variable(uint32_t place_in_environment, uint32_t *number); /* which of the request it is; false: none */
TD_HIDDEN const char *given_file(void);               /* the name of the next one; empty: there is none */
TD_HIDDEN void given_skip_files(void);
TD_HIDDEN uint64_t given_mark(void *to, uint64_t bytes);

/* input.c */
TD_HIDDEN void input_begin(int argc, char **argv, char **environment);
TD_HIDDEN int input_object(enum td_input_kind kind, uint32_t index, const char *name); /* -1: no room */
TD_HIDDEN void input_mark(int object, uint64_t offset, const void *memory, uint64_t bytes); /* they are these bytes of it */
TD_HIDDEN void input_length(int object, uint64_t k, bool longer);                     /* a pseudo-branch: is it longer than k bytes? */

TD_HIDDEN int input_next_mark(const char *name);                                      /* of the kind whose values are in the request, in the order of these calls */

/* unit.c: unit mode. */
TD_HIDDEN bool unit_is_wanted(void);
TD_HIDDEN void unit_prepare(void); /* what is the same in all runs */
TD_HIDDEN bool unit_is_main(void); /* main itself is to run, with the plan's stubs */
TD_HIDDEN void unit_run(void);     /* in place of main */
TD_HIDDEN uint32_t unit_object_at(uint64_t start); /* the number of the plan's object that begins there, plus 1; 0: none does */
TD_HIDDEN bool unit_hides(uint64_t address); /* a pointer leads there of which nobody knows what it leads to */

/* snapshot.c: what the watched function is called with. */
TD_HIDDEN void snapshot_call(const struct td_function *record, uint64_t frame); /* its frame pointer; with the lock */

/* profile.c: which functions call which. */
TD_HIDDEN void profile_prepare(void);
TD_HIDDEN void profile_call(const struct td_function *record, uint64_t frame); /* of its caller's; with the lock */

/* source.c */
TD_HIDDEN void source_begin(void);
TD_HIDDEN void input_unset(uint64_t start, uint64_t bytes); /* the program has just been given that memory, if anybody wants to know */

/* server.c */
TD_HIDDEN void server_loop(void); /* returns in each child */
TD_HIDDEN bool server_is_forking(void);

/* model.c */
TD_HIDDEN void model_prepare(void); /* what the first question would */

#endif
