/* Z3's translation of every operator against the evaluator: with the inputs pinned to random values, a term must be
 * able to have its value and no other. And the pipeline around it: slices, losses, lengths, floating point. */
#include "solve_common.h"

#include "base/fs.h"
#include "solve/slice.h"

#include <glob.h>
#include <unistd.h>
#include <z3.h>

static struct answer ask(const struct query *q, struct arena *arena)
{
	struct solver_options o = only("z3");
	struct solver *s = solver_new(&o);
	struct answer a = ask_solver(s, q, arena);
	solver_free(s);
	return a;
}

/* Of a term and a constant, either way round. */
static uint32_t build_with_constant(struct build *b, struct rng *r, unsigned op, unsigned bits)
{
	static const int64_t corners[] = { 0, 1, 2, 3, 10, -1, -2, -10, INT8_MIN, INT8_MAX, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX };
	uint64_t k = (uint64_t)corners[rng_below(r, sizeof corners / sizeof *corners)];
	uint32_t x = operand(b, 0, bits), y = build_const(b, bits, (uint64_t)value_trim(k, bits));
	return rng_below(r, 2) ? build_node(b, op, 1, x, y, 0) : build_node(b, op, 1, y, x, 0);
}

static void check_operator(struct arena *arena, struct rng *r, unsigned op, unsigned bits, bool with_constant)
{
	char text[INPUT_SIZE + 1];
	struct conjunct parts[INPUT_SIZE + 1];
	random_text(r, text);
	struct build b = build_new(text);
	uint32_t id = with_constant ? build_with_constant(&b, r, op, bits) : build_op(&b, op, bits);
	for (uint32_t i = 0; i < INPUT_SIZE; i++) {
		uint32_t byte = build_byte(&b, i);
		parts[i] = (struct conjunct){ byte, CONJUNCT_PATH, false, (uint8_t)text[i] };
	}
	struct terms t = build_terms(&b);
	parts[INPUT_SIZE] = (struct conjunct){ id, CONJUNCT_GOAL, true, terms_value(&t, id) };
	struct query q = query_of(&b, parts, INPUT_SIZE + 1);
	if (ask(&q, arena).verdict != VERDICT_UNSAT)
		fail_msg("%s of %u bits: Z3 knows another value than the evaluator", op_get(op)->name, bits);
	parts[INPUT_SIZE].differs = false;
	if (ask(&q, arena).verdict != VERDICT_SAT)
		fail_msg("%s of %u bits: Z3 does not know the evaluator's value", op_get(op)->name, bits);
	build_free(&b);
}

static void test_every_operator(void **state)
{
	(void)state;
	static const unsigned widths[] = { 1, 3, 8, 13, 16, 32, 64 };
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 1);
	for (unsigned op = TD_ADD; op <= TD_FSHR; op++)
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
			if (op == TD_BSWAP && widths[w] % 8)
				continue;
			for (int round = 0; round < 4; round++) {
				arena_reset(arena);
				check_operator(arena, &r, op, widths[w], false);
			}
		}
	for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
		for (int round = 0; round < 60; round++) {
			arena_reset(arena);
			check_operator(arena, &r, TD_SMULO, widths[w], true);
		}
	static const unsigned wide[] = { TD_ADD, TD_MUL, TD_SDIV, TD_SMULO, TD_UMULO, TD_CTLZ, TD_CTPOP, TD_BSWAP, TD_FSHR, TD_SSHLSAT };
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
		check_operator(arena, &r, wide[i], 128, false);
	arena_free(arena);
}

/* Nothing pinned: Z3 finds an input on which the term has a value it has somewhere; solver_check evaluates it. */
static void test_models_of_free_terms(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 2);
	for (unsigned op = TD_ADD; op <= TD_FSHR; op++) {
		char text[INPUT_SIZE + 1], other[INPUT_SIZE + 1];
		random_text(&r, text);
		random_text(&r, other);
		struct build b = build_new(text);
		uint32_t id = build_op(&b, op, 8);
		u128 values[200];
		struct content there = build_content(other);
		struct terms t = build_terms(&b);
		struct assignment in = build_input(&there);
		terms_eval_all(&t, &in, values);
		struct conjunct goal = { id, CONJUNCT_GOAL, false, values[id] };
		struct query q = query_of(&b, &goal, 1);
		assert_int_equal(ask(&q, arena).verdict, VERDICT_SAT);
		build_free(&b);
	}
	arena_free(arena);
}

