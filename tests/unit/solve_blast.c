/* The blaster against the evaluator, both ways. With the inputs pinned to random values a term must be able to have its value and no
 * other, for every operator and widths up to 128; with nothing pinned, a value that the term has somewhere must be
 * found, and the model is evaluated. Also cores, limits, and how close models stay to the seed. */
#include "solve_common.h"

#include "solve/circuits.h"

static struct solver *solver;

static struct answer ask(const struct query *q, struct arena *arena)
{
	return ask_solver(solver, q, arena);
}

static int open_solver(void **state)
{
	(void)state;
	struct solver_options o = only("bits");
	o.bits.conflicts = 200000;
	solver = solver_new(&o);
	return 0;
}

static int close_solver(void **state)
{
	(void)state;
	solver_free(solver);
	return 0;
}

/* Of a term and a constant, either way round. */
static uint32_t build_with_constant(struct build *b, struct rng *r, unsigned op, unsigned bits)
{
	static const int64_t corners[] = { 0, 1, 2, 3, 10, 100, -1, -2, -10, INT8_MIN, INT8_MAX, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX };
	u128 k = (u128)(s128)corners[rng_below(r, sizeof corners / sizeof *corners)];
	uint32_t x = operand(b, 0, bits), y = build_const(b, bits, value_trim(k, bits));
	unsigned own = is_predicate(op) ? 1 : bits;
	return rng_below(r, 3) ? build_node(b, op, own, x, y, 0) : build_node(b, op, own, y, x, 0);
}

static void check_operator(struct arena *arena, struct rng *r, unsigned op, unsigned bits, bool with_constant)
{
	char text[INPUT_SIZE + 1];
	struct conjunct parts[INPUT_SIZE + 1];
	random_text(r, text);
	struct build b = build_new(text);
	uint32_t id = with_constant ? build_with_constant(&b, r, op, bits) : build_op(&b, op, bits);
	for (uint32_t i = 0; i < INPUT_SIZE; i++)
		parts[i] = is(build_byte(&b, i), CONJUNCT_PATH, (uint8_t)text[i]);
	struct terms t = build_terms(&b);
	parts[INPUT_SIZE] = (struct conjunct){ id, CONJUNCT_GOAL, true, terms_value(&t, id) };
	struct query q = query_of(&b, parts, INPUT_SIZE + 1);
	if (ask(&q, arena).verdict != VERDICT_UNSAT)
		fail_msg("%s of %u bits has another value than the evaluator's", op_get(op)->name, bits);
	parts[INPUT_SIZE].differs = false;
	if (ask(&q, arena).verdict != VERDICT_SAT)
		fail_msg("%s of %u bits does not have the evaluator's value", op_get(op)->name, bits);
	build_free(&b);
	arena_reset(arena);
}

static const unsigned widths[] = { 1, 2, 3, 7, 8, 13, 16, 24, 32, 64, 65, 128 };

static void test_every_operator(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 1);
	for (unsigned op = TD_ADD; op <= TD_FSHR; op++)
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
			for (int round = 0; op_fits(op, widths[w]) && round < (widths[w] > 64 ? 2 : 6); round++)
				check_operator(arena, &r, op, widths[w], false);
	arena_free(arena);
}

/* Constants take other ways through the circuits. */
static void test_constant_operands(void **state)
{
	(void)state;
	static const unsigned ops[] = {
		TD_ADD, TD_SUB, TD_MUL, TD_UDIV, TD_SDIV, TD_UREM, TD_SREM, TD_SHL, TD_LSHR, TD_ASHR, TD_AND, TD_OR, TD_XOR, TD_EQ, TD_NE, TD_ULT,
		TD_ULE, TD_SLT, TD_SLE, TD_UMULO, TD_SMULO, TD_UADDO, TD_SSUBO, TD_USUBSAT, TD_SSHLSAT, TD_SMAX,
	};
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 3);
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
			for (int round = 0; round < (widths[w] > 64 ? 3 : 8); round++)
				check_operator(arena, &r, ops[i], widths[w], true);
	arena_free(arena);
}

/* Nothing pinned: a value that the term has on another input. */
static void test_models_of_free_terms(void **state)
{
	(void)state;
	static const unsigned free_widths[] = { 1, 8, 16, 32, 128 };
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 2);
	for (unsigned op = TD_ADD; op <= TD_FSHR; op++)
		for (size_t w = 0; w < sizeof free_widths / sizeof *free_widths; w++) {
			bool hard = op == TD_MUL || (op >= TD_UDIV && op <= TD_SREM);
			if (!op_fits(op, free_widths[w]) || (hard && free_widths[w] > 16))
				continue;
			char text[INPUT_SIZE + 1], other[INPUT_SIZE + 1];
			random_text(&r, text);
			random_text(&r, other);
			struct build b = build_new(text);
			uint32_t id = build_op(&b, op, free_widths[w]);
			u128 values[200];
			struct content there = build_content(other);
			struct terms t = build_terms(&b);
			struct assignment in = build_input(&there);
			terms_eval_all(&t, &in, values);
			struct conjunct goal = is(id, CONJUNCT_GOAL, values[id]);
			struct query q = query_of(&b, &goal, 1);
			if (ask(&q, arena).verdict != VERDICT_SAT)
				fail_msg("%s of %u bits: a value it has is not found", op_get(op)->name, free_widths[w]);
			build_free(&b);
			arena_reset(arena);
		}
	arena_free(arena);
}

