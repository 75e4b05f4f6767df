/* Types from DWARF. One walk over all entries at open notes where functions, variables and complete structs are; a type is translated when it is asked
 * for, with all that it leads to, and kept by the place of its entry, so that a list leads back to itself.
 *
 * A function compiled by tandem cc has several entries: one of the native version, where that has not been inlined into something without lines, an
 * abstract one, where it has been inlined, and one of the concrete side. Which of them knows the parameters depends on the optimiser: the one that knows most is taken.
 * For the same reason a file has several units of one name, with types of one in another. */
#include "trace/types.h"

#include "contract/facts.h"

#include "base/arena.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PEEL_MAX 64      /* typedefs and qualifiers of each other */
#define DIMENSIONS_MAX 16
#define SCOPES_MAX 64    /* blocks in each other */
#define POINTER_SIZE 8

struct place {
	const char *name, *unit;
	Dwarf_Off at;
};

struct named {
	Dwarf_Off at;
	const char *name;
};

struct found_variable {
	uint64_t address;
	Dwarf_Off at;
	const char *unit, *function;
};

/* A type that is another but for its name or const: what that has may come later. */
struct copy {
	struct type *type;
	const struct type *of;
};

struct memo {
	Dwarf_Off at; /* 0: free */
	const struct type *type;
};

struct types {
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	struct arena *arena;
	VEC(struct place) functions;  /* by name */
	VEC(struct place) complete;   /* structs and unions, by name; unit: of which of the two */
	VEC(struct named) nameless;   /* what a typedef calls something that has no name itself, by place */
	VEC(struct found_variable) found;
	VEC(struct type_variable) variables; /* by address */
	bool has_variables;
	struct memo *memo;
	size_t memo_count, memo_room; /* room: a power of two */
	VEC(struct copy) copies;
	unsigned depth;               /* of translations in each other */
};

static const struct type nothing = { .kind = TYPE_UNKNOWN, .name = "void" };

/* --- attributes --- */

static const char *text_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	const char *text = dwarf_formstring(dwarf_attr_integrate(die, name, &a));
	return text ? text : "";
}

static bool number_of(Dwarf_Die *die, unsigned name, uint64_t *value)
{
	Dwarf_Attribute a;
	Dwarf_Word word;
	if (dwarf_formudata(dwarf_attr_integrate(die, name, &a), &word) != 0)
		return false;
	*value = word;
	return true;
}

static uint64_t size_of(Dwarf_Die *die, uint64_t otherwise)
{
	uint64_t size;
	return number_of(die, DW_AT_byte_size, &size) ? size : otherwise;
}

static bool flag_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute a;
	bool set = false;
	return dwarf_formflag(dwarf_attr_integrate(die, name, &a), &set) == 0 && set;
}

/* Of what type it is; false: none, or void. */
static bool reference_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute a;
	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &a), type) != NULL;
}

static bool is_declaration(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_declaration);
}

/* --- what there is --- */

static bool has_address(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute a, indirect;
	Dwarf_Op *op;
	size_t count;
	Dwarf_Addr value;
	if (!dwarf_attr(die, DW_AT_location, &a) || dwarf_getlocation(&a, &op, &count) != 0 || count != 1)
		return false;
	if (op->atom == DW_OP_addr) {
		*address = op->number;
		return true;
	}
	if (op->atom != DW_OP_addrx || dwarf_getlocation_attr(&a, op, &indirect) != 0 || dwarf_formaddr(&indirect, &value) != 0)
		return false;
	*address = value;
	return true;
}

static void note_variable(struct types *t, Dwarf_Die *die, const char *unit, const char *function)
{
	uint64_t address;
	if (has_address(die, &address) && *text_of(die, DW_AT_name)) /* literals have no names */
		vec_push(&t->found, (struct found_variable){ address, dwarf_dieoffset(die), unit, function });
}

