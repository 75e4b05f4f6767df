/* Types of a program that tandem-cc built (programs/plan.c): all kinds that C has, functions, variables, and when two types are the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trace/types.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define UNIT "tests/unit/programs/plan.c"

static struct types *types;

static const struct type *function(const char *name)
{
	const struct type *t = types_function(types, name, UNIT);
	if (!t)
		fail_msg("nothing is known of %s", name);
	assert_int_equal(t->kind, TYPE_FUNCTION);
	return t;
}

static const struct type *parameter(const char *name, size_t i)
{
	const struct type *t = function(name);
	assert_true(i < t->members_count);
	return t->members[i].type;
}

/* What the parameter points to. */
static const struct type *behind(const char *name, size_t i)
{
	const struct type *t = parameter(name, i);
	assert_int_equal(t->kind, TYPE_POINTER);
	assert_int_equal(t->size, 8);
	return t->of;
}

static const struct type_variable *variable(const char *name)
{
	size_t count;
	const struct type_variable *all = types_variables(types, &count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(all[i].name, name) == 0 && strstr(all[i].file, "plan.c"))
			return &all[i];
	fail_msg("no variable %s", name);
	return NULL;
}

static void is_a(const struct type *t, enum type_kind kind, uint64_t size, bool is_signed, const char *name)
{
	assert_int_equal(t->kind, kind);
	assert_int_equal(t->size, size);
	if (kind != TYPE_FLOAT)
		assert_int_equal(t->is_signed, is_signed);
	if (name)
		assert_string_equal(t->name, name);
}

static void numbers(void **state)
{
	(void)state;
	is_a(parameter("integers", 0), TYPE_CHAR, 1, true, "char");
	is_a(parameter("integers", 1), TYPE_CHAR, 1, true, "signed char");
	is_a(parameter("integers", 2), TYPE_CHAR, 1, false, "unsigned char");
	is_a(parameter("integers", 3), TYPE_SIGNED, 2, true, "short");
	is_a(parameter("integers", 4), TYPE_UNSIGNED, 4, false, "unsigned int");
	is_a(parameter("integers", 5), TYPE_SIGNED, 8, true, "long");
	is_a(parameter("integers", 6), TYPE_UNSIGNED, 8, false, NULL);
	is_a(parameter("integers", 7), TYPE_BOOL, 1, false, "_Bool");
	is_a(parameter("integers", 8), TYPE_UNSIGNED, 8, false, "size_t");
	is_a(parameter("floats", 0), TYPE_FLOAT, 4, false, "float");
	is_a(parameter("floats", 1), TYPE_FLOAT, 8, false, "double");
	is_a(parameter("floats", 2), TYPE_FLOAT, 16, false, "long double");
	is_a(parameter("floats", 3), TYPE_FLOAT, 16, false, NULL);
	assert_true(parameter("floats", 3)->is_complex);
	assert_false(parameter("floats", 2)->is_complex);
}

static void enums(void **state)
{
	(void)state;
	const struct type *color = parameter("enums", 0), *plain = parameter("enums", 1);
	is_a(color, TYPE_ENUM, 4, true, NULL);
	is_a(plain, TYPE_ENUM, 4, false, NULL);
	assert_int_equal(color->constants_count, 3);
	assert_string_equal(color->constants[1].name, "GREEN");
	assert_int_equal(color->constants[1].value, -5);
	assert_int_equal(color->constants[2].value, 7);
}

static void structs(void **state)
{
	(void)state;
	const struct type *node = behind("sum", 0);
	is_a(node, TYPE_STRUCT, 24, false, "struct node");
	assert_int_equal(node->members_count, 3);
	assert_string_equal(node->members[1].name, "next");
	assert_int_equal(node->members[1].offset, 8);
	assert_ptr_equal(node->members[1].type->of, node); /* recursive, and the same pointer */
	assert_true(node->members[2].type->of->is_const);
	assert_false(node->members[0].type->is_const);
	const struct type *odd = behind("crooked", 0);
	is_a(odd, TYPE_STRUCT, 11, false, "struct odd");
	assert_int_equal(odd->members[1].offset, 1);
	const struct type *nameless = behind("nameless", 0), *inner = nameless->members[1].type;
	assert_string_equal(nameless->members[1].name, "");
	is_a(inner, TYPE_STRUCT, 8, false, NULL);
	is_a(inner->members[1].type, TYPE_UNION, 4, false, NULL);
	assert_string_equal(inner->members[0].name, "q");
	is_a(parameter("unions", 0), TYPE_UNION, 8, false, "union either");
	is_a(behind("large", 0), TYPE_STRUCT, 12 * 24 + 8, false, "struct table");
	is_a(behind("bitty", 2), TYPE_UNKNOWN, 0, false, NULL);
}

