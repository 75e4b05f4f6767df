/* The small parts of the compiler: the pointer map, the tables of library functions and intrinsics, names of files. The tables of
 * effect.c are static and searched by halves, so the file is included here. */
#include "compile_ir.h"

#include "compile/effect.c"
#include "compile/intrinsic.h"
#include "compile/path.h"
#include "compile/ptrmap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* --- ptrmap --- */

enum { KEYS = 20000 };

static void test_ptrmap(void **state)
{
	(void)state;
	static char keys[KEYS]; /* sixteen each have the same hash */
	struct ptrmap map = {0};
	assert_null(ptrmap_get(&map, keys));
	ptrmap_clear(&map);
	for (size_t i = 0; i < KEYS; i++)
		ptrmap_set(&map, &keys[i], (void *)(i + 1));
	assert_int_equal(map.used, KEYS);
	assert_true(map.capacity >= 2 * KEYS);
	for (size_t i = 0; i < KEYS; i++)
		assert_ptr_equal(ptrmap_get(&map, &keys[i]), (void *)(i + 1));
	assert_null(ptrmap_get(&map, &map));
	ptrmap_set(&map, &keys[7], &map);
	assert_ptr_equal(ptrmap_get(&map, &keys[7]), &map);
	assert_int_equal(map.used, KEYS);
	ptrmap_set(&map, &keys[8], NULL);
	assert_null(ptrmap_get(&map, &keys[8]));
	ptrmap_clear(&map);
	assert_int_equal(map.used, 0);
	assert_null(ptrmap_get(&map, &keys[9]));
	ptrmap_set(&map, &keys[9], &keys[1]);
	assert_ptr_equal(ptrmap_get(&map, &keys[9]), &keys[1]);
	ptrmap_free(&map);
	assert_true(!map.keys && !map.values && !map.capacity);
	assert_null(ptrmap_get(&map, &keys[9]));
}

/* --- effect --- */

static void test_effects(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		if (i && strcmp(table[i - 1].name, table[i].name) >= 0)
			fail_msg("%s is not behind %s", table[i].name, table[i - 1].name);
		assert_ptr_equal(effect_of(table[i].name), &table[i]);
		assert_true(table[i].letters[0] && strspn(table[i].letters, "-rzswauf") == strlen(table[i].letters));
	}
	assert_null(effect_of(""));
	assert_null(effect_of("a"));
	assert_null(effect_of("mallocx"));
	assert_null(effect_of("mallo"));
	assert_null(effect_of("zzz"));
}

static void test_unseen(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof unseen_table / sizeof unseen_table[0]; i++) {
		if (i && strcmp(unseen_table[i - 1].name, unseen_table[i].name) >= 0)
			fail_msg("%s is not behind %s", unseen_table[i].name, unseen_table[i - 1].name);
		assert_ptr_equal(effect_unseen(unseen_table[i].name), &unseen_table[i]);
		bool only_says_where = strcmp(unseen_table[i].name, "mmap") == 0;
		assert_int_equal(effect_has_model(unseen_table[i].name), only_says_where); /* with a model it would be seen, but for a mapping's contents */
	}
	assert_int_equal(effect_unseen("fgetws")->argument, 2);
	assert_null(effect_unseen("printf"));
}

static void test_models(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
		if (i && strcmp(models[i - 1].name, models[i].name) >= 0)
			fail_msg("%s is not behind %s", models[i].name, models[i - 1].name);
		assert_true(effect_has_model(models[i].name));
	}
	assert_true(effect_has_model("strlen"));
	assert_false(effect_has_model("strlenx") || effect_has_model("") || effect_has_model("main"));
}

static void test_letters(void **state)
{
	(void)state;
	struct effect e = {"f", "-rw", 0};
	assert_int_equal(effect_letter(&e, 0), '-');
	assert_int_equal(effect_letter(&e, 1), 'r');
	assert_int_equal(effect_letter(&e, 2), 'w');
	assert_int_equal(effect_letter(&e, 9), 'w'); /* the last one repeats */
	assert_int_equal(effect_letter(effect_of("posix_memalign"), 2), 'a');
}

/* --- intrinsics --- */