static void note_inner(struct types *t, Dwarf_Die *scope, const char *unit, const char *function, unsigned depth)
{
	Dwarf_Die child;
	if (depth > SCOPES_MAX || dwarf_child(scope, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_variable)
			note_variable(t, &child, unit, function);
		else if (tag == DW_TAG_lexical_block)
			note_inner(t, &child, unit, function, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static void note_function(struct types *t, Dwarf_Die *die, const char *unit)
{
	const char *name = text_of(die, DW_AT_name);
	if (is_declaration(die))
		return;
	if (*name)
		vec_push(&t->functions, (struct place){ name, unit, dwarf_dieoffset(die) });
	note_inner(t, die, unit, name, 0);
}

static const char *word_of(int tag)
{
	return tag == DW_TAG_union_type ? "union" : tag == DW_TAG_enumeration_type ? "enum" : "struct";
}

static void note_struct(struct types *t, Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_name);
	if (*name && !is_declaration(die))
		vec_push(&t->complete, (struct place){ name, word_of(dwarf_tag(die)), dwarf_dieoffset(die) });
}

static bool is_tagged(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
}

static void note_typedef(struct types *t, Dwarf_Die *die, const char *unit)
{
	static const char prefix[] = TD_TYPE;
	Dwarf_Die type;
	const char *name = text_of(die, DW_AT_name);
	if (strncmp(name, prefix, sizeof prefix - 1) == 0)
		vec_push(&t->functions, (struct place){ name + sizeof prefix - 1, unit, dwarf_dieoffset(die) });
	if (reference_of(die, &type) && is_tagged(dwarf_tag(&type)) && !dwarf_hasattr(&type, DW_AT_name))
		vec_push(&t->nameless, (struct named){ dwarf_dieoffset(&type), text_of(die, DW_AT_name) });
}

static void note_unit(struct types *t, Dwarf_Die *unit)
{
	const char *name = text_of(unit, DW_AT_name);
	Dwarf_Die child;
	if (dwarf_child(unit, &child) != 0)
		return;
	do
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram: note_function(t, &child, name); break;
		case DW_TAG_variable: note_variable(t, &child, name, NULL); break;
		case DW_TAG_structure_type: case DW_TAG_union_type: note_struct(t, &child); break;
		case DW_TAG_typedef: note_typedef(t, &child, name); break;
		default: break;
		}
	while (dwarf_siblingof(&child, &child) == 0);
}

static int by_name(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->name, y->name);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

static void note_all(struct types *t)
{
	Dwarf_CU *at = NULL;
	Dwarf_Die unit;
	while (dwarf_get_units(t->dwarf, at, &at, NULL, NULL, &unit, NULL) == 0)
		if (dwarf_tag(&unit) == DW_TAG_compile_unit)
			note_unit(t, &unit);
	if (t->functions.count)
		qsort(t->functions.at, t->functions.count, sizeof *t->functions.at, by_name);
	if (t->complete.count)
		qsort(t->complete.at, t->complete.count, sizeof *t->complete.at, by_name);
	if (t->nameless.count)
		qsort(t->nameless.at, t->nameless.count, sizeof *t->nameless.at, by_place);
}

/* The first of that name in a list; what follows may have it too. */
static size_t find_name(const struct place *places, size_t count, const char *name)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(places[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const char *name_by_typedef(const struct types *t, Dwarf_Off at)
{
	const struct named key = { .at = at };
	const struct named *n = t->nameless.count ? bsearch(&key, t->nameless.at, t->nameless.count, sizeof key, by_place) : NULL;
	return n ? n->name : "";
}

/* --- what has been translated --- */

static struct memo *memo_slot(struct types *t, Dwarf_Off at)
{
	size_t i = rng_mix(at) & (t->memo_room - 1);
	while (t->memo[i].at && t->memo[i].at != at)
		i = (i + 1) & (t->memo_room - 1);
	return &t->memo[i];
}

static void memo_grow(struct types *t)
{
	struct memo *old = t->memo;
	size_t room = t->memo_room;
	t->memo_room = room ? room * 2 : 256;
	t->memo = mem_alloc(t->memo_room * sizeof *t->memo);
	for (size_t i = 0; i < room; i++)
		if (old[i].at)
			*memo_slot(t, old[i].at) = old[i];
	free(old);
}

static const struct type *recall(struct types *t, Dwarf_Off at)
{
	return t->memo_room ? memo_slot(t, at)->type : NULL;
}

static void keep(struct types *t, Dwarf_Off at, const struct type *type)
{
	if (2 * (t->memo_count + 1) > t->memo_room)
		memo_grow(t);
	struct memo *m = memo_slot(t, at);
	t->memo_count += !m->at;
	*m = (struct memo){ at, type };
}

static struct type *make(struct types *t, Dwarf_Die *die, enum type_kind kind)
{
	struct type *type = arena_alloc(t->arena, sizeof *type);
	*type = (struct type){ .kind = kind, .name = text_of(die, DW_AT_name) };
	keep(t, dwarf_dieoffset(die), type);
	return type;
}

/* --- translation --- */

static const struct type *translate(struct types *t, Dwarf_Die *die);

/* Of what type it is, void: `otherwise`. */
static const struct type *type_of(struct types *t, Dwarf_Die *die, const struct type *otherwise)
{
	Dwarf_Die type;
	return reference_of(die, &type) ? translate(t, &type) : otherwise;
}

static const struct type *translate_base(struct types *t, Dwarf_Die *die)
{
	static const struct { enum type_kind kind; bool is_signed; } kinds[] = {
		[DW_ATE_boolean] = { TYPE_BOOL, false }, [DW_ATE_float] = { TYPE_FLOAT, true }, [DW_ATE_complex_float] = { TYPE_FLOAT, true },
		[DW_ATE_imaginary_float] = { TYPE_FLOAT, true }, [DW_ATE_signed] = { TYPE_SIGNED, true }, [DW_ATE_unsigned] = { TYPE_UNSIGNED, false },
		[DW_ATE_signed_char] = { TYPE_CHAR, true }, [DW_ATE_unsigned_char] = { TYPE_CHAR, false }, [DW_ATE_UTF] = { TYPE_UNSIGNED, false },
	};
	uint64_t encoding;
	if (!number_of(die, DW_AT_encoding, &encoding) || encoding >= sizeof kinds / sizeof kinds[0])
		return make(t, die, TYPE_UNKNOWN);
	struct type *type = make(t, die, kinds[encoding].kind);
	type->size = size_of(die, 0);
	type->is_signed = kinds[encoding].is_signed;
	type->is_complex = encoding == DW_ATE_complex_float;
	if (type->kind == TYPE_CHAR && type->size != 1)
		type->kind = type->is_signed ? TYPE_SIGNED : TYPE_UNSIGNED;
	return type;
}

static const struct type *translate_pointer(struct types *t, Dwarf_Die *die)
{
	struct type *type = make(t, die, TYPE_POINTER);
	type->size = size_of(die, POINTER_SIZE);
	type->of = type_of(t, die, &nothing);
	const char *of = type->of->name;
	size_t length = strlen(of);
	if (length)
		type->name = arena_printf(t->arena, "%s%s%s*", type->of->is_const ? "const " : "", of, of[length - 1] == '*' ? "" : " ");
	return type;
}

/* How many elements, 0: not known. */
static uint64_t count_of(Dwarf_Die *range)
{
	uint64_t count;
	if (number_of(range, DW_AT_count, &count))
		return count;
	return number_of(range, DW_AT_upper_bound, &count) ? count + 1 : 0;
}

static struct type *array_of(struct types *t, const struct type *of, uint64_t count)
{
	struct type *type = arena_alloc(t->arena, sizeof *type);
	*type = (struct type){ .kind = TYPE_ARRAY, .name = "", .of = of, .count = count, .is_const = of->is_const };
	if (__builtin_mul_overflow(count, of->size, &type->size))
		type->size = 0;
	return type;
}

static const struct type *translate_array(struct types *t, Dwarf_Die *die)
{
	uint64_t counts[DIMENSIONS_MAX];
	size_t n = 0;
	Dwarf_Die child;
	if (dwarf_child(die, &child) == 0)
		do
			if (dwarf_tag(&child) == DW_TAG_subrange_type && n < DIMENSIONS_MAX)
				counts[n++] = count_of(&child);
		while (dwarf_siblingof(&child, &child) == 0);
	if (!n)
		counts[n++] = 0;
	const struct type *type = type_of(t, die, &nothing);
	while (n)
		type = array_of(t, type, counts[--n]);
	keep(t, dwarf_dieoffset(die), type);
	return type;
}

static const struct type *translate_enum(struct types *t, Dwarf_Die *die)
{
	struct type *type = make(t, die, TYPE_ENUM);
	const struct type *under = type_of(t, die, &nothing);
	VEC(struct type_constant) constants = {0};
	Dwarf_Die child;
	Dwarf_Attribute a;
	Dwarf_Sword value;
	if (dwarf_child(die, &child) == 0)
		do
			if (dwarf_tag(&child) == DW_TAG_enumerator && dwarf_formsdata(dwarf_attr(&child, DW_AT_const_value, &a), &value) == 0)
				vec_push(&constants, (struct type_constant){ text_of(&child, DW_AT_name), value });
		while (dwarf_siblingof(&child, &child) == 0);
	type->size = size_of(die, under->size ? under->size : 4);
	type->is_signed = under->is_signed;
	type->constants = arena_copy(t->arena, constants.at, constants.count * sizeof *constants.at);
	type->constants_count = constants.count;
	vec_free(&constants);
	return type;
}

/* Counted from the first bit of the struct; DWARF before 4 counts from the last bit of a unit of storage. */
static uint64_t first_bit(Dwarf_Die *member, const struct type_member *m)
{
	uint64_t bit;
	if (number_of(member, DW_AT_data_bit_offset, &bit))
		return bit;
	if (number_of(member, DW_AT_bit_offset, &bit))
		return (m->offset + size_of(member, m->type->size)) * 8 - bit - m->bits;
	return m->offset * 8;
}

static void place_bits(Dwarf_Die *member, struct type_member *m, uint64_t bits)
{
	m->bits = (uint32_t)bits;
	uint64_t first = first_bit(member, m), unit = m->type->size * 8;
	bool fits = unit && first % unit + bits <= unit;
	m->offset = fits ? first / unit * m->type->size : first / 8;
	m->bit = (uint32_t)(first - m->offset * 8);
}

static struct type_member translate_member(struct types *t, Dwarf_Die *die)
{
	struct type_member m = { .name = text_of(die, DW_AT_name), .type = type_of(t, die, &nothing) };
	uint64_t bits;
	number_of(die, DW_AT_data_member_location, &m.offset);
	if (number_of(die, DW_AT_bit_size, &bits) && bits && bits <= 64)
		place_bits(die, &m, bits);
	return m;
}

/* The members, or the parameters, as entries of that tag. */
static void translate_members(struct types *t, Dwarf_Die *die, int tag, struct type *type)
{
	VEC(struct type_member) members = {0};
	Dwarf_Die child;
	if (dwarf_child(die, &child) == 0)
		do {
			if (dwarf_tag(&child) == tag)
				vec_push(&members, translate_member(t, &child));
			type->is_variadic |= dwarf_tag(&child) == DW_TAG_unspecified_parameters;
		} while (dwarf_siblingof(&child, &child) == 0);
	type->members = arena_copy(t->arena, members.at, members.count * sizeof *members.at);
	type->members_count = members.count;
	vec_free(&members);
}

static void translate_function(struct types *t, Dwarf_Die *die, struct type *type)
{
	type->of = type_of(t, die, NULL);
	translate_members(t, die, DW_TAG_formal_parameter, type);
}

/* Another unit may know what one only declares. */
static bool find_complete(const struct types *t, Dwarf_Die *die, Dwarf_Die *complete)
{
	const char *name = text_of(die, DW_AT_name), *word = word_of(dwarf_tag(die));
	for (size_t i = find_name(t->complete.at, t->complete.count, name); i < t->complete.count && strcmp(t->complete.at[i].name, name) == 0; i++)
		if (t->complete.at[i].unit == word || strcmp(t->complete.at[i].unit, word) == 0)
			return dwarf_offdie(t->dwarf, t->complete.at[i].at, complete) != NULL;
	return false;
}

static const char *tagged_name(const struct types *t, Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_name);
	return *name ? arena_printf(t->arena, "%s %s", word_of(dwarf_tag(die)), name) : name_by_typedef(t, dwarf_dieoffset(die));
}

static const struct type *translate_incomplete(struct types *t, Dwarf_Die *die)
{
	Dwarf_Die complete;
	const struct type *type;
	if (!find_complete(t, die, &complete)) {
		struct type *unknown = make(t, die, TYPE_UNKNOWN);
		unknown->name = tagged_name(t, die);
		return unknown;
	}
	type = translate(t, &complete);
	keep(t, dwarf_dieoffset(die), type);
	return type;
}

static const struct type *translate_struct(struct types *t, Dwarf_Die *die)
{
	if (is_declaration(die))
		return translate_incomplete(t, die);
	struct type *type = make(t, die, dwarf_tag(die) == DW_TAG_union_type ? TYPE_UNION : TYPE_STRUCT);
	type->name = tagged_name(t, die);
	type->size = size_of(die, 0);
	const char *file = dwarf_decl_file(die);
	type->is_foreign = file && strncmp(file, "/usr/", 5) == 0;
	translate_members(t, die, DW_TAG_member, type);
	return type;
}

static const struct type *translate_bare(struct types *t, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type: return translate_base(t, die);
	case DW_TAG_pointer_type: return translate_pointer(t, die);
	case DW_TAG_array_type: return translate_array(t, die);
	case DW_TAG_structure_type: case DW_TAG_union_type: return translate_struct(t, die);
	case DW_TAG_enumeration_type: {
		struct type *type = (struct type *)translate_enum(t, die);
		type->name = tagged_name(t, die);
		return type;
	}
	case DW_TAG_subroutine_type: case DW_TAG_subprogram: {
		struct type *type = make(t, die, TYPE_FUNCTION);
		translate_function(t, die, type);
		return type;
	}
	default: return make(t, die, TYPE_UNKNOWN);
	}
}

/* --- typedefs and qualifiers --- */

struct peeled {
	Dwarf_Die die;
	const char *name; /* of the outermost typedef; empty: there is none */
	bool is_const, is_void;
};

static bool is_peel(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

static struct peeled peel(const Dwarf_Die *die)
{
	struct peeled p = { .die = *die, .name = "" };
	Dwarf_Die inner;
	for (unsigned i = 0; i < PEEL_MAX && is_peel(dwarf_tag(&p.die)); i++) {
		int tag = dwarf_tag(&p.die);
		p.is_const |= tag == DW_TAG_const_type;
		if (tag == DW_TAG_typedef && !*p.name)
			p.name = text_of(&p.die, DW_AT_name);
		if (!reference_of(&p.die, &inner)) {
			p.is_void = true;
			return p;
		}
		p.die = inner;
	}
	return p;
}

/* A struct goes by its own name, if it has one. */
static const char *name_for(const struct type *bare, const char *typedef_name)
{
	bool tagged = bare->kind == TYPE_STRUCT || bare->kind == TYPE_UNION || bare->kind == TYPE_ENUM || bare->kind == TYPE_ARRAY;
	return *typedef_name && !(tagged && (*bare->name || bare->kind == TYPE_ARRAY)) ? typedef_name : bare->name;
}

static const struct type *dress(struct types *t, const struct type *bare, const struct peeled *p)
{
	const char *name = name_for(bare, p->name);
	if (p->is_const == bare->is_const && strcmp(name, bare->name) == 0)
		return bare;
	struct type *type = arena_copy(t->arena, bare, sizeof *bare);
	type->name = name;
	type->is_const |= p->is_const;
	vec_push(&t->copies, (struct copy){ type, bare });
	return type;
}

static void finish_copies(struct types *t)
{
	for (size_t i = 0; i < t->copies.count; i++) {
		struct type *type = t->copies.at[i].type;
		const char *name = *type->name ? type->name : t->copies.at[i].of->name; /* that of a pointer comes last */
		bool is_const = type->is_const;
		*type = *t->copies.at[i].of;
		type->name = name;
		type->is_const = is_const;
	}
	vec_clear(&t->copies);
}

static const struct type *translate_peeled(struct types *t, Dwarf_Die *die)
{
	struct peeled p = peel(die);
	if (p.is_void || is_peel(dwarf_tag(&p.die)))
		return &nothing;
	const struct type *bare = recall(t, dwarf_dieoffset(&p.die));
	return dress(t, bare ? bare : translate_bare(t, &p.die), &p);
}

static const struct type *translate(struct types *t, Dwarf_Die *die)
{
	Dwarf_Off at = dwarf_dieoffset(die);
	const struct type *type = recall(t, at);
	if (type)
		return type;
	t->depth++;
	bool is_bare = !is_peel(dwarf_tag(die));
	type = is_bare ? translate_bare(t, die) : translate_peeled(t, die);
	if (!is_bare && !recall(t, at))
		keep(t, at, type);
	type = recall(t, at);
	if (!--t->depth)
		finish_copies(t);
	return type;
}

/* --- questions --- */

static size_t last_part(const char *path, size_t end)
{
	while (end && path[end - 1] != '/')
		end--;
	return end;
}

bool types_same_source(const char *a, const char *b)
{
	size_t i = strlen(a), k = strlen(b);
	for (;;) {
		size_t from = last_part(a, i), to = last_part(b, k), n = i - from, m = k - to;
		bool up = (n == 2 && strncmp(a + from, "..", 2) == 0) || (m == 2 && strncmp(b + to, "..", 2) == 0);
		if (up || (n == 1 && a[from] == '.') || (m == 1 && b[to] == '.'))
			return true;
		if (n != m || strncmp(a + from, b + to, n) != 0)
			return false;
		if (!from || !to)
			return true;
		i = from - 1;
		k = to - 1;
	}
}

static size_t count_parameters(Dwarf_Die *function)
{
	Dwarf_Die child;
	size_t count = 0;
	if (dwarf_child(function, &child) == 0)
		do
			count += dwarf_tag(&child) == DW_TAG_formal_parameter;
		while (dwarf_siblingof(&child, &child) == 0);
	return count;
}

/* How much an entry tells of a function: one without a result may be of a function that has none. */
static size_t wealth(Dwarf_Die *function)
{
	Dwarf_Die type;
	return 2 * count_parameters(function) + reference_of(function, &type);
}

const struct type *types_function(struct types *t, const char *name, const char *unit)
{
	Dwarf_Die best, die;
	bool found = false;
	const struct place *places = t->functions.at;
	for (size_t i = find_name(places, t->functions.count, name); i < t->functions.count && strcmp(places[i].name, name) == 0; i++) {
		if ((unit && !types_same_source(places[i].unit, unit)) || !dwarf_offdie(t->dwarf, places[i].at, &die))
			continue;
		if (dwarf_tag(&die) == DW_TAG_typedef) /* what tandem cc has left */
			return translate(t, &die);
		if (!found || wealth(&die) > wealth(&best))
			best = die;
		found = true;
	}
	return found ? translate(t, &best) : NULL;
}

/* Nameless ones by their typedef. */
const struct type *types_struct(struct types *t, const char *name)
{
	Dwarf_Die die;
	for (size_t i = find_name(t->complete.at, t->complete.count, name); i < t->complete.count && strcmp(t->complete.at[i].name, name) == 0; i++)
		if (strcmp(t->complete.at[i].unit, word_of(DW_TAG_structure_type)) == 0 && dwarf_offdie(t->dwarf, t->complete.at[i].at, &die))
			return translate(t, &die);
	for (size_t i = 0; i < t->nameless.count; i++)
		if (strcmp(t->nameless.at[i].name, name) == 0 && dwarf_offdie(t->dwarf, t->nameless.at[i].at, &die) && dwarf_tag(&die) == DW_TAG_structure_type)
			return translate(t, &die);
	return NULL;
}

static const char *function_in(const struct types *t, const char *symbol, const char *variable)
{
	const char *dot = symbol ? strchr(symbol, '.') : NULL;
	size_t n = strlen(variable);
	if (!dot || strncmp(dot + 1, variable, n) != 0 || (dot[n + 1] && dot[n + 1] != '.'))
		return NULL;
	return arena_printf(t->arena, "%.*s", (int)(dot - symbol), symbol);
}

/* The entry that a static variable is in may have lost its function's name, where that has been moved elsewhere; the variable's symbol still has it: "function.variable". */
static const char *function_by_symbol(const struct types *t, uint64_t address, const char *variable)
{
	GElf_Shdr h;
	GElf_Sym symbol;
	for (Elf_Scn *s = elf_nextscn(t->elf, NULL); s; s = elf_nextscn(t->elf, s)) {
		Elf_Data *data = gelf_getshdr(s, &h) && h.sh_type == SHT_SYMTAB ? elf_getdata(s, NULL) : NULL;
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
			const char *function = symbol.st_value == address ? function_in(t, elf_strptr(t->elf, h.sh_link, symbol.st_name), variable) : NULL;
			if (function)
				return function;
		}
	}
	return "";
}

static struct type_variable describe(struct types *t, const struct found_variable *f, Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_name), *function = f->function && !*f->function ? function_by_symbol(t, f->address, name) : f->function;
	return (struct type_variable){ .name = name, .file = f->unit, .address = f->address, .type = type_of(t, die, &nothing),
		.is_external = flag_of(die, DW_AT_external), .function = function };
}