/* Only some bits of a term are looked at. */
static void test_bits_that_matter(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 4);
	for (unsigned op = TD_ADD; op <= TD_FSHR; op++)
		for (int round = 0; round < 8; round++) {
			char text[INPUT_SIZE + 1];
			struct conjunct parts[INPUT_SIZE + 1];
			random_text(&r, text);
			struct build b = build_new(text);
			bool with_constant = op_get(op)->arity == 2 && op != TD_CONCAT && rng_below(&r, 2);
			uint32_t id = with_constant ? build_with_constant(&b, &r, op, 32) : build_op(&b, op, 32);
			unsigned bits = build_nodes(&b)[id].bits, low = (unsigned)rng_below(&r, bits), count = 1 + (unsigned)rng_below(&r, bits - low);
			if (rng_below(&r, 2))
				id = build_node(&b, TD_EXTRACT, count, id, low, 0);
			else
				id = build_node(&b, rng_below(&r, 2) ? TD_AND : TD_OR, bits, id, build_const(&b, bits, rng_next(&r)), 0);
			for (uint32_t i = 0; i < INPUT_SIZE; i++)
				parts[i] = is(build_byte(&b, i), CONJUNCT_PATH, (uint8_t)text[i]);
			struct terms t = build_terms(&b);
			parts[INPUT_SIZE] = (struct conjunct){ id, CONJUNCT_GOAL, true, terms_value(&t, id) };
			struct query q = query_of(&b, parts, INPUT_SIZE + 1);
			if (ask(&q, arena).verdict != VERDICT_UNSAT)
				fail_msg("part of %s has another value than the evaluator's", op_get(op)->name);
			build_free(&b);
			arena_reset(arena);
		}
	arena_free(arena);
}

/* One bit of a byte that was shifted by a constant, also by its width and more. */
static void test_bits_of_shifts(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (unsigned op = TD_SHL; op <= TD_ASHR; op++)
		for (unsigned by = 0; by < 10; by++)
			for (unsigned at = 0; at < 8; at++) {
				struct build b = build_new("\xb5");
				uint32_t byte = build_byte(&b, 0), turned = build_node(&b, TD_XOR, 8, byte, build_const(&b, 8, 0x33), 0);
				uint32_t shifted = build_node(&b, op, 8, turned, build_const(&b, 8, by), 0);
				uint32_t id = build_node(&b, TD_EXTRACT, 1, shifted, at, 0);
				struct conjunct parts[] = { is(byte, CONJUNCT_PATH, 0xb5), { id, CONJUNCT_GOAL, true, build_nodes(&b)[id].lo } };
				struct query q = query_of(&b, parts, 2);
				if (ask(&q, arena).verdict != VERDICT_UNSAT)
					fail_msg("bit %u of %s by %u", at, op_get(op)->name, by);
				build_free(&b);
				arena_reset(arena);
			}
	arena_free(arena);
}

/* Every element is found by its value, a value that no element has is not found, and outside the array the element is 0. */
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
	uint32_t beyond = build_is(&b, 5, 'x'), huge = build_node(&b, TD_ULT, 1, build_const(&b, 64, 1000), length, 0);
	uint32_t too_huge = build_node(&b, TD_ULT, 1, build_const(&b, 64, 1u << 16), length, 0);
	struct conjunct parts[] = { is(longer, CONJUNCT_GOAL, 0), is(beyond, CONJUNCT_GOAL, 1), is(huge, CONJUNCT_GOAL, 1), is(too_huge, CONJUNCT_GOAL, 1) };
	struct query q = query_of(&b, parts + 1, 1);
	assert_int_equal(ask(&q, arena).verdict, VERDICT_UNSAT); /* bytes past the end are 0 */
	q = query_of(&b, parts, 2);
	struct answer a = ask(&q, arena);
	assert_int_equal(a.verdict, VERDICT_SAT);
	assert_int_equal(a.model.objects[0].length, 6);
	assert_memory_equal(a.model.objects[0].bytes, "ab", 2);
	assert_int_equal(a.model.objects[0].bytes[5], 'x');
	q = query_of(&b, parts + 2, 1); /* more than it should grow, but no more than it may */
	a = ask(&q, arena);
	assert_int_equal(a.verdict, VERDICT_SAT);
	assert_in_range(a.model.objects[0].length, 1001, 1u << 16);
	q = query_of(&b, parts + 3, 1);
	assert_int_equal(ask(&q, arena).verdict, VERDICT_UNSAT);
	build_free(&b);
	arena_free(arena);
}

