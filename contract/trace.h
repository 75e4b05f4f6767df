/* What the traced program writes and the host reads: one shared memory file.
 *
 * The host creates the file, fills in the request half of the header and starts the program with
 * TANDEM=<descriptor>. The runtime maps the file, closes the descriptor, removes the variable and appends
 * nodes and events; the counts in the header are stored after each append, so that the file is readable at
 * whatever moment the program dies. Nothing is ever rewritten. docs/trace-format.md has the offset table.
 *
 * A fork server's runs write one after the other into the same file. What they say about modules stays: a library that was
 * met before has its old place, so that a site number means the same site in all runs, in whatever order libraries were loaded.
 */
#ifndef TANDEM_CONTRACT_TRACE_H
#define TANDEM_CONTRACT_TRACE_H

#include <stdint.h>

#define TD_ENV "TANDEM"
#define TD_BEGINS 1700000000u /* seconds since 1970: when a run begins whose world is fixed */
#define TD_MAGIC 0x314d444e41544454ull /* "TDTANDM1" */
#define TD_VERSION 12u

#define TD_HEADER_SIZE 4096u
#define TD_NAME_SIZE 48u
#define TD_MAX_INPUTS 4096u
#define TD_COUNTERS 64u
#define TD_MAX_MODULES 256u
#define TD_MAX_EDGES (1u << 26) /* in all modules; likewise functions */
/* A sandbox may have all of the file system once more in a directory of this name (run/standin.h): what the program calls PREFIX/TD_WORLD/NAME is /NAME. */
#define TD_WORLD "tandem-world"
#define TD_PATH_SIZE 4064u
#define TD_ARRAY_NAME_SIZE 32u
#define TD_MAX_ARRAYS 4096u
#define TD_MAX_FOREIGN 256u
#define TD_MAX_COVER (1u << 22) /* edges whose coverage is told */
#define TD_ARRAY_BYTES (8u << 20) /* room for what is in them */

/* A term. Children have smaller ids than their parents; id 0 is no term and means "concrete". */
struct td_node {
	uint8_t op;        /* enum td_op */
	uint8_t pad;
	uint16_t bits;     /* width, 1..128 */
	uint32_t a, b, c;  /* children, then immediates (op.def) */
	uint64_t lo, hi;   /* the value it had in this run */
};

enum td_event_kind {
	TD_EV_NONE,
	TD_EV_BRANCH,      /* value: 1 if the true side was taken; node 0: the condition was concrete */
	TD_EV_SWITCH,      /* value: the value switched on */
	TD_EV_CONCRETISE,  /* node was replaced by value; sub: enum td_lost */
	TD_EV_LENGTH,      /* a pseudo-branch: node is a condition over LENGTH; value: its truth */
	TD_EV_ASSUME,      /* the program itself demands node == value (tandem_assume), or, sub 1, whoever chose its inputs does: that is no condition of its path (TD_UNIT_SIZE) */
	TD_EV_SAFETY,      /* a condition that must hold; sub: enum td_violation; value: its truth; site: function; aux: TD_PLACE */
	TD_EV_SENSITIVE,   /* something that could go wrong, with concrete operands: once between two symbolic branches; site: function; aux: TD_PLACE */
	TD_EV_GUARD,       /* a guard point was evaluated */
	TD_EV_CALL,        /* site: function; aux: number of the set of functions on the stack; value: of the same with this one. Once for each pair; set 0 is empty (TD_CALLS). Or a call that is watched: contract/unit.h */
	TD_EV_ARG,         /* one argument of the call before: node, value */
	TD_EV_RET,         /* site: function, which is a stub: it has not run, but returns (contract/unit.h) */
	TD_EV_SNAPSHOT,    /* a part of what a function in unit mode was called with: contract/unit.h */
	TD_EV_NOTE,        /* sub: enum td_note */
	TD_EV_BOUND,       /* node: index < count of the array that is about to be read as a TABLE; value: 1 */
	TD_EV_KINDS
};

struct td_event {
	uint8_t kind;      /* enum td_event_kind */
	uint8_t sub;
	uint16_t thread;   /* 0: the first one */
	uint32_t site;     /* dense index: TD_NO_SITE if none */
	uint32_t node;     /* 0: concrete */
	uint32_t aux;
	uint64_t value;
};

#define TD_NO_SITE UINT32_MAX

/* Why a term was replaced by its value. LOST(name, text) */
#define TD_LOST_TABLE(LOST) \
	LOST(READ, "address of a read") \
	LOST(WRITE, "address of a write") \
	LOST(SIZE, "size of a memory operation") \
	LOST(CALLEE, "function pointer") \
	LOST(JUMP, "computed goto") \
	LOST(EXTERNAL, "argument of an unmodelled function") \
	LOST(MEMORY, "memory given to an unmodelled function") \
	LOST(ASM, "inline assembly") \
	LOST(OPERATOR, "operator without a term") \
	LOST(WIDTH, "value wider than 128 bits") \
	LOST(ARGUMENT, "more arguments than are tracked") \
	LOST(ALLOC, "size of an allocation")