static int by_address(const void *a, const void *b)
{
	const struct found_variable *x = a, *y = b;
	int order = (x->address > y->address) - (x->address < y->address);
	return order ? order : (x->at > y->at) - (x->at < y->at);
}

static void need_variables(struct types *t)
{
	Dwarf_Die die;
	if (t->has_variables)
		return;
	t->has_variables = true;
	if (t->found.count)
		qsort(t->found.at, t->found.count, sizeof *t->found.at, by_address);
	for (size_t i = 0; i < t->found.count; i++)
		if ((!i || t->found.at[i].address != t->found.at[i - 1].address) && dwarf_offdie(t->dwarf, t->found.at[i].at, &die))
			vec_push(&t->variables, describe(t, &t->found.at[i], &die));
}

const struct type_variable *types_variables(struct types *t, size_t *count)
{
	need_variables(t);
	*count = t->variables.count;
	return t->variables.at;
}

static int at_address(const void *key, const void *row)
{
	uint64_t address = *(const uint64_t *)key, its = ((const struct type_variable *)row)->address;
	return (address > its) - (address < its);
}

const struct type_variable *types_variable(struct types *t, uint64_t address)
{
	need_variables(t);
	return t->variables.count ? bsearch(&address, t->variables.at, t->variables.count, sizeof *t->variables.at, at_address) : NULL;
}