static void bit_fields(void **state)
{
	(void)state;
	static const struct { uint64_t at, bits; bool is_signed; } wanted[] = { { 0, 3, false }, { 3, 5, true }, { 8, 33, false }, { 41, 4, true } };
	const struct type *bits = behind("bitty", 0);
	assert_int_equal(bits->members_count, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct type_member *m = &bits->members[i];
		assert_int_equal(m->offset * 8 + m->bit, wanted[i].at);
		assert_int_equal(m->bits, wanted[i].bits);
		assert_int_equal(m->type->is_signed, wanted[i].is_signed);
	}
	assert_int_equal(behind("sum", 0)->members[0].bits, 0);
}

static void arrays(void **state)
{
	(void)state;
	const struct type *rows = behind("arrays", 1), *flex = behind("bitty", 1), *table = variable("table")->type;
	is_a(rows, TYPE_ARRAY, 16, false, NULL);
	assert_int_equal(rows->count, 4);
	assert_true(flex->is_const);
	is_a(flex, TYPE_STRUCT, 4, false, "struct flex");
	is_a(flex->members[1].type, TYPE_ARRAY, 0, false, NULL);
	assert_int_equal(flex->members[1].type->count, 0);
	is_a(table, TYPE_ARRAY, 48, false, NULL);
	assert_int_equal(table->count, 3);
	assert_int_equal(table->of->count, 4);
}

static void functions(void **state)
{
	(void)state;
	const struct type *variadic = function("variadic"), *calls = behind("calls", 0), *other = behind("calls", 2);
	assert_true(variadic->is_variadic);
	assert_int_equal(variadic->members_count, 1);
	assert_false(function("sum")->is_variadic);
	assert_int_equal(calls->kind, TYPE_FUNCTION);
	assert_int_equal(calls->members_count, 2);
	assert_true(types_same(calls, function("add")));
	assert_true(types_same(calls, behind("calls", 1)));
	assert_false(types_same(other, function("add")));
	assert_true(types_same(other, function("other")));
	assert_null(function("silent")->of);
	is_a(function("result")->of, TYPE_STRUCT, 48, false, "struct big");
	is_a(function("nothing")->of, TYPE_SIGNED, 4, true, "int");
	assert_int_equal(function("nothing")->members_count, 0);
	assert_null(types_function(types, "nobody", UNIT));
	assert_null(types_function(types, "sum", "elsewhere.c"));
	assert_non_null(types_function(types, "sum", NULL));
}

static void same_types(void **state)
{
	(void)state;
	assert_true(types_same(variable("nodes")->type->of, behind("sum", 0))); /* a typedef of it */
	assert_true(types_same(variable("limit")->type, variable("exported")->type)); /* const does not count */
	assert_false(types_same(variable("limit")->type, parameter("integers", 4)));
	assert_false(types_same(behind("sum", 0), parameter("sum", 0)));
	assert_false(types_same(parameter("by_value", 0), parameter("by_value", 1)));
}

static void variables(void **state)
{
	(void)state;
	assert_true(variable("limit")->type->is_const);
	assert_false(variable("exported")->type->is_const);
	assert_true(variable("exported")->is_external);
	assert_false(variable("count")->is_external);
	assert_null(variable("count")->function);
	assert_string_equal(variable("inner")->function, "result");
	assert_string_equal(variable("calls")->function, "by_value");
	size_t count;
	const struct type_variable *all = types_variables(types, &count);
	for (size_t i = 0; i < count; i++) {
		assert_true(!i || all[i - 1].address <= all[i].address);
		const struct type_variable *same = types_variable(types, all[i].address);
		assert_true(same && same->address == all[i].address);
	}
	assert_null(types_variable(types, 1));
	assert_null(types_variable(types, variable("nodes")->address + 1));
}

static void sources(void **state)
{
	(void)state;
	assert_true(types_same_source("a/b.c", "a/b.c"));
	assert_true(types_same_source("/x/a/b.c", "a/b.c"));
	assert_true(types_same_source("b.c", "./b.c"));
	assert_true(types_same_source("../a/b.c", "/y/a/b.c"));
	assert_false(types_same_source("a/b.c", "c/b.c"));
	assert_false(types_same_source("ab.c", "b.c"));
	assert_false(types_same_source("a/b.c", "a/b.h"));
}

static void without(void **state)
{
	(void)state;
	struct err err = {0};
	assert_null(types_open("/nowhere", &err));
	assert_true(*err.text);
	err = (struct err){0};
	assert_null(types_open(__FILE__, &err));
	assert_true(*err.text);
}

static int open_types(void **state)
{
	struct err err = {0};
	(void)state;
	types = types_open(PROGRAM, &err);
	return types ? 0 : -1;
}

static int close_types(void **state)
{
	(void)state;
	types_close(types);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers), cmocka_unit_test(enums), cmocka_unit_test(structs), cmocka_unit_test(bit_fields), cmocka_unit_test(arrays), cmocka_unit_test(functions), cmocka_unit_test(same_types),
		cmocka_unit_test(variables), cmocka_unit_test(sources), cmocka_unit_test(without),
	};
	return cmocka_run_group_tests(tests, open_types, close_types);
}
