/* Which variables are padded, how, and what their rows say; from IR as clang writes it. */
#include "compile_ir.h"

#include "compile/global.h"
#include "contract/facts.h"
#include "contract/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define HEAD "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n" \
	"target triple = \"x86_64-pc-linux-gnu\"\n"
#define PIC "!llvm.module.flags = !{!0}\n!0 = !{i32 8, !\"PIC Level\", i32 2}\n"

static struct ir ir;
static struct unit unit;

static void pad(const char *text)
{
	ir = ir_parse(text);
	unit = (struct unit){0};
	unit_setup(&unit, ir.context, ir.module);
	global_pad(&unit);
}

static Value variable(const char *name)
{
	Value g = LLVMGetNamedGlobal(ir.module, name);
	assert_non_null(g);
	return g;
}

static uint64_t whole_size(const char *name)
{
	return LLVMABISizeOfType(unit.layout, LLVMGlobalGetValueType(variable(name)));
}

static void is_padded(const char *name, uint64_t size, unsigned align)
{
	assert_int_equal(global_size(&unit, variable(name)), size);
	assert_int_equal(LLVMGetAlignment(variable(name)), align);
	assert_true(whole_size(name) > size && whole_size(name) % TD_GRANULE == 0);
}

static void is_untouched(const char *name, uint64_t size)
{
	assert_int_equal(global_size(&unit, variable(name)), size);
	assert_int_equal(whole_size(name), size);
}

static void test_sizes(void **state)
{
	(void)state;
	pad(HEAD "@one = global i8 1, align 1\n@fifteen = global [15 x i8] zeroinitializer, align 1\n@sixteen = global [16 x i8] zeroinitializer, align 16\n"
	         "@many = constant [100 x i32] zeroinitializer, align 16\n@wide = global [3 x i8] zeroinitializer, align 64\n@unsaid = global i32 0\n"
	         "@flexible = global <{ i64, [11 x i8] }> <{ i64 1, [11 x i8] zeroinitializer }>, align 8\n@vector = global <8 x float> zeroinitializer, align 32\n");
	is_padded("one", 1, 16);
	is_padded("fifteen", 15, 16);
	is_padded("sixteen", 16, 16);
	is_padded("many", 400, 16);
	is_padded("wide", 3, 64);
	is_padded("unsaid", 4, 16);
	is_padded("flexible", 19, 16);
	is_padded("vector", 32, 32);
	assert_int_equal(whole_size("fifteen"), 16);
	assert_int_equal(whole_size("sixteen"), 32);
	ir_free(&ir);
}

