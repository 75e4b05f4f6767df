/* The file includes the source that has the function, so that static functions, static variables and all types are there by their names; the program's other sources are linked with it.
 * The program's main has another name meanwhile.
 *
 * A stub stands for a function that the source may define itself, and that it may call by a name which no linker sees. So it is done when the test runs: the first instruction of the
 * function becomes a jump to the stub, which answers what it did in the test, call by call. This holds for calls from everywhere, through pointers too, as in unit mode, and needs
 * nothing but code that is not inlined.
 *
 * What is static in another source, and the static variables of functions, are found when the test runs as well: in the program's own table of symbols, which knows the source of each that is local. What is not found there,
 * or more than once, is told of and not set. */
#include "cli/driverfile.h"

#include "base/vec.h"
#include "cli/cli.h"
#include "trace/declare.h"
#include "unit/ccode.h"
#include "unit/literal.h"

#include <inttypes.h>
#include <string.h>

#define SOURCES_MAX 24 /* that are named in the command */
#define INPUT_MAX 1000 /* characters of what the function is called with: all of it is below */

struct call {
	size_t stub;          /* of the plan */
	size_t mark, marks;   /* of the feed */
};

struct driver {
	struct unitcase *u;
	const struct unitrun *run;
	const struct casefile *c;
	const char *name;
	const struct unit_function *f;
	const char *source;        /* as the compiler was given it */
	struct arena *arena;
	struct str externs, stubs, body;
	struct str finds;          /* at the beginning of main */
	VEC(struct call) calls;
	const char **functions;    /* by index: of other sources, as they are called here; NULL: not yet */
	VEC(const char *) names;   /* that the file has made */
	const char **arguments;    /* their names */
	bool streams[3];           /* they are declared */
	bool needs_somewhere;
};

/* --- names --- */

static const char *whole_path(struct driver *d, const struct facts_block *b)
{
	const char *source = facts_string(b, b->head->source), *directory = facts_string(b, b->head->directory);
	return *source == '/' || !*directory ? source : arena_printf(d->arena, "%s/%s", directory, source);
}

static const char *plain_name(const struct unit_program *p, uint32_t function)
{
	return unit_program_is_main(p, function) ? "main" : p->functions[function].name;
}