enum td_lost {
#define LOST(name, text) TD_LOST_##name,
	TD_LOST_TABLE(LOST)
#undef LOST
	TD_LOST_KINDS
};

/* Remarks in the trace. NOTE(name, cuts, text): cuts 1: nothing is promised about what comes after it */
#define TD_NOTE_TABLE(NOTE) \
	NOTE(FULL, 1, "no room left: incomplete from here on") \
	NOTE(FORKED, 0, "the program forked") \
	NOTE(THREADS, 1, "a second thread: order is not deterministic from here on") \
	NOTE(UNSEEN, 1, "input was read by a function without a model: what follows may depend on it unseen") \
	NOTE(BACK, 1, "the program reads what it may have written itself: what follows may depend on the input unseen")

enum td_note {
#define NOTE(name, cuts, text) TD_NOTE_##name,
	TD_NOTE_TABLE(NOTE)
#undef NOTE
	TD_NOTE_KINDS
};

/* What is counted in every traced run. COUNTER(name, text) */
#define TD_COUNTER_TABLE(COUNTER) \
	COUNTER(STALE, "shadows dropped because memory had changed") \
	COUNTER(MISMATCH, "terms dropped because their value disagreed") \
	COUNTER(EXTERNAL, "calls of unmodelled functions with symbolic data") \
	COUNTER(NESTED, "hooks skipped in signal handlers") \
	COUNTER(OPERATIONS, "symbolic operations") \
	COUNTER(OVER_BUDGET, "events over the budget of their site") \
	COUNTER(TABLE, "reads at a symbolic index from an array") \
	COUNTER(TABLE_MIXED, "such reads that were lost: the array holds symbolic bytes") \
	COUNTER(TABLE_FULL, "such reads that were lost: no room for the array")

enum td_counter {
#define COUNTER(name, text) TD_COUNT_##name,
	TD_COUNTER_TABLE(COUNTER)
#undef COUNTER
	TD_COUNTER_KINDS
};

/* What of the input is symbolic, and other switches of the request. */
enum td_flag {
	TD_SYM_STDIN = 1u << 0,
	TD_SYM_ARGV = 1u << 1,
	TD_SYM_GLOBALS = 1u << 2,   /* test mode: all initialised globals */
	TD_ALL_BRANCHES = 1u << 3,  /* record concrete branches too */
	TD_SERVER = 1u << 4,        /* fork server on server_fd */
	TD_CALLS = 1u << 5,         /* record CALL */
	TD_GO_ON = 1u << 6,         /* a violation is reported and the run goes on */
	TD_LEAKS = 1u << 7,         /* so is, when the program exits, memory that cannot be freed any more */
	TD_UNINITIALISED = 1u << 8, /* decisions that depend on what was never set are violations */
	TD_REAL_WORLD = 1u << 9,    /* time, process number and randomness are the machine's, not fixed ones */
	TD_SENSITIVE = 1u << 10,    /* record SENSITIVE */
	TD_SYM_GIVEN = 1u << 11,    /* the files and variables that the request names, and the files' metadata */
	TD_NO_TRACE = 1u << 12,     /* only the request counts: marks get their values, and nothing is written down; with a server, its children run natively */
	TD_CONTENTS = 1u << 14,     /* of what is given, contents alone are symbolic: no variables, nor files' metadata */
	TD_QUOTA = 1u << 13         /* the first time that the system has no memory for the program is told; it goes on */
};

enum td_input_kind { TD_IN_STDIN, TD_IN_ARG, TD_IN_FILE, TD_IN_ENV, TD_IN_MARK, TD_IN_GLOBAL, TD_IN_UNSET, TD_IN_META, TD_IN_KINDS };

/* The content of a META object: what of a file's metadata can be made so on any file system before a run. Little-endian. */
enum td_meta {
	TD_META_MODE = 0,          /* 2 bytes: permissions; symbolic are TD_META_BITS: without the others the owner cannot open it */
	TD_META_MTIME = 4,         /* 4 bytes: seconds since 1970 */
	TD_META_SIZE = 8,
	TD_META_BITS = 01177
};

/* An input object. Its bytes are INPUT nodes (object, offset), one bit-vector of 8 each. */
struct td_input {
	uint32_t kind;             /* enum td_input_kind */
	uint32_t index;            /* number of the argument; of the file, variable or mark, from 0 on; of META: its file's */
	uint64_t length;           /* bytes known so far */
	char name[TD_NAME_SIZE];   /* "stdin", "argv[1]", "$HOME", a file's name, the name given to tandem_symbolic */
};