static void test_left_alone(void **state)
{
	(void)state;
	pad(HEAD "$group = comdat any\n@declared = external global i32\n@weak = weak global i32 1\n@once = linkonce_odr global i32 1\n@common = common global i32 0\n"
	         "@available = available_externally global i32 1\n@placed = global i32 1, section \"set\"\n@thread = thread_local(initialexec) global i32 1\n"
	         "@group = global i32 1, comdat\n@mark = global [0 x i8] zeroinitializer\n@segment = addrspace(256) global i32 1\n"
	         "@td.own = global i32 1\n@__td_own = global i32 1\n@llvm.used = appending global [1 x ptr] [ptr @weak], section \"llvm.metadata\"\n");
	static const char *const names[] = {"declared", "weak", "once", "common", "available", "placed", "thread", "group", "segment", "td.own", "__td_own"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		is_untouched(names[i], 4);
	is_untouched("mark", 0);
	is_untouched("llvm.used", 8);
	ir_free(&ir);
}

/* #pragma clang section */
static void test_attributes(void **state)
{
	(void)state;
	pad(HEAD "@a = global i32 1 #0\n@b = global i32 1\ndefine void @f() #1 {\n ret void\n}\nattributes #0 = { \"data-section\"=\"set\" }\nattributes #1 = { nounwind }\n");
	is_untouched("a", 4);
	is_untouched("b", 4);
	assert_null(LLVMGetNamedFunction(ir.module, "td.probe"));
	ir_free(&ir);
	pad(HEAD "@a = global i32 1\ndefine void @f() #1 {\n ret void\n}\ndefine void @g() #0 {\n ret void\n}\nattributes #0 = { noinline }\nattributes #1 = { nounwind }\n");
	is_padded("a", 4, 16);
	ir_free(&ir);
}

/* A pointer more or less in such a table is a new table: what it points to stays as it is, the table does not. */
static void test_giant(void **state)
{
	(void)state;
	enum { COUNT = 9000, ROOM = COUNT * 32 };
	char *text = malloc(ROOM), *end = text;
	end += sprintf(end, "%s@in_table = constant i32 1\n@beside = constant i32 1\n@table = global [%d x { ptr }] [", HEAD, COUNT);
	for (int i = 0; i < COUNT; i++)
		end += sprintf(end, "%s{ ptr } { ptr %s }", i ? ", " : "", i ? "null" : "@in_table");
	sprintf(end, "]\n");
	pad(text);
	is_untouched("in_table", 4);
	is_padded("beside", 4, 16);
	is_padded("table", COUNT * 8, 16);
	free(text);
	ir_free(&ir);
}

/* All that clang said about a variable is said about the padded one, and those who mention it mention that. */
static void test_kept(void **state)
{
	(void)state;
	pad(HEAD "@hidden = hidden constant i32 7, align 4, !note !0\n@.str = private unnamed_addr constant [4 x i8] c\"abc\\00\"\n@self = internal global { ptr, ptr } { ptr @self, ptr @.str }\n"
	         "@alias = alias i32, ptr @hidden\ndefine ptr @f() {\n ret ptr @self\n}\n!0 = !{i32 1}\n");
	Value hidden = variable("hidden"), self = variable("self"), literal = variable(".str");
	assert_int_equal(LLVMGetVisibility(hidden), LLVMHiddenVisibility);
	assert_true(LLVMIsGlobalConstant(hidden) && LLVMIsGlobalConstant(literal) && !LLVMIsGlobalConstant(self));
	assert_int_equal(LLVMGetLinkage(self), LLVMInternalLinkage);
	assert_int_equal(LLVMGetLinkage(literal), LLVMPrivateLinkage);
	assert_int_equal(LLVMGetUnnamedAddress(literal), LLVMNoUnnamedAddr);
	assert_ptr_equal(LLVMAliasGetAliasee(LLVMGetNamedGlobalAlias(ir.module, "alias", 5)), hidden);
	Value initial = LLVMGetOperand(LLVMGetInitializer(self), 0);
	assert_true(LLVMGetOperand(initial, 0) == self && LLVMGetOperand(initial, 1) == literal);
	size_t count;
	LLVMDisposeValueMetadataEntries(LLVMGlobalCopyAllMetadata(hidden, &count));
	assert_int_equal(count, 1);
	ir_free(&ir);
}

/* ---- rows ---- */

static Value row(size_t i)
{
	return LLVMGetAggregateElement(LLVMGetInitializer(variable("td.globals")), (unsigned)i);
}

static uint64_t field(size_t i, unsigned k)
{
	return LLVMConstIntGetZExtValue(LLVMGetAggregateElement(row(i), k));
}

static void row_says(size_t i, const char *name, uint64_t size, unsigned flags)
{
	assert_ptr_equal(LLVMGetAggregateElement(row(i), 0), variable(name));
	assert_int_equal(field(i, 1), size);
	assert_int_equal(field(i, 4), flags);
}

static void test_rows(void **state)
{
	(void)state;
	pad(HEAD "@zero = global i32 0\n@set = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n@fixed = constant i32 7\n@.str = private unnamed_addr constant [4 x i8] c\"abc\\00\"\n"
	         "@weak = weak global i32 1\n@odr = weak_odr global i32 1\n@thread = thread_local global i32 1\n@placed = global i32 1, section \"set\"\n");
	global_write_table(&unit);
	assert_int_equal(LLVMGetArrayLength2(LLVMGlobalGetValueType(variable("td.globals"))), 5);
	assert_string_equal(LLVMGetSection(variable("td.globals")), TD_GLOBAL_SECTION);
	row_says(0, "odr", 4, TD_GLOBAL_INITIALISED); /* the test mode wants it, though its bounds are not known */
	row_says(1, "zero", 4, TD_GLOBAL_OBJECT);
	row_says(2, "set", 16, TD_GLOBAL_OBJECT | TD_GLOBAL_INITIALISED);
	row_says(3, "fixed", 4, TD_GLOBAL_OBJECT | TD_GLOBAL_CONSTANT);
	row_says(4, ".str", 4, TD_GLOBAL_OBJECT | TD_GLOBAL_CONSTANT);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(field(i, 2), 0); /* no PIC: nobody comes before us */
	size_t length;
	const char *names = LLVMGetAsString(LLVMGetInitializer(variable("td.names")), &length);
	static const char wanted[] = "string literal\0odr\0zero\0set\0fixed";
	assert_true(length == sizeof wanted && memcmp(names, wanted, sizeof wanted) == 0);
	ir_free(&ir);
}

/* Lines are those of the declarations. */
static void test_lines(void **state)
{
	(void)state;
	pad(HEAD "@x = global i32 0, !dbg !0\n@y = global i32 0\n!llvm.dbg.cu = !{!2}\n!llvm.module.flags = !{!6}\n"
	         "!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())\n"
	         "!1 = distinct !DIGlobalVariable(name: \"x\", scope: !2, file: !3, line: 12, type: !5, isLocal: false, isDefinition: true)\n"
	         "!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, emissionKind: FullDebug, globals: !4)\n"
	         "!3 = !DIFile(filename: \"x.c\", directory: \"/\")\n!4 = !{!0}\n!5 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n"
	         "!6 = !{i32 2, !\"Debug Info Version\", i32 3}\n");
	global_write_table(&unit);
	assert_int_equal(field(0, 5), 12);
	assert_int_equal(field(1, 5), 0);
	ir_free(&ir);
}

/* In a shared library another module's variable may come before what is visible. */
static void test_own(void **state)
{
	(void)state;
	pad(HEAD "@seen = global i32 1\n@unseen = hidden global i32 1\n@local = internal global i32 1\n" PIC);
	global_write_table(&unit);
	assert_true(LLVMIsAConstantExpr(LLVMGetAggregateElement(row(0), 2)));
	assert_int_equal(field(1, 2), 0);
	assert_int_equal(field(2, 2), 0);
	ir_free(&ir);
}

static void test_empty(void **state)
{
	(void)state;
	pad(HEAD "@declared = external global i32\n");
	global_write_table(&unit);
	assert_null(LLVMGetNamedGlobal(ir.module, "td.globals"));
	ir_free(&ir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes), cmocka_unit_test(test_left_alone), cmocka_unit_test(test_kept),
		cmocka_unit_test(test_giant), cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_rows), cmocka_unit_test(test_lines), cmocka_unit_test(test_own), cmocka_unit_test(test_empty),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
