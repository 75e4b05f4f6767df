/* Program facts: what `tandem cc` knows about the source, carried in the binary.
 *
 * Each compiled file contributes one self-contained block to the section TD_FACTS_SECTION: this header, then
 * the tables it points to (offsets from the start of the block), then its strings. There are no pointers and
 * no load-time relocations, so the host reads the section straight from the file. Two self-relative links tie a block
 * to what it describes: the edge array (a byte per edge, section TD_EDGE_SECTION) and the function records
 * (section TD_FUNCTION_SECTION).
 *
 * The dense index of an edge is its offset in the edge section; a site owns `edges` consecutive ones,
 * and an event names the first. Of a branch, edge 0 is the false side, edge 1 the true side; of a switch, edge 0 is the
 * default and edge k its k-th case; of a select, as of a branch.
 *
 * The build of a module is a hash over its headers: h = TD_BUILD_START, then for each 32-bit word of each struct td_facts, in the order
 * of the section, h = (h ^ word) * TD_BUILD_FACTOR. A header has a hash of its block, one of the code and links that depend on where the linker put
 * things, so equal builds name the same sites by the same numbers, and do the same there. Runtime and host compute it alike.
 */
#ifndef TANDEM_CONTRACT_FACTS_H
#define TANDEM_CONTRACT_FACTS_H

#include <stdint.h>

#define TD_FACTS_SECTION "__td_facts"
#define TD_EDGE_SECTION "__td_edges"
#define TD_COVER_SECTION "__td_covers"
#define TD_FUNCTION_SECTION "__td_functions"
#define TD_GLOBAL_SECTION "__td_globals"
#define TD_FACTS_MAGIC 0x54434654u /* "TFCT" */
#define TD_FACTS_VERSION 10u
#define TD_BUILD_START 0xcbf29ce484222325ull
#define TD_BUILD_FACTOR 0x100000001b3ull

struct td_table { uint32_t offset, count; };

struct td_facts {
	uint32_t magic, version;
	uint32_t size;            /* of the block, a multiple of 8 */
	uint32_t flags;           /* TD_FACTS_HIDDEN: a model; its sites take no number */
	int32_t edges_link;       /* self-relative: address of the edge array minus address of this field */
	int32_t functions_link;   /* likewise, of the first function record */
	uint32_t edges;           /* how many edges this block owns */
	uint32_t source;          /* string: the source file */
	uint32_t directory;       /* string: of the source tree, absolute; names of files are seen from there unless they are absolute */
	uint32_t code;            /* hash of what was compiled: other code may have the same sites */
	uint64_t hash;            /* of all that follows the header */
	struct td_table sites;      /* struct td_site */
	struct td_table functions;  /* struct td_function_facts */
	struct td_table arcs;       /* struct td_arc: control flow between the blocks of one function */
	struct td_table calls;      /* struct td_call */
	struct td_table loops;      /* struct td_loop */
	struct td_table cases;      /* uint64_t */
	struct td_table uses;       /* struct td_use */
	struct td_table flows;      /* struct td_flow (contract/flow.h) */
	struct td_table shapes;     /* struct td_shape */
	struct td_table taken;      /* uint32_t: strings, the functions of other files whose address is taken here */
	struct td_table strings;    /* bytes */
};

enum { TD_FACTS_HIDDEN = 1 };

enum td_site_kind { TD_SITE_BRANCH, TD_SITE_SWITCH, TD_SITE_SELECT };

/* Static features of a condition (search heuristics learn weights for them). FEATURE(name, text) */
#define TD_FEATURE_TABLE(FEATURE) \
	FEATURE(MAIN, "in main") \
	FEATURE(LOOP_CONDITION, "decides whether a loop goes on") \
	FEATURE(IN_LOOP, "inside a loop") \
	FEATURE(NESTED, "control-dependent on another branch of its function") \
	FEATURE(EXTERNAL, "condition uses the result of an external call") \
	FEATURE(INTEGER, "condition has an integer expression") \
	FEATURE(LITERAL, "condition has a constant string or character") \
	FEATURE(POINTER, "condition has a pointer expression") \
	FEATURE(LOCAL, "condition has a local variable") \
	FEATURE(CASE, "a switch") \
	FEATURE(LOOP_TRUE, "the true side stays in the loop") \
	FEATURE(FLOAT, "condition has a floating point expression")

enum td_feature {
#define FEATURE(name, text) TD_FEATURE_##name,
	TD_FEATURE_TABLE(FEATURE)
#undef FEATURE
	TD_FEATURE_KINDS
};