static void test_slice_follows_shared_bytes(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("abcdef");
	uint32_t sum = build_node(&b, TD_ADD, 8, build_byte(&b, 0), build_byte(&b, 1), 0);
	uint32_t next = build_node(&b, TD_ULT, 1, build_byte(&b, 1), build_byte(&b, 2), 0);
	uint32_t apart = build_is(&b, 4, 'e'), goal = build_is(&b, 2, 'x');
	struct conjunct parts[] = {
		is(sum, CONJUNCT_PATH, ('a' + 'b') & 255), is(next, CONJUNCT_PATH, 1), is(apart, CONJUNCT_PATH, 1),
		is(next, CONJUNCT_PATH, 1), is(goal, CONJUNCT_GOAL, 1),
	};
	struct query q = query_of(&b, parts, 5), s = slice_query(&q, arena);
	assert_int_equal(s.count, 3);
	assert_int_equal(s.parts[0].node, sum);
	assert_int_equal(s.parts[1].node, next);
	assert_int_equal(s.parts[2].node, goal);
	struct answer a = ask(&q, arena);
	assert_int_equal(a.verdict, VERDICT_SAT);
	assert_int_equal(a.model.objects[0].bytes[2], 'x');
	assert_memory_equal(a.model.objects[0].bytes + 3, "def", 3);
	build_free(&b);
	arena_free(arena);
}

static void test_losses_may_be_dropped(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("ab");
	uint32_t first = build_byte(&b, 0), goal = build_is(&b, 0, 'x');
	struct conjunct parts[] = { is(first, CONJUNCT_LOSS, 'a'), is(goal, CONJUNCT_GOAL, 1) };
	struct query q = query_of(&b, parts, 2);
	struct answer a = ask(&q, arena);
	assert_int_equal(a.verdict, VERDICT_SAT);
	assert_true(a.optimistic);
	assert_int_equal(a.asked, 2);
	parts[0].kind = CONJUNCT_PATH;
	a = ask(&q, arena);
	assert_int_equal(a.verdict, VERDICT_UNSAT);
	assert_false(a.optimistic);
	build_free(&b);
	arena_free(arena);
}

/* Tables with few and many runs, narrow and wide indices, elements of all widths: every element is found by its value, a value
 * that no element has is not found, and where the index may leave the array the element there is 0. */
static void test_tables(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 5);
	for (unsigned round = 0; round < 40; round++) {
		char text[INPUT_SIZE + 1];
		uint64_t elements[300];
		unsigned bits = 8u << round % 4, index_bits = (unsigned[]){ 8, 16, 3, 32, 64 }[round % 5];
		uint32_t count = (uint32_t[]){ 256, 5, 300, 8, 1 }[round / 5 % 5], seen = count;
		for (uint32_t i = 0; i < count; i++)
			elements[i] = i && rng_below(&r, 3) ? elements[i - 1] : 1 + rng_below(&r, 7);
		if (index_bits < 16 && count > 1u << index_bits)
			seen = 1u << index_bits;
		random_text(&r, text);
		struct build b = build_new(text);
		uint32_t id = build_node(&b, TD_TABLE, bits, operand(&b, 0, index_bits), build_array(&b, "", bits, elements, count), 0);
		for (uint64_t value = 0; value < 9; value++) {
			bool there = value == 0 && index_bits < 16 ? count < 1u << index_bits : value == 0;
			for (uint32_t i = 0; i < seen; i++)
				there |= elements[i] == value;
			struct conjunct goal = is(id, CONJUNCT_GOAL, value);
			struct query q = query_of(&b, &goal, 1);
			struct answer a = ask(&q, arena); /* which evaluates the model */
			if (a.verdict != (there ? VERDICT_SAT : VERDICT_UNSAT) || a.incomplete)
				fail_msg("round %u, value %u: verdict %d", round, (unsigned)value, (int)a.verdict);
		}
		build_free(&b);
		arena_reset(arena);
	}
	arena_free(arena);
}

static void test_lengths(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("ab");
	uint32_t length = build_node(&b, TD_LENGTH, 64, 0, 0, 0);
	uint32_t longer = build_node(&b, TD_ULT, 1, build_const(&b, 64, 6), length, 0);
	uint32_t beyond = build_is(&b, 5, 'x');
	struct conjunct parts[] = { is(longer, CONJUNCT_PATH, 0), is(beyond, CONJUNCT_GOAL, 1) };
	struct query only_byte = query_of(&b, parts + 1, 1), both = query_of(&b, parts, 2);
	assert_int_equal(ask(&only_byte, arena).verdict, VERDICT_UNSAT); /* bytes past the end are 0 */
	parts[0].kind = CONJUNCT_GOAL;
	struct answer a = ask(&both, arena);
	assert_int_equal(a.verdict, VERDICT_SAT);
	assert_int_equal(a.model.objects[0].length, 6);
	assert_memory_equal(a.model.objects[0].bytes, "ab", 2);
	assert_int_equal(a.model.objects[0].bytes[5], 'x');
	build_free(&b);
	arena_free(arena);
}