/* As C calls it in the file: the program's main has another name there. */
static const char *own_name(const struct unit_program *p, uint32_t function)
{
	return unit_program_is_main(p, function) ? "program_main" : p->functions[function].name;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool is_used(const struct driver *d, const char *name)
{
	size_t count;
	const struct type_variable *v = types_variables(d->u->program.types, &count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(v[i].name, name) == 0)
			return true;
	for (uint32_t i = 0; i < d->u->program.count; i++)
		if (strcmp(d->u->program.functions[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < d->names.count; i++)
		if (strcmp(d->names.at[i], name) == 0)
			return true;
	return false;
}

static const char *new_name(struct driver *d, const char *prefix, const char *wanted)
{
	const char *name = arena_printf(d->arena, "%s%s", prefix, wanted);
	while (is_used(d, name))
		name = arena_printf(d->arena, "%s_", name);
	vec_push(&d->names, name);
	return name;
}

/* One of another source is declared under a name of its own, since the source may have declared it already, or not. */
static const char *name_function(void *context, uint32_t index)
{
	struct driver *d = context;
	const struct unit_program *p = &d->u->program;
	const struct unit_function *f = &p->functions[index];
	if (f->block == d->f->block)
		return own_name(p, index);
	if (f->facts->flags & TD_FN_STATIC)
		return arena_printf(d->arena, "tandem_find_static(\"%s\", \"%s\", \"\", 0)", last_part(f->source), f->name);
	if (!d->functions[index]) {
		d->functions[index] = new_name(d, "program_", plain_name(p, index));
		str_printf(&d->externs, "extern void %s(void) __asm__(\"%s\");\n", d->functions[index], own_name(p, index));
	}
	return d->functions[index];
}

static bool is_of_source(const struct driver *d, const struct type_variable *v)
{
	return types_same_source(v->file, d->source);
}

/* Does a function of the source speak of it? */
static bool is_mentioned(const struct driver *d, const struct type_variable *v)
{
	const struct facts_block *b = d->f->block;
	for (uint32_t i = 0; i < b->head->uses.count; i++)
		if (!(b->uses[i].flags & TD_USE_STATIC) && strcmp(facts_string(b, b->uses[i].name), v->name) == 0)
			return true;
	return false;
}

static bool knows_type(void *context, const struct type *t)
{
	struct driver *d = context;
	return types_knows(d->u->program.types, d->source, t);
}

static bool knows_all(struct driver *d, const struct type *t)
{
	while (t->kind == TYPE_ARRAY && t->of)
		t = t->of;
	return (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION) || (*t->name && knows_type(d, t));
}

/* A type by words that C has in the file, for what is defined elsewhere; NULL: there are none. */
static const struct type *known_type(struct driver *d, const struct type *t)
{
	struct type *known = arena_copy(d->arena, t, sizeof *t);
	known->is_const = false;
	if (declare_plain(t)) {
		known->name = declare_plain(t);
		return known;
	}
	if (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY) {
		known->name = "";
		known->of = t->of && t->of->kind != TYPE_FUNCTION ? known_type(d, t->of) : NULL;
		return known->of && (t->kind == TYPE_POINTER || t->count) ? known : NULL;
	}
	return (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) && knows_all(d, t) ? known : NULL;
}

static const char *declare_foreign(struct driver *d, const struct type_variable *v, bool *is_bytes)
{
	const char *name = new_name(d, "program_", v->name);
	const struct type *t = known_type(d, v->type);
	struct str text = {0};
	*is_bytes = !t || !declare_print(t, name, &text);
	if (*is_bytes)
		str_printf(&text, "char %s[]", name);
	str_printf(&d->externs, "extern %s __asm__(\"%s\");\n", str_text(&text), v->name);
	str_free(&text);
	return name;
}

/* The source of a static variable of a function that is included is the file itself, for the linker. */
static const char *declare_hidden(struct driver *d, const struct type_variable *v, bool *is_bytes)
{
	const char *name = new_name(d, "program_", v->name);
	struct type pointer = { .kind = TYPE_POINTER, .size = TD_UNIT_SLOT, .name = "", .of = known_type(d, v->type) };
	struct str text = {0};
	*is_bytes = !pointer.of || !declare_print(&pointer, name, &text);
	if (*is_bytes)
		str_printf(&text, "char *%s", name);
	const char *source = is_of_source(d, v) ? "__FILE__" : arena_printf(d->arena, "\"%s\"", last_part(v->file));
	str_printf(&d->finds, "\t%s = tandem_find_static(%s, \"%s\", \"%s\", %" PRIu64 ");\n", str_text(&text), source, v->name, v->function ? v->function : "", v->type->size);
	str_free(&text);
	return *is_bytes ? name : arena_printf(d->arena, "(*%s)", name);
}

static const char *name_variable(void *context, const struct type_variable *v, bool *is_bytes)
{
	struct driver *d = context;
	*is_bytes = false;
	if (v->function || (!v->is_external && !is_of_source(d, v)))
		return declare_hidden(d, v, is_bytes);
	return is_of_source(d, v) || is_mentioned(d, v) ? v->name : declare_foreign(d, v, is_bytes);
}

static bool start_of(void *context, const struct type_variable *v, uint64_t size, uint8_t *out, bool *clear)
{
	struct driver *d = context;
	return types_start(d->u->program.types, v->address, size, out, clear);
}

/* The source need not have <stdio.h>. */
static const char *name_stream(void *context, uint32_t index)
{
	static const char *const names[] = { "stdin", "stdout", "stderr" };
	struct driver *d = context;
	const char *name = arena_printf(d->arena, "program_%s", names[index % 3]);
	if (!d->streams[index % 3])
		str_printf(&d->externs, "extern void *%s __asm__(\"%s\");\n", name, names[index % 3]);
	d->streams[index % 3] = true;
	return name;
}

static const char *name_somewhere(void *context)
{
	struct driver *d = context;
	d->needs_somewhere = true;
	return "tandem_somewhere()";
}

static struct ccode_names names_of(struct driver *d)
{
	return (struct ccode_names){ .context = d, .variable = name_variable, .function = name_function, .stream = name_stream, .somewhere = name_somewhere, .knows = knows_type, .start = start_of };
}

static bool is_word_of(const struct type *t, const char *name)
{
	while (t && (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY) && strcmp(t->name, name) != 0 && t->of)
		t = t->of;
	return t && strcmp(t->name, name) == 0;
}

/* Would an argument of that name hide what the file speaks of? */
static bool is_taken(const struct driver *d, const char *name)
{
	const struct plan *p = &d->u->plan;
	const struct type *f = p->type;
	for (size_t i = 0; i < p->given; i++)
		if (p->objects[i].variable && strcmp(p->objects[i].variable->name, name) == 0)
			return true;
	for (uint32_t i = 0; i < d->u->program.count; i++)
		if (d->u->program.functions[i].block == d->f->block && strcmp(d->u->program.functions[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < f->members_count; i++)
		if (is_word_of(f->members[i].type, name))
			return true;
	return strcmp(name, "returned") == 0;
}

static void name_arguments(struct driver *d)
{
	const struct type *f = d->u->plan.type;
	d->arguments = arena_alloc(d->arena, (f->members_count + 1) * sizeof *d->arguments);
	for (size_t i = 0; i < f->members_count; i++) {
		const char *name = plan_argument_name(d->arena, f, i);
		while (is_taken(d, name))
			name = arena_printf(d->arena, "%s_", name);
		d->arguments[i] = name;
	}
}

/* --- stubs --- */

/* Marks are taken in the order of calls, by each as many as it makes objects. Those that the test does not have are nothing to begin with. */
static void find_calls(struct driver *d)
{
	size_t mark = d->u->plan.given, all = d->u->feed.marks_count;
	for (size_t i = 0; i < d->run->count; i++) {
		size_t objects = d->u->plan.stubs[d->run->stubs[i]].objects, left = mark < all ? all - mark : 0;
		vec_push(&d->calls, (struct call){ d->run->stubs[i], mark, objects < left ? objects : left });
		mark += objects;
	}
}

static size_t count_calls(const struct driver *d, size_t stub)
{
	size_t n = 0;
	for (size_t i = 0; i < d->calls.count; i++)
		n += d->calls.at[i].stub == stub;
	return n;
}

/* The source that calls a function knows what it returns. */
static bool is_called(const struct driver *d, uint32_t function)
{
	const struct facts_block *b = d->f->block;
	for (uint32_t i = 0; i < b->head->calls.count; i++)
		if (b->calls[i].callee && strcmp(facts_string(b, b->calls[i].callee), d->u->program.functions[function].name) == 0)
			return true;
	return false;
}

/* A pointer to what has no name in the source leads to bytes. */
static bool declare_result(struct driver *d, uint32_t function, const char *name, bool *is_void_pointer, struct str *out)
{
	const struct type *t = unit_program_type(&d->u->program, function)->of, *known = known_type(d, t);
	bool is_whole = t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
	if (is_whole && !known && is_called(d, function))
		known = t;
	*is_void_pointer = t->kind == TYPE_POINTER && !known;
	if (known)
		return declare_print(known, name, out);
	if (*is_void_pointer)
		str_printf(out, "void *%s", name);
	return *is_void_pointer;
}

static void put_call(struct driver *d, const struct call *call, const char *result, bool is_void_pointer, const char *indent)
{
	const struct td_unit_stub *s = &d->u->plan.stubs[call->stub];
	struct plan_value *values = arena_alloc(d->arena, s->objects * sizeof *values);
	for (size_t i = 0; i < call->marks; i++)
		values[i] = (struct plan_value){ .bytes = d->u->feed.marks[call->mark + i].bytes, .size = d->u->feed.marks[call->mark + i].size };
	struct ccode_names names = names_of(d);
	struct ccode code = { .plan = &d->u->plan, .first = s->first_object, .count = s->objects, .values = values, .names = &names, .indent = indent };
	ccode_result(&code, result, is_void_pointer, &d->stubs);
}

/* One call after the other; the last one's answer goes for all that may follow. */
static void put_calls(struct driver *d, size_t stub, const char *result, bool is_void_pointer)
{
	size_t left = count_calls(d, stub), number = 0;
	bool several = left > 1;
	if (several)
		str_add(&d->stubs, "\tstatic int calls;\n\tswitch (calls++) {\n");
	for (size_t i = 0; i < d->calls.count; i++) {
		if (d->calls.at[i].stub != stub)
			continue;
		if (several)
			str_add(&d->stubs, --left ? arena_printf(d->arena, "\tcase %zu: {\n", number++) : "\tdefault: {\n");
		put_call(d, &d->calls.at[i], result, is_void_pointer, several ? "\t\t" : "\t");
		if (several)
			str_add(&d->stubs, "\t}\n");
	}
	if (several)
		str_add(&d->stubs, "\t}\n");
}

static void put_stub(struct driver *d, size_t stub, const char *name)
{
	const struct td_unit_stub *s = &d->u->plan.stubs[stub];
	const char *own = new_name(d, "stub_of_", name);
	struct str head = {0}, result = {0};
	bool is_void_pointer;
	bool ok = declare_result(d, s->function, arena_printf(d->arena, "%s(void)", own), &is_void_pointer, &head) && declare_result(d, s->function, "result", &is_void_pointer, &result);
	if (ok) {
		str_printf(&d->stubs, "static %s\n{\n", str_text(&head));
		put_calls(d, stub, str_text(&result), is_void_pointer);
		str_add(&d->stubs, "}\n\n");
		str_printf(&d->body, "\ttandem_divert((void *)%s, (void *)%s);\n", name_function(d, s->function), own);
	} else {
		str_printf(&d->body, "\t/* There is no stub for %s(), whose result has no name here: the real one is called. */\n", name);
	}
	str_free(&head);
	str_free(&result);
}

/* Those that were called. */
static void put_stubs(struct driver *d)
{
	bool any = false;
	if (d->calls.count)
		str_add(&d->body, "\t/* Not really called in this test; to stop there, break at the stub. */\n");
	for (size_t i = 0; i < d->u->plan.stubs_count; i++) {
		const struct td_unit_stub *s = &d->u->plan.stubs[i];
		if (!count_calls(d, i) || s->flags & TD_UNIT_NORETURN)
			continue;
		if (s->objects) {
			put_stub(d, i, plain_name(&d->u->program, s->function));
			continue;
		}
		if (!any)
			str_add(&d->stubs, "static void tandem_nothing(void)\n{\n}\n\n");
		any = true;
		str_printf(&d->body, "\ttandem_divert((void *)%s, (void *)tandem_nothing);\n", name_function(d, s->function));
	}
}

static const char divert[] =
	"/* From now on who calls the one function gets to the other: its code begins with a jump there. (x86-64 alone.) */\n"
	"extern int tandem_protect(void *, unsigned long, int) __asm__(\"mprotect\");\n"
	"\n"
	"static void tandem_divert(void *from, void *to)\n"
	"{\n"
	"\tif (!from)\n"
	"\t\treturn;\n"
	"\tunsigned long first = (unsigned long)from & -4096ul, end = ((unsigned long)from + 5 + 4095) & -4096ul;\n"
	"\tint distance = (int)((char *)to - ((char *)from + 5));\n"
	"\tif (tandem_protect((void *)first, end - first, 7))\n"
	"\t\t__builtin_abort();\n"
	"\t*(unsigned char *)from = 0xe9;\n"
	"\t__builtin_memcpy((char *)from + 1, &distance, 4);\n"
	"}\n"
	"\n";

static const char find_static[] =
	"/* Where something is that has no name here: the program's table of symbols knows it. Of a variable that it does not know, the size makes another one, which nobody reads. */\n"
	"struct tandem_elf_section { unsigned name, type; unsigned long flags, address, offset, size; unsigned link, info; unsigned long align, row; };\n"
	"struct tandem_elf_symbol { unsigned name; unsigned char info, other; unsigned short section; unsigned long value, size; };\n"
	"extern int tandem_open(const char *, int, ...) __asm__(\"open\");\n"
	"extern long tandem_seek(int, long, int) __asm__(\"lseek\");\n"
	"extern void *tandem_map(void *, unsigned long, int, int, int, long) __asm__(\"mmap\");\n"
	"int main(void);\n"
	"\n"
	"static const char *tandem_last_part(const char *path)\n"
	"{\n"
	"\tconst char *slash = __builtin_strrchr(path, '/');\n"
	"\treturn slash ? slash + 1 : path;\n"
	"}\n"
	"\n"
	"/* As it is; or, of a function, as clang (function.name) or gcc (name.1) calls it. */\n"
	"static int tandem_is_called(const char *symbol, const char *name, const char *function)\n"
	"{\n"
	"\tunsigned long f = __builtin_strlen(function), n = __builtin_strlen(name);\n"
	"\tif (!f)\n"
	"\t\treturn __builtin_strcmp(symbol, name) == 0;\n"
	"\treturn (__builtin_strncmp(symbol, function, f) == 0 && symbol[f] == '.' && __builtin_strcmp(symbol + f + 1, name) == 0) || (__builtin_strncmp(symbol, name, n) == 0 && symbol[n] == '.');\n"
	"}\n"
	"\n"
	"static void *tandem_find_static(const char *source, const char *name, const char *function, unsigned long size)\n"
	"{\n"
	"\tint file = tandem_open(\"/proc/self/exe\", 0), is_there = 0, found = 0;\n"
	"\tconst char *elf = tandem_map(0, (unsigned long)tandem_seek(file, 0, 2), 1, 2, file, 0);\n"
	"\tconst struct tandem_elf_section *sections = (const void *)(elf + *(const unsigned long *)(elf + 40)), *table = sections;\n"
	"\tfor (int i = 0; i < *(const unsigned short *)(elf + 60); i++)\n"
	"\t\tif (sections[i].type == 2)\n"
	"\t\t\ttable = &sections[i];\n"
	"\tconst struct tandem_elf_symbol *symbols = (const void *)(elf + table->offset);\n"
	"\tunsigned long value = 0, base = 0;\n"
	"\tfor (unsigned long i = 0; i < table->size / sizeof *symbols; i++) {\n"
	"\t\tconst char *symbol = elf + sections[table->link].offset + symbols[i].name;\n"
	"\t\tint type = symbols[i].info & 15, is_local = symbols[i].info < 16;\n"
	"\t\tif (type == 4)\n"
	"\t\t\tis_there = __builtin_strcmp(tandem_last_part(symbol), tandem_last_part(source)) == 0;\n"
	"\t\telse if (!is_local && __builtin_strcmp(symbol, \"main\") == 0)\n"
	"\t\t\tbase = (unsigned long)main - symbols[i].value;\n"
	"\t\telse if (is_local && is_there && (type == 1 || type == 2) && tandem_is_called(symbol, name, function)) {\n"
	"\t\t\tvalue = symbols[i].value;\n"
	"\t\t\tfound++;\n"
	"\t\t}\n"
	"\t}\n"
	"\tif (found == 1)\n"
	"\t\treturn (void *)(base + value);\n"
	"\t__builtin_printf(\"%s in %s: there are %d of that name; this test may not be what it was\\n\", name, source, found);\n"
	"\treturn size ? __builtin_calloc(1, size) : 0;\n"
	"}\n"
	"\n";

static const char somewhere[] =
	"/* An address where nobody can look: the test says no more of a pointer than that it is not null. */\n"
	"extern void *tandem_map(void *, unsigned long, int, int, int, long) __asm__(\"mmap\");\n"
	"\n"
	"static void *tandem_somewhere(void)\n"
	"{\n"
	"\tstatic char *there;\n"
	"\tthere = there ? there : tandem_map(0, 1 << 20, 0, 0x22, -1, 0);\n"
	"\treturn there + (1 << 19);\n"
	"}\n"
	"\n";

static const char feed_stdin[] =
	"extern int tandem_memory(const char *, unsigned) __asm__(\"memfd_create\");\n"
	"extern long tandem_write(int, const void *, unsigned long) __asm__(\"write\");\n"
	"extern long tandem_seek(int, long, int) __asm__(\"lseek\");\n"
	"extern int tandem_duplicate(int, int) __asm__(\"dup2\");\n"
	"\n"
	"static void tandem_stdin(const char *bytes, unsigned long size)\n"
	"{\n"
	"\tint file = tandem_memory(\"stdin\", 0);\n"
	"\tif (tandem_write(file, bytes, size) != (long)size || tandem_seek(file, 0, 0) != 0 || tandem_duplicate(file, 0) != 0)\n"
	"\t\t__builtin_abort();\n"
	"}\n"
	"\n";

/* --- the call --- */

static bool put_given(struct driver *d, struct err *err)
{
	const struct plan *p = &d->u->plan;
	struct plan_value *values = arena_alloc(d->arena, (p->given + 1u) * sizeof *values);
	for (size_t i = 0; i < p->given && i < d->u->feed.marks_count; i++)
		values[i] = (struct plan_value){ .bytes = d->u->feed.marks[i].bytes, .size = d->u->feed.marks[i].size };
	struct ccode_names names = names_of(d);
	struct ccode code = { .plan = p, .count = p->given, .values = values, .names = &names, .indent = "\t" };
	return ccode_given(&code, d->arguments, &d->body, err);
}

static void put_words(struct driver *d)
{
	const struct testcase *t = &d->c->input;
	str_add(&d->body, "\tchar *words[] = { ");
	for (size_t i = 0; i < t->args_count; i++) {
		literal_text((const uint8_t *)t->args[i], strlen(t->args[i]), "\t", &d->body);
		str_add(&d->body, ", ");
	}
	str_add(&d->body, "0 };\n");
	if (t->files_count)
		str_add(&d->body, "\t/* It had files too, in its working directory: tandem export --format raw writes them. */\n");
}

static const char *print_of(const struct type *t, const char **cast)
{
	*cast = "";
	switch (t->kind) {
	case TYPE_SIGNED: case TYPE_UNSIGNED: case TYPE_CHAR: case TYPE_BOOL: case TYPE_ENUM:
		*cast = t->size > 8 ? "" : t->is_signed || t->kind == TYPE_SIGNED ? "(long long)" : "(unsigned long long)";
		return t->size > 8 ? NULL : t->is_signed || t->kind == TYPE_SIGNED ? "%lld" : "%llu";
	case TYPE_FLOAT: *cast = "(double)"; return t->is_complex ? NULL : "%g";
	case TYPE_POINTER: *cast = "(void *)"; return "%p";
	default: return NULL;
	}
}

static void put_call_of_main(struct driver *d)
{
	str_printf(&d->body, "\tint (*run)(int, char **, char **) = (void *)program_main;\n\tint returned = run(%zu, words, words + %zu);\n\t__builtin_printf(\"main returned %%d\\n\", returned);\n", d->c->input.args_count,
	           d->c->input.args_count);
}

static void put_call_of_function(struct driver *d)
{
	const struct type *f = d->u->plan.type;
	const char *name = d->f->name, *cast, *format = f->of ? print_of(f->of, &cast) : NULL;
	str_printf(&d->body, "\t%s%s(", f->of ? "__auto_type returned = " : "", name);
	for (size_t i = 0; i < f->members_count; i++)
		str_printf(&d->body, "%s%s", i ? ", " : "", d->arguments[i]);
	str_add(&d->body, ");\n");
	if (format)
		str_printf(&d->body, "\t__builtin_printf(\"%s returned %s\\n\", %sreturned);\n", name, format, cast);
	else
		str_printf(&d->body, "%s\t__builtin_printf(\"%s returned\\n\");\n", f->of ? "\t(void)returned;\n" : "", name);
}

static void put_stdin(struct driver *d)
{
	if (!d->c->input.size)
		return;
	str_add(&d->body, "\ttandem_stdin(");
	literal_text(d->c->input.bytes, d->c->input.size, "\t", &d->body);
	str_printf(&d->body, ", %zu);\n", d->c->input.size);
}

static bool put_body(struct driver *d, struct err *err)
{
	bool is_main = !d->u->plan.given;
	put_stdin(d);
	if (is_main)
		put_words(d);
	else
		name_arguments(d);
	if (!is_main && !put_given(d, err))
		return false;
	str_add_char(&d->body, '\n');
	put_stubs(d);
	if (is_main)
		put_call_of_main(d);
	else
		put_call_of_function(d);
	return true;
}

/* --- the head --- */

static bool is_new_source(struct driver *d, size_t block)
{
	const struct facts_module *m = &d->u->program.facts.modules[0];
	const char *path = whole_path(d, &m->blocks[block]);
	if (m->blocks[block].head->flags & TD_FACTS_HIDDEN || strcmp(path, whole_path(d, d->f->block)) == 0)
		return false;
	for (size_t i = 0; i < block; i++)
		if (!(m->blocks[i].head->flags & TD_FACTS_HIDDEN) && strcmp(path, whole_path(d, &m->blocks[i])) == 0)
			return false;
	return true;
}

/* How many there are that are not named. */
static size_t put_sources(struct driver *d, struct str *out)
{
	const struct facts_module *m = &d->u->program.facts.modules[0];
	size_t count = 0;
	for (size_t i = 0; i < m->blocks_count; i++)
		if (is_new_source(d, i) && ++count <= SOURCES_MAX) {
			str_add_char(out, ' ');
			cli_quote_shell(whole_path(d, &m->blocks[i]), out);
		}
	return count > SOURCES_MAX ? count - SOURCES_MAX : 0;
}

/* As a comment, which its text is not to end. */
static void put_comment(const char *text, struct str *out)
{
	str_add(out, "/* ");
	for (const char *c = text; *c; c++) {
		str_add_char(out, *c);
		if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*'))
			str_add_char(out, ' ');
		if (*c == '\n')
			str_add(out, c[1] == '\n' ? " *" : " * ");
	}
	str_add(out, " */\n");
}

static void put_head(struct driver *d, struct str *out)
{
	struct str input = {0}, sources = {0}, text = {0};
	unitcase_print(d->u, &input);
	size_t more = put_sources(d, &sources);
	const char *function = own_name(&d->u->program, d->u->function);
	if (d->u->plan.given)
		str_printf(&text, "A unit test: %s is called with\n\n    %.*s%s\n\n", d->c->unit, INPUT_MAX, str_text(&input), input.length > INPUT_MAX ? "..." : "");
	else
		str_printf(&text, "A unit test: %s is called as the program would be run, with the arguments below,\n\n", d->c->unit);
	if (d->c->bug)
		str_printf(&text, "which ends with: %s%s%s\n\n", d->c->bug, d->c->place ? ", " : "", d->c->place ? d->c->place : "");
	str_printf(&text, "Compile it with the program's other sources, the options that they need (-I, -D, -l), and without optimisation, so that nothing is inlined:\n\n"
	                  "    cc -g -O0 -fsanitize=address,undefined -Dmain=program_main %s.c%s -o driver%s\n    ASAN_OPTIONS=detect_leaks=0 ./driver < /dev/null\n    gdb -ex 'break %s' -ex run ./driver\n\n",
	           d->name, str_text(&sources), more ? arena_printf(d->arena, " # and %zu more sources", more) : "", function);
	str_printf(&text, "or with the program's objects in place of its sources; main here goes before theirs:\n\n    cc -g -O0 %s.c OBJECT.o... -Wl,-z,muldefs -o driver\n\n", d->name);
	str_add(&text, "The source that has the function is included below: it is not compiled once more. Functions that the test did not get to are as they are. Nothing contains the test as Tandem does: what the function does to files is done.");
	put_comment(str_text(&text), out);
	str_free(&input);
	str_free(&sources);
	str_free(&text);
}

static bool check_path(const char *path, struct err *err)
{
	return !strpbrk(path, "\"\n") || err_set(err, "no file of C can include %.200s", path);
}

static void put_all(struct driver *d, struct str *out)
{
	put_head(d, out);
	str_printf(out, "#undef main\n#define main program_main\n#include \"%s\"\n#undef main\n\n", whole_path(d, d->f->block));
	bool finds = d->finds.length || strstr(str_text(&d->body), "tandem_find_static(") || strstr(str_text(&d->stubs), "tandem_find_static(");
	if (finds)
		str_add(out, find_static);
	if (d->needs_somewhere)
		str_add(out, somewhere);
	if (d->c->input.size)
		str_add(out, feed_stdin);
	if (strstr(str_text(&d->body), "\ttandem_divert("))
		str_add(out, divert);
	if (d->externs.length)
		str_printf(out, "%s\n", str_text(&d->externs));
	str_printf(out, "%sint main(void)\n{\n%s%s\treturn 0;\n}\n", str_text(&d->stubs), str_text(&d->finds), str_text(&d->body));
}

bool driverfile_print(struct unitcase *u, const struct unitrun *run, const struct casefile *c, const char *name, struct str *out, struct err *err)
{
	struct driver d = { .u = u, .run = run, .c = c, .name = name, .f = &u->program.functions[u->function], .arena = arena_new() };
	d.source = d.f->source;
	d.functions = arena_alloc(d.arena, (u->program.count + 1u) * sizeof *d.functions);
	find_calls(&d);
	bool ok = check_path(whole_path(&d, d.f->block), err) && put_body(&d, err);
	if (ok)
		put_all(&d, out);
	vec_free(&d.names);
	str_free(&d.finds);
	str_free(&d.externs);
	str_free(&d.stubs);
	str_free(&d.body);
	vec_free(&d.calls);
	arena_free(d.arena);
	return ok;
}