/* The core is enough by itself, has the goal, and not what has nothing to do with it. */
static void test_cores(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct problem_space space = {0};
	struct gates gates;
	struct blast_limits limits = { .gates = 100000, .conflicts = 1000 };
	uint64_t model[INPUT_SIZE];
	struct build b = build_new("abcdef");
	uint32_t sum = build_node(&b, TD_ADD, 8, build_byte(&b, 0), build_byte(&b, 1), 0);
	uint32_t apart = build_node(&b, TD_ULT, 1, build_byte(&b, 1), build_byte(&b, 2), 0);
	struct conjunct parts[] = {
		is(sum, CONJUNCT_PATH, ('a' + 'b') & 255), is(apart, CONJUNCT_PATH, 1), is(build_is(&b, 0, 'a'), CONJUNCT_PATH, 1),
		is(build_is(&b, 1, 'x'), CONJUNCT_GOAL, 1),
	};
	struct query q = query_of(&b, parts, 4);
	struct question question = question_of(&q, NULL, 0, arena);
	struct slice slice = path_slice(&question, true, arena);
	struct problem p = problem_new(&slice, &space, arena);
	gates_open(&gates, 1000);
	struct narrow nothing = narrow_nothing(&p, arena);
	struct blast_answer a = blast_ask(&nothing, &limits, 0, &gates, arena, model);
	assert_int_equal(a.verdict, VERDICT_UNSAT);
	assert_true(a.core[0]);
	assert_false(a.core[1]);
	assert_true(a.core[2]);
	assert_true(a.core[3]);
	gates_close(&gates);
	problem_space_free(&space);
	path_free(question.path);
	build_free(&b);
	arena_free(arena);
}

/* More parts than are made circuits of at once: a loop up to a number of two bytes, and one more demand somewhere in it. */
static void test_many_parts(void **state)
{
	(void)state;
	enum { MANY = 150 };
	struct arena *arena = arena_new();
	struct build b = build_new("\x02\x30zzzz");
	uint32_t count = build_node(&b, TD_CONCAT, 16, build_byte(&b, 0), build_byte(&b, 1), 0);
	struct conjunct parts[MANY + 2];
	for (unsigned i = 0; i < MANY; i++)
		parts[i] = is(build_node(&b, TD_ULT, 1, build_const(&b, 16, 3 * i), count, 0), CONJUNCT_PATH, 1);
	parts[MANY] = (struct conjunct){ count, CONJUNCT_PATH, true, 3 * MANY };
	struct query q = query_of(&b, parts, MANY + 2);
	for (unsigned value = 3 * MANY - 6; value < 3 * MANY + 3; value++) {
		bool possible = value > 3 * (MANY - 1) && value != 3 * MANY;
		parts[MANY + 1] = is(count, CONJUNCT_GOAL, value);
		assert_int_equal(ask(&q, arena).verdict, possible ? VERDICT_SAT : VERDICT_UNSAT); /* models are evaluated */
		parts[MANY + 1] = is(build_node(&b, TD_ULE, 1, count, build_const(&b, 16, value), 0), CONJUNCT_GOAL, 1);
		q.terms = build_terms(&b);
		assert_int_equal(ask(&q, arena).verdict, value > 3 * (MANY - 1) ? VERDICT_SAT : VERDICT_UNSAT);
	}
	build_free(&b);
	arena_free(arena);
}

static unsigned distance(const struct assignment *model, const char *text)
{
	unsigned n = 0;
	for (size_t i = 0; text[i]; i++)
		n += model->objects[0].bytes[i] != (uint8_t)text[i];
	return n;
}

/* A sum of eight bytes shall be another one: one byte or two are enough. */
static void test_models_stay_close(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *text = "abcdefgh";
	struct build b = build_new(text);
	uint32_t sum = build_byte(&b, 0);
	for (uint32_t i = 1; i < 8; i++)
		sum = build_node(&b, TD_ADD, 8, sum, build_byte(&b, i), 0);
	for (unsigned value = 0; value < 256; value += 5) {
		struct conjunct goal = is(sum, CONJUNCT_GOAL, value);
		struct query q = query_of(&b, &goal, 1);
		struct answer a = ask(&q, arena);
		assert_int_equal(a.verdict, VERDICT_SAT);
		assert_in_range(distance(&a.model, text), 0, 3);
	}
	build_free(&b);
	arena_free(arena);
}