static const char intrinsics[] =
	"declare i32 @llvm.abs.i32(i32, i1)\n"
	"declare {i32, i1} @llvm.sadd.with.overflow.i32(i32, i32)\n"
	"declare i32 @llvm.sadd.sat.i32(i32, i32)\n"
	"declare double @llvm.round.f64(double)\n"
	"declare double @llvm.roundeven.f64(double)\n"
	"declare double @llvm.sin.f64(double)\n"
	"declare double @llvm.maximum.f64(double, double)\n"
	"declare double @llvm.maxnum.f64(double, double)\n"
	"declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
	"declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
	"declare void @llvm.trap()\n"
	"declare i64 @llvm.expect.i64(i64, i64)\n"
	"declare void @llvm.va_start.p0(ptr)\n"
	"declare i32 @llvm.eh.typeid.for.p0(ptr)\n"
	"declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)\n"
	"declare i32 @llvmabs(i32)\n"
	"declare i32 @abs(i32)\n"
	"define void @f(i32 %i, double %d, ptr %p) {\n"
	" %1 = call i32 @llvm.abs.i32(i32 %i, i1 false)\n"
	" %2 = call {i32, i1} @llvm.sadd.with.overflow.i32(i32 %i, i32 1)\n"
	" %3 = call i32 @llvm.sadd.sat.i32(i32 %i, i32 1)\n"
	" %4 = call double @llvm.round.f64(double %d)\n"
	" %5 = call double @llvm.roundeven.f64(double %d)\n"
	" %6 = call double @llvm.sin.f64(double %d)\n"
	" %7 = call double @llvm.maximum.f64(double %d, double %d)\n"
	" %8 = call double @llvm.maxnum.f64(double %d, double %d)\n"
	" call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 1, i1 false)\n"
	" call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 1, i1 false)\n"
	" call void @llvm.trap()\n"
	" %9 = call i64 @llvm.expect.i64(i64 1, i64 1)\n"
	" call void @llvm.va_start.p0(ptr %p)\n"
	" %10 = call i32 @llvm.eh.typeid.for.p0(ptr null)\n"
	" %11 = call double @llvm.experimental.constrained.fadd.f64(double %d, double %d, metadata !\"round.dynamic\", metadata !\"fpexcept.strict\") strictfp\n"
	" %12 = call i32 @llvmabs(i32 %i)\n"
	" %13 = call i32 @abs(i32 %i)\n"
	" %14 = call i32 %p(i32 %i)\n"
	" call void asm \"\", \"\"()\n"
	" ret void\n}\n";

static const struct {
	enum intrinsic_kind kind;
	enum td_op op;
	unsigned arity, immediate;
} wanted[] = {
	{ INTRINSIC_TERM, TD_ABS, 1, 0 }, { INTRINSIC_OVERFLOW, TD_ADD, 2, TD_SADDO }, { INTRINSIC_TERM, TD_SADDSAT, 2, 0 },
	{ INTRINSIC_TERM, TD_FROUND, 1, TD_ROUND_ROUND }, { INTRINSIC_TERM, TD_FROUND, 1, TD_ROUND_EVEN },
	{ INTRINSIC_UNKNOWN, TD_OP_NONE, 0, 0 }, { INTRINSIC_UNKNOWN, TD_OP_NONE, 0, 0 }, { INTRINSIC_TERM, TD_FMAX, 2, 0 },
	{ INTRINSIC_COPY, TD_OP_NONE, 0, 0 }, { INTRINSIC_FILL, TD_OP_NONE, 0, 0 }, { INTRINSIC_QUIET, TD_OP_NONE, 0, 0 },
	{ INTRINSIC_SAME, TD_OP_NONE, 1, 0 }, { INTRINSIC_VA_START, TD_OP_NONE, 0, 0 }, { INTRINSIC_QUIET, TD_OP_NONE, 0, 0 },
	{ INTRINSIC_UNKNOWN, TD_OP_NONE, 0, 0 }, { INTRINSIC_NOT, TD_OP_NONE, 0, 0 }, { INTRINSIC_NOT, TD_OP_NONE, 0, 0 },
	{ INTRINSIC_NOT, TD_OP_NONE, 0, 0 }, { INTRINSIC_NOT, TD_OP_NONE, 0, 0 },
};