static bool is_of_unit(const struct types *t, Dwarf_Off at, const char *unit)
{
	Dwarf_Die die, cu;
	return dwarf_offdie(t->dwarf, at, &die) && dwarf_diecu(&die, &cu, NULL, NULL) && types_same_source(text_of(&cu, DW_AT_name), unit);
}

bool types_knows(const struct types *t, const char *unit, const struct type *type)
{
	const char *word = type->kind == TYPE_UNION ? "union" : "struct", *blank = strchr(type->name, ' '), *tag = blank ? blank + 1 : type->name;
	for (size_t i = find_name(t->complete.at, t->complete.count, tag); blank && i < t->complete.count && strcmp(t->complete.at[i].name, tag) == 0; i++)
		if (strcmp(t->complete.at[i].unit, word) == 0 && is_of_unit(t, t->complete.at[i].at, unit))
			return true;
	for (size_t i = 0; !blank && i < t->nameless.count; i++)
		if (strcmp(t->nameless.at[i].name, type->name) == 0 && is_of_unit(t, t->nameless.at[i].at, unit))
			return true;
	return false;
}

/* A section that is loaded and has the whole stretch. */
static bool holds(const GElf_Shdr *h, uint64_t address, uint64_t size)
{
	return h->sh_flags & SHF_ALLOC && !(h->sh_flags & SHF_TLS) && address >= h->sh_addr && size <= h->sh_size && address - h->sh_addr <= h->sh_size - size;
}