static void test_limits_give_unknown(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("abcdefghijklmnopqrstuvwx");
	uint32_t x = build_node(&b, TD_ZEXT, 64, operand(&b, 0, 32), 0, 0), y = build_node(&b, TD_ZEXT, 64, operand(&b, 1, 32), 0, 0);
	uint32_t product = build_node(&b, TD_MUL, 64, x, y, 0);
	struct conjunct parts[] = { is(product, CONJUNCT_GOAL, (u128)4294967291u * 4294967279u) };
	struct query q = query_of(&b, parts, 1);
	struct solver_options o = only("bits");
	o.bits.conflicts = 10;
	struct solver *few_conflicts = solver_new(&o);
	assert_int_equal(ask_solver(few_conflicts, &q, arena).verdict, VERDICT_UNKNOWN);
	solver_free(few_conflicts);
	o.bits = (struct blast_limits){ .gates = 1000, .conflicts = 100000 };
	struct solver *few_gates = solver_new(&o);
	assert_int_equal(ask_solver(few_gates, &q, arena).verdict, VERDICT_UNKNOWN);
	struct conjunct small = is(x, CONJUNCT_GOAL, 77);
	q = query_of(&b, &small, 1);
	assert_int_equal(ask_solver(few_gates, &q, arena).verdict, VERDICT_SAT); /* and the next one is none the worse for it */
	solver_free(few_gates);
	/* Tables of one value need no gates, but have to be looked through: one of them may be, two are too many. */
	uint64_t same[300];
	for (unsigned i = 0; i < 300; i++)
		same[i] = 5;
	uint32_t one = build_node(&b, TD_TABLE, 64, operand(&b, 0, 16), build_array(&b, "s", 64, same, 300), 0);
	uint32_t other = build_node(&b, TD_TABLE, 64, operand(&b, 1, 16), build_array(&b, "t", 64, same, 300), 0);
	struct conjunct five = is(one, CONJUNCT_GOAL, 5), ten = is(build_node(&b, TD_ADD, 64, one, other, 0), CONJUNCT_GOAL, 10);
	o.bits.gates = 2000;
	struct solver *few_elements = solver_new(&o);
	q = query_of(&b, &ten, 1);
	assert_int_equal(ask_solver(few_elements, &q, arena).verdict, VERDICT_UNKNOWN);
	q = query_of(&b, &five, 1);
	assert_int_equal(ask_solver(few_elements, &q, arena).verdict, VERDICT_SAT);
	solver_free(few_elements);
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
	assert_int_equal(ask(&q, arena).verdict, VERDICT_UNKNOWN);
	build_free(&b);
	arena_free(arena);
}

/* Gates against all their values. The sign of a literal is its value on the seed. */
static void test_gates_are_made_once(void **state)
{
	(void)state;
	struct gates g;
	gates_open(&g, 1000);
	lit x = gates_input(&g, true), y = gates_input(&g, false), z = gates_input(&g, true);
	assert_true(x > 0 && y < 0);
	assert_int_equal(gates_and(&g, x, y), gates_and(&g, y, x));
	assert_int_equal(gates_and_all(&g, (lit[]){ x, y, GATE_TRUE, x }, 4), gates_and(&g, x, y));
	assert_int_equal(gates_and_all(&g, (lit[]){ z, y, -z }, 3), GATE_FALSE);
	assert_int_equal(gates_xor(&g, -x, y), -gates_xor(&g, y, x));
	assert_int_equal(gates_mux(&g, x, y, -y), -gates_xor(&g, x, y));
	assert_int_equal(gates_mux(&g, -x, y, z), gates_mux(&g, x, z, y));
	assert_int_equal(gates_mux(&g, x, -y, -z), -gates_mux(&g, x, y, z));
	assert_int_equal(gates_majority(&g, -x, -y, -z), -gates_majority(&g, y, z, x));
	assert_int_equal(gates_majority(&g, x, GATE_FALSE, z), gates_and(&g, x, z));
	assert_true(gates_majority(&g, x, y, z) > 0 && gates_mux(&g, y, x, z) > 0 && gates_and(&g, x, y) < 0 && gates_xor(&g, x, y) > 0);
	gates_close(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gates_are_made_once), cmocka_unit_test(test_every_operator), cmocka_unit_test(test_constant_operands),
		cmocka_unit_test(test_models_of_free_terms), cmocka_unit_test(test_bits_that_matter), cmocka_unit_test(test_bits_of_shifts),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_lengths), cmocka_unit_test(test_cores), cmocka_unit_test(test_models_stay_close), cmocka_unit_test(test_many_parts),
		cmocka_unit_test(test_limits_give_unknown), cmocka_unit_test(test_floats_are_held),
	};
	return cmocka_run_group_tests(tests, open_solver, close_solver);
}