/* A function without source or model that was given symbolic data: what the terms were is lost to it. The last row may be for all the
 * functions that found no row of their own. */
struct td_foreign {
	char name[TD_NAME_SIZE];
	uint64_t calls;            /* with any */
	uint64_t values, bytes;    /* arguments, and memory they led to */
};

enum td_loaded_kind { TD_LOADED_PROGRAM, TD_LOADED_LIBRARY };

/* A module that was loaded at some time, and its share of the numbers: sites (edges) and functions. Modules follow each other
 * without gaps. */
struct td_loaded {
	uint64_t build;            /* of its facts (contract/facts.h): tells whether a file is the one that was loaded */
	uint32_t first_edge, edges;
	uint32_t first_function, functions;
	uint32_t kind;             /* enum td_loaded_kind */
	uint32_t reserved;
	char path[TD_PATH_SIZE];   /* absolute; empty: of the program, or not known */
};

/* What an array held when a TABLE term was made of a read from it. Equal contents are recorded once. */
struct td_array {
	uint64_t hash;             /* runtime's own */
	uint64_t largest;          /* element; runtime's own */
	uint32_t offset;           /* of its elements in the bytes of all arrays, a multiple of 8 */
	uint32_t count;            /* elements */
	uint16_t bits;             /* of an element: 8 to 64, a multiple of 8 */
	uint16_t version;          /* how many other contents of an array of this name came before */
	uint32_t reserved;
	char name[TD_ARRAY_NAME_SIZE]; /* of the global variable, or empty */
};

enum td_state { TD_STATE_NEW, TD_STATE_STARTED, TD_STATE_MAIN, TD_STATE_EXITED };

struct td_header {
	/* request: written by the host before the program starts */
	uint64_t magic;
	uint32_t version;
	uint32_t flags;            /* enum td_flag */
	uint64_t size;             /* of the whole file */
	uint64_t inputs_off;       /* struct td_input[TD_MAX_INPUTS] */
	uint64_t args_off, args_size;   /* what the next run is given: NUL-terminated strings, `argc` arguments (of use to a fork server alone),
	                                 * `env` variables NAME=VALUE, names of `files`; then values of `marks` in the order of the
	                                 * calls, each a 32-bit size and its bytes */
	uint64_t nodes_off, events_off; /* struct td_node[], struct td_event[] */
	uint32_t nodes_max, events_max;
	uint32_t site_budget;      /* symbolic events per site: all up to this many, then powers of two; 0: no limit */
	int32_t server_fd;         /* fork server: a socket; see contract/server.h */
	uint32_t argc;             /* fork server: arguments of the next run, program name included */
	uint32_t open_files;       /* fork server: how many descriptors a run may have; the server may have TD_SERVER_KEEPS more. 0: as it is */
	uint64_t arrays_off;       /* struct td_array[] */
	uint64_t array_bytes_off;  /* their elements, little-endian, without gaps within an array */
	uint32_t arrays_max, array_bytes_max;
	uint64_t reports_off;      /* struct td_report[TD_MAX_REPORTS]: contract/report.h */
	uint32_t env, files, marks;
	uint32_t window;           /* bytes of a file that are symbolic; 0: all */
	uint64_t foreign_off;      /* struct td_foreign[TD_MAX_FOREIGN] */
	uint64_t cover_off;        /* a byte per edge, not 0 if it was taken in this run; of models it is not told, of some edges other sites tell (contract/facts.h) */
	uint32_t cover_max;        /* edges there is room for; what is behind is not told either */
	uint32_t cover_reserved;
	uint64_t unit_off, unit_size; /* unit mode: the plan (contract/unit.h); size 0: it is the program that runs */
	/* answer: written by the runtime */
	uint32_t state;            /* enum td_state */
	uint32_t nodes;            /* used, counting the never used node 0 */
	uint32_t events;
	uint32_t inputs;
	uint32_t incomplete;       /* 1: budget or room ran out */
	uint32_t sites;            /* number of edges over all modules */
	uint32_t arrays;           /* used */
	uint32_t array_bytes;
	uint32_t reports;          /* used */
	uint32_t foreign;          /* used */
	uint64_t counters[TD_COUNTERS];
	uint64_t lost[TD_COUNTERS];     /* CONCRETISE events by enum td_lost */
	/* modules: written by the runtime, kept from run to run */
	uint64_t modules_off;      /* struct td_loaded[TD_MAX_MODULES]; this the host writes */
	uint32_t modules;
	uint32_t modules_reserved;
};

#endif