bool types_start(const struct types *t, uint64_t address, uint64_t size, uint8_t *out, bool *clear)
{
	GElf_Shdr h;
	for (Elf_Scn *s = elf_nextscn(t->elf, NULL); s; s = elf_nextscn(t->elf, s)) {
		if (!gelf_getshdr(s, &h) || !holds(&h, address, size))
			continue;
		const Elf_Data *data = h.sh_type == SHT_NOBITS ? NULL : elf_rawdata(s, NULL);
		*clear = h.sh_type == SHT_NOBITS;
		if (!*clear && (!data || !data->d_buf || data->d_size < h.sh_size))
			return false;
		if (*clear)
			memset(out, 0, size);
		else
			memcpy(out, (const char *)data->d_buf + (address - h.sh_addr), size);
		return true;
	}
	return false;
}

/* --- sameness --- */

static bool is_same(const struct type *a, const struct type *b, unsigned depth);

/* By their kinds and names alone: what they are made of may lead back. */
static bool is_alike(const struct type *a, const struct type *b)
{
	return a->kind == b->kind && a->size == b->size && (a->kind != TYPE_STRUCT || strcmp(a->name, b->name) == 0);
}

static bool has_same_members(const struct type *a, const struct type *b, unsigned depth)
{
	if (a->members_count != b->members_count)
		return false;
	for (size_t i = 0; i < a->members_count; i++) {
		const struct type_member *m = &a->members[i], *n = &b->members[i];
		bool named = a->kind == TYPE_FUNCTION || strcmp(m->name, n->name) == 0; /* parameters are called anything */
		bool follow = a->kind == TYPE_FUNCTION || !*a->name;
		if (!named || m->offset != n->offset || m->bit != n->bit || m->bits != n->bits ||
		    !(follow ? is_same(m->type, n->type, depth) : is_alike(m->type, n->type)))
			return false;
	}
	return true;
}

