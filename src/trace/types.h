/* Types of C as the debug information of one program tells of them: what functions take, return and what variables are. */
#ifndef TANDEM_TRACE_TYPES_H
#define TANDEM_TRACE_TYPES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type_kind {
	TYPE_UNKNOWN,  /* void, an incomplete struct, what C does not have: there are no objects of it */
	TYPE_SIGNED, TYPE_UNSIGNED, TYPE_CHAR /* any type of characters */, TYPE_BOOL, TYPE_ENUM, TYPE_FLOAT /* a complex number too */,
	TYPE_POINTER, TYPE_FUNCTION, TYPE_ARRAY, TYPE_STRUCT, TYPE_UNION
};

struct type;

struct type_member {
	const char *name;      /* empty: it has none */
	const struct type *type;
	uint64_t offset;       /* bytes */
	uint32_t bit, bits;    /* of a bit-field: it begins at this bit behind offset, and has so many; bits 0: it is none */
};

struct type_constant {
	const char *name;
	int64_t value;
};

/* Typedefs and qualifiers are gone but for is_const. The same type of one compilation unit is the same pointer; equal ones of several units need not be: types_same. */
struct type {
	enum type_kind kind;
	bool is_const;                     /* nobody is to write to an object of it */
	bool is_signed;                    /* of CHAR and ENUM too */
	bool is_complex;                   /* FLOAT: two of half the size */
	bool is_foreign;                   /* STRUCT: a header of the system has it */
	uint64_t size;                     /* bytes; 0: not known, or it has none */
	const char *name;                  /* "struct node", "size_t", "int": as the source has it; empty: it has none */
	const struct type *of;             /* POINTER, ARRAY: what of; FUNCTION: what it returns, NULL: nothing */
	uint64_t count;                    /* ARRAY: elements; 0: not known (flexible) */
	const struct type_member *members; /* STRUCT, UNION: all; FUNCTION: its parameters, with offset 0 */
	size_t members_count;
	const struct type_constant *constants; /* ENUM */
	size_t constants_count;
	bool is_variadic;                  /* FUNCTION */
};

struct type_variable {
	const char *name, *file;           /* file: DW_AT_name of its compilation unit */
	uint64_t address;                  /* in the program's file */
	const struct type *type;
	bool is_external;                  /* other units know it by its name */
	const char *function;              /* a static variable in this function; NULL: it is global */
};

struct types;

/* All that is returned lives as long as it does. */
struct types *types_open(const char *path, struct err *err); /* NULL: it cannot be read, or has no debug information */
void types_close(struct types *t);

/* The type of a function that is defined in a compilation unit; NULL unit: in any. NULL: it has none. Its members have no names. */
const struct type *types_function(struct types *t, const char *name, const char *unit);
const struct type *types_struct(struct types *t, const char *name); /* "node", or a typedef's name if it has none; NULL: there is none that is complete */

/* One name of a file seen from two directories: what both have from the end on, up to a "..", is the same. */
bool types_same_source(const char *a, const char *b);

/* The variable at an address of the program's file; NULL: none is known. */
const struct type_variable *types_variable(struct types *t, uint64_t address);

/* All of them, by address. */
const struct type_variable *types_variables(struct types *t, size_t *count);

/* Does a compilation unit know what a struct or union is made of? One that only has pointers to it need not. */
bool types_knows(const struct types *t, const char *unit, const struct type *type);

/* What a variable has when the program starts, `size` bytes of it, as its file has it: pointers are often not there. False: the file does not say. clear: it is in memory that begins as zeros. */
bool types_start(const struct types *t, uint64_t address, uint64_t size, uint8_t *out, bool *clear);

bool types_same(const struct type *a, const struct type *b); /* by their names and layout; is_const does not count */

#endif