static void test_floats_are_held(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("ab");
	uint32_t real = build_node(&b, TD_UITOFP, 64, build_byte(&b, 0), 0, 0);
	uint32_t back = build_node(&b, TD_FPTOUI, 8, real, 0, 0), second = build_byte(&b, 1);
	uint32_t equal = build_node(&b, TD_EQ, 1, back, second, 0), same = build_is(&b, 0, 'c');
	struct conjunct parts[] = { is(equal, CONJUNCT_GOAL, 1), is(same, CONJUNCT_GOAL, 1) };
	struct query q = query_of(&b, parts, 1);
	struct answer a = ask(&q, arena);
	assert_int_equal(a.verdict, VERDICT_SAT);
	assert_true(a.incomplete);
	assert_int_equal(a.model.objects[0].bytes[1], 'a');
	q.count = 2; /* the byte under the float must change: the held value is then wrong, which is seen */
	a = ask(&q, arena);
	assert_int_equal(a.verdict, VERDICT_UNKNOWN);
	build_free(&b);
	arena_free(arena);
}

static void test_limits_give_unknown(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("abcdefghijklmnopqrstuvwx");
	uint32_t x = operand(&b, 0, 64), y = operand(&b, 1, 64);
	uint32_t product = build_node(&b, TD_MUL, 64, x, y, 0);
	struct conjunct parts[] = {
		is(product, CONJUNCT_GOAL, 0x123456789abcdef1), { x, CONJUNCT_GOAL, true, 1 }, { y, CONJUNCT_GOAL, true, 1 },
	};
	struct query q = query_of(&b, parts, 3);
	struct solver_options o = only("z3");
	o.z3.rlimit = 2000;
	struct solver *s = solver_new(&o);
	assert_int_equal(ask_solver(s, &q, arena).verdict, VERDICT_UNKNOWN);
	solver_free(s);
	build_free(&b);
	arena_free(arena);
}

/* What a stranger's solver says to a dumped query: Z3's own reader. */
static Z3_lbool verdict_of_file(const char *path)
{
	struct err err = {0};
	char *text = fs_read(path, NULL, &err);
	if (!text)
		fail_msg("%s", err.text);
	Z3_config config = Z3_mk_config();
	Z3_context c = Z3_mk_context(config);
	Z3_solver s = Z3_mk_simple_solver(c);
	Z3_solver_inc_ref(c, s);
	Z3_solver_from_string(c, s, text);
	assert_int_equal(Z3_get_error_code(c), Z3_OK);
	Z3_lbool result = Z3_solver_check(c, s);
	Z3_solver_dec_ref(c, s);
	Z3_del_context(c);
	Z3_del_config(config);
	free(text);
	return result;
}

static void test_dumped_queries(void **state)
{
	(void)state;
	char dir[] = "/tmp/tandem-dump-XXXXXX";
	uint64_t elements[3] = { 10, 20, 30 };
	glob_t files;
	struct arena *arena = arena_new();
	struct build b = build_new("ab");
	uint32_t length = build_node(&b, TD_LENGTH, 64, 0, 0, 0), longer = build_node(&b, TD_ULT, 1, build_const(&b, 64, 6), length, 0);
	uint32_t table = build_node(&b, TD_TABLE, 8, build_byte(&b, 5), build_array(&b, "t", 8, elements, 3), 0);
	struct conjunct parts[] = { is(longer, CONJUNCT_PATH, 0), is(table, CONJUNCT_GOAL, 20), is(length, CONJUNCT_GOAL, 6) };
	assert_non_null(mkdtemp(dir));
	struct solver_options o = only("cache,bits");
	o.dump = dir;
	struct solver *s = solver_new(&o);
	struct query q = query_of(&b, parts, 2), short_one = query_of(&b, parts, 3);
	for (int i = 0; i < 2; i++) { /* the second time it is known, and not dumped again */
		ask_solver(s, &q, arena);
		ask_solver(s, &short_one, arena);
	}
	solver_free(s);
	assert_int_equal(glob(arena_printf(arena, "%s/*.smt2", dir), 0, NULL, &files), 0);
	assert_int_equal(files.gl_pathc, 2);
	assert_int_equal(verdict_of_file(files.gl_pathv[0]), Z3_L_FALSE); /* without the length a byte behind the end is 0 */
	assert_int_equal(verdict_of_file(files.gl_pathv[1]), Z3_L_TRUE);  /* and with one of 6 the sixth byte is free */
	for (size_t i = 0; i < files.gl_pathc; i++)
		unlink(files.gl_pathv[i]);
	globfree(&files);
	rmdir(dir);
	build_free(&b);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_operator), cmocka_unit_test(test_models_of_free_terms),
		cmocka_unit_test(test_slice_follows_shared_bytes), cmocka_unit_test(test_losses_may_be_dropped),
		cmocka_unit_test(test_lengths), cmocka_unit_test(test_tables), cmocka_unit_test(test_floats_are_held), cmocka_unit_test(test_dumped_queries), cmocka_unit_test(test_limits_give_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