static bool has_same_constants(const struct type *a, const struct type *b)
{
	if (a->constants_count != b->constants_count)
		return false;
	for (size_t i = 0; i < a->constants_count; i++)
		if (a->constants[i].value != b->constants[i].value || strcmp(a->constants[i].name, b->constants[i].name) != 0)
			return false;
	return true;
}

static bool is_same_function(const struct type *a, const struct type *b, unsigned depth)
{
	bool result = !a->of || !b->of ? a->of == b->of : is_same(a->of, b->of, depth);
	return result && a->is_variadic == b->is_variadic && has_same_members(a, b, depth);
}

static bool is_same(const struct type *a, const struct type *b, unsigned depth)
{
	if (a == b)
		return true;
	if (a->kind != b->kind || a->size != b->size)
		return false;
	if (depth == 0)
		return is_alike(a, b);
	switch (a->kind) {
	case TYPE_POINTER: return is_same(a->of, b->of, depth - 1);
	case TYPE_ARRAY: return a->count == b->count && is_same(a->of, b->of, depth - 1);
	case TYPE_FUNCTION: return is_same_function(a, b, depth - 1);
	case TYPE_STRUCT: case TYPE_UNION: return strcmp(a->name, b->name) == 0 && has_same_members(a, b, depth - 1);
	case TYPE_ENUM: return strcmp(a->name, b->name) == 0 && has_same_constants(a, b);
	case TYPE_UNKNOWN: return strcmp(a->name, b->name) == 0;
	case TYPE_FLOAT: return a->is_complex == b->is_complex;
	case TYPE_SIGNED: case TYPE_UNSIGNED: case TYPE_CHAR: case TYPE_BOOL: break;
	}
	return a->is_signed == b->is_signed;
}