static void test_intrinsics(void **state)
{
	(void)state;
	struct ir ir = ir_parse(intrinsics);
	size_t n = 0;
	for (Value i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(ir_function(&ir, "f"))); LLVMIsACallInst(i); i = LLVMGetNextInstruction(i)) {
		const struct intrinsic *is = intrinsic_of(i);
		if (is->kind != wanted[n].kind || is->op != wanted[n].op || is->arity != wanted[n].arity || is->immediate != wanted[n].immediate)
			fail_msg("call %zu: kind %d, operator %d, arity %u, immediate %u", n, (int)is->kind, (int)is->op, is->arity, is->immediate);
		n++;
	}
	assert_int_equal(n, sizeof wanted / sizeof wanted[0]);
	ir_free(&ir);
}

/* --- path --- */

static void joins(const char *directory, const char *name, const char *result)
{
	char *path = path_join(directory, name);
	assert_string_equal(path, result);
	free(path);
}

static void from(const char *root, const char *path, const char *result)
{
	char *seen = path_from(root, path);
	assert_string_equal(seen, result);
	free(seen);
}

static void test_path_join(void **state)
{
	(void)state;
	joins("/a/b", "c.c", "/a/b/c.c");
	joins("/a/b", "../c.c", "/a/c.c");
	joins("/a/b", "./x//../../../../c.c", "/c.c");
	joins("/a/b/", "/x/./y.c", "/x/y.c");
	joins("", "../a/../../c.c", "../../c.c");
	joins(".", "src/../c.c", "c.c");
	joins("a", "..", ".");
	joins("/", "..", "/");
	joins("/a", "..b/...", "/a/..b/...");
	joins("", "", ".");
}

static void test_path_from(void **state)
{
	(void)state;
	from("/a/b", "/a/b/c/d.c", "c/d.c");
	from("/a/b", "/a/c.c", "../c.c");
	from("/a/b/c", "/a/x/y.c", "../../x/y.c");
	from("/a/b", "/a/bc/y.c", "../bc/y.c");
	from("/a/bc", "/a/b/y.c", "../b/y.c");
	from("/a/b", "/usr/include/x.h", "/usr/include/x.h");
	from("/a", "src/x.c", "src/x.c");
	from("mapped", "/a/x.c", "/a/x.c");
	from("/a/b", "/a/b", "/a/b");
	from("/", "/a/b.c", "/a/b.c");
}

/* The nearest directory under version control; else the outermost that is configured; else what is given. */
static void test_path_root(void **state)
{
	(void)state;
	static const struct { const char *make, *root; } steps[] = {
		{ "/p", "" }, { "/p/q", "" }, { "/p/q/r", "" }, { "/p/q/configure", "/p/q" }, { "/p/meson.build", "/p" },
		{ "/.git", "/" }, { "/p/q/.hg", "/p/q" },
	};
	enum { STEPS = sizeof steps / sizeof steps[0] };
	char top[] = "/tmp/tandem-test-XXXXXX", *made[STEPS];
	assert_non_null(mkdtemp(top));
	char *file = memory_printf("%s/p/q/r/x.c", top);
	for (size_t i = 0; i < STEPS; i++) {
		made[i] = memory_printf("%s%s", top, steps[i].make);
		assert_int_equal(mkdir(made[i], 0700), 0);
		char *found = path_root(file, "/otherwise"), *expected = memory_printf("%s%s", top, strcmp(steps[i].root, "/") ? steps[i].root : "");
		assert_string_equal(found, steps[i].root[0] ? expected : "/otherwise");
		free(found);
		free(expected);
	}
	for (size_t i = STEPS; i-- > 0; free(made[i]))
		assert_int_equal(rmdir(made[i]), 0);
	assert_int_equal(rmdir(top), 0);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ptrmap), cmocka_unit_test(test_effects), cmocka_unit_test(test_unseen), cmocka_unit_test(test_models),
		cmocka_unit_test(test_letters), cmocka_unit_test(test_intrinsics), cmocka_unit_test(test_path_join),
		cmocka_unit_test(test_path_from), cmocka_unit_test(test_path_root),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