struct td_site {
	uint64_t key;         /* stable, wherever the tree lies: source (seen from the tree), function, ordinal, kind */
	uint32_t first_edge;  /* within the block's edge array */
	uint32_t edges;
	uint32_t function;    /* index into functions */
	uint32_t file;        /* string */
	uint32_t line;
	uint32_t block;       /* basic block, numbered within its function */
	uint32_t first_case;  /* index into cases; a switch has edges - 1 of them */
	uint32_t features;    /* bit set of enum td_feature */
	uint16_t column;
	uint8_t kind;         /* enum td_site_kind */
	uint8_t depth;        /* of loop nesting */
	uint32_t behind;      /* the edge, counted like first_edge, that whoever gets here has taken in the same call, by control flow; UINT32_MAX: none is known. Coverage does not tell of such edges where this tells */
};

struct td_function_facts {
	uint64_t key;
	uint32_t name, file;  /* strings */
	uint32_t line;
	uint32_t blocks;
	uint32_t first_arc, arcs;
	uint32_t first_call, calls;
	uint32_t first_loop, loops;
	uint32_t first_site, sites;
	uint32_t parameters;
	uint32_t flags;       /* enum td_function_flag */
	uint32_t type;        /* string: its LLVM type, which indirect calls are matched by */
	uint32_t first_use, uses;
	uint32_t names;       /* string: of its parameters, in order, with blanks between; debug information has its type under the name TD_TYPE and its own */
	uint32_t reserved[2]; /* 0; that there is no padding makes equal builds equal */
};

#define TD_TYPE "td."     /* a typedef of the compilation unit; optimised functions keep no parameters */

/* A variable that a function mentions, once each; constants are left out. */
struct td_use {
	uint32_t name;        /* string: as LLVM has it; a static variable `v` of a function `f` is "f.v" */
	uint32_t flags;       /* enum td_use_flag */
};

/* A function takes what a parameter leads to for a struct of this name, whatever the parameter's type says. */
struct td_shape {
	uint32_t function;    /* string */
	uint32_t parameter;   /* as machine code counts */
	uint32_t type;        /* string: as debug information has it, without the word "struct" */
};

enum td_use_flag { TD_USE_READS = 1, TD_USE_WRITES = 2, TD_USE_ADDRESS = 4 /* its address goes elsewhere */, TD_USE_STATIC = 8 /* other files do not see it */ };

enum td_function_flag { TD_FN_STATIC = 1, TD_FN_VARIADIC = 2, TD_FN_ADDRESS_TAKEN = 4 /* in its own file; the host adds what others say */, TD_FN_NORETURN = 8 };

struct td_arc { uint32_t from, to; };

struct td_call {
	uint32_t block;
	uint32_t callee;      /* string: its name; 0: indirect */
	uint32_t type;        /* string: the type it is called with */
	uint32_t line;
	uint32_t flags;       /* enum td_call_flag */
	uint32_t reserved;
};

enum td_call_flag { TD_CALL_KNOWN = 1 /* the callee has a model, or it is known what it does with its arguments; or it is in this file */ };

struct td_loop {
	uint32_t header;
	uint32_t depth;       /* 1: outermost */
	uint32_t parent;      /* header of the enclosing loop, or UINT32_MAX */
	uint32_t blocks;
};

/* A function record: writable, relocated, read by the runtime. One per function, in the order of the facts. */
struct td_function {
	void *address;
	void (*thunk)(char *arguments, char *result); /* calls it with the block of its arguments (contract/unit.h); `result` has room for what it returns by its address. Null: it has none */
	uint32_t flags;       /* the flag word checked at entry: 0 in ordinary runs */
	uint32_t parameters;
	const struct td_parameter *layout; /* of those, as machine code knows them; null without a thunk */
};

/* Where a parameter comes from in the block of arguments: one of C may be several of these. */
struct td_parameter {
	uint32_t offset;
	uint16_t bits;        /* of one value with a term; else 0, */
	uint16_t leaves;      /* and so many values */
	uint32_t kind;        /* enum td_parameter_kind */
};

enum td_parameter_kind { TD_PARAMETER_VALUE, TD_PARAMETER_COPY /* the callee gets a copy of its own, on the stack */, TD_PARAMETER_RESULT /* the address of where the result goes */ };

enum td_function_switch { TD_SWITCH_STUB = 1, TD_SWITCH_TRACE = 2 };

/* A variable. The runtime makes an object of it, or it is symbolic in the test mode TD_SYM_GLOBALS, or both. */
struct td_global {
	void *address;        /* as the program sees it: in a shared library another module's definition may come first */
	uint64_t size;        /* of the variable, without what pads its last granule */
	int32_t own_link;     /* self-relative: the definition the row is about; 0: it is the one at `address` */
	int32_t name_link;    /* self-relative: a string */
	uint32_t flags;       /* enum td_global_flag */
	uint32_t line;        /* of its declaration, 0: not known */
};

enum td_global_flag {
	TD_GLOBAL_OBJECT = 1,      /* it has its granules (contract/object.h) to itself, the byte behind its end included */
	TD_GLOBAL_CONSTANT = 2,
	TD_GLOBAL_INITIALISED = 4  /* and writable */
};

#endif