bool types_same(const struct type *a, const struct type *b)
{
	return is_same(a, b, 6);
}

/* --- files --- */

static bool read_file(struct types *t, const char *path, struct err *err)
{
	struct stat st;
	t->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (t->fd < 0)
		return err_errno(err, "%.200s", path);
	if (fstat(t->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return err_set(err, "%.200s is no ordinary file", path);
	elf_version(EV_CURRENT);
	t->elf = elf_begin(t->fd, ELF_C_READ_MMAP, NULL);
	if (!t->elf || elf_kind(t->elf) != ELF_K_ELF)
		return err_set(err, "%.200s is no program", path);
	t->dwarf = dwarf_begin_elf(t->elf, DWARF_C_READ, NULL);
	note_all(t);
	return (t->functions.count || t->found.count) || err_set(err, "%.200s has no debug information", path);
}

struct types *types_open(const char *path, struct err *err)
{
	struct types *t = mem_alloc(sizeof *t);
	t->arena = arena_new();
	if (read_file(t, path, err))
		return t;
	types_close(t);
	return NULL;
}

void types_close(struct types *t)
{
	if (!t)
		return;
	vec_free(&t->functions);
	vec_free(&t->complete);
	vec_free(&t->nameless);
	vec_free(&t->found);
	vec_free(&t->variables);
	vec_free(&t->copies);
	free(t->memo);
	arena_free(t->arena);
	dwarf_end(t->dwarf);
	elf_end(t->elf);
	if (t->fd >= 0)
		close(t->fd);
	free(t);
}
