/* The pipeline as a whole, on random paths over a few bytes: with any stage left out the verdicts are those of Z3 alone; an answer does
 * not depend on what was asked before; every model satisfies its whole prefix (the solvers check themselves). And what the
 * stages remember is bounded and right. */
#include "solve_common.h"

#include "solve/cache.h"
#include "solve/cores.h"
#include "solve/lanes.h"

enum { DEMANDS = 30, SCENES = 8 };

struct scene {
	struct build b;
	char text[INPUT_SIZE + 1];
	uint32_t pool[300];
	size_t pool_count;
	struct conjunct demands[DEMANDS];
	struct path *path;
};

/* --- random paths --- */

static uint32_t any(struct scene *s, struct rng *r)
{
	return s->pool[rng_below(r, s->pool_count)];
}

static uint32_t resized(struct scene *s, struct rng *r, uint32_t id, unsigned bits)
{
	unsigned have = build_nodes(&s->b)[id].bits;
	if (have > bits)
		return build_node(&s->b, TD_EXTRACT, bits, id, (uint32_t)rng_below(r, have - bits + 1), 0);
	return have == bits ? id : build_node(&s->b, rng_below(r, 2) ? TD_ZEXT : TD_SEXT, bits, id, 0, 0);
}

static uint32_t term(struct scene *s, struct rng *r)
{
	static const unsigned ops[] = {
		TD_ADD, TD_SUB, TD_MUL, TD_UDIV, TD_UREM, TD_SREM, TD_SHL, TD_LSHR, TD_AND, TD_OR, TD_XOR, TD_UMIN, TD_SADDSAT, TD_FSHL, TD_CTPOP, TD_ABS,
	};
	uint64_t elements[16];
	unsigned bits = (unsigned[]){ 8, 8, 16, 32 }[rng_below(r, 4)], op = ops[rng_below(r, sizeof ops / sizeof *ops)];
	uint32_t x = resized(s, r, any(s, r), bits), y = resized(s, r, any(s, r), bits);
	switch (rng_below(r, 8)) {
	case 0: return build_byte(&s->b, (uint32_t)rng_below(r, 6));
	case 1:
		for (unsigned i = 0; i < 16; i++)
			elements[i] = rng_below(r, 4);
		return build_node(&s->b, TD_TABLE, 8, x, build_array(&s->b, "t", 8, elements, 16), 0);
	case 2: return build_node(&s->b, TD_ITE, bits, resized(s, r, any(s, r), 1), x, y);
	case 3: y = build_const(&s->b, bits, rng_below(r, 2) ? rng_below(r, 12) : rng_next(r)); break;
	default: break;
	}
	return build_node(&s->b, op, bits, x, y, op_get(op)->arity > 2 ? resized(s, r, any(s, r), bits) : 0);
}

static uint32_t condition(struct scene *s, struct rng *r)
{
	unsigned op = TD_EQ + (unsigned)rng_below(r, 6);
	uint32_t x = rng_below(r, 3) ? any(s, r) : build_byte(&s->b, (uint32_t)rng_below(r, 6));
	unsigned bits = build_nodes(&s->b)[x].bits;
	uint32_t y = rng_below(r, 4) ? build_const(&s->b, bits, build_nodes(&s->b)[x].lo + rng_below(r, 5) - 2) : resized(s, r, any(s, r), bits);
	return build_node(&s->b, op, 1, x, y, 0);
}

static void scene_fill(struct scene *s, struct rng *r, bool losses)
{
	random_text(r, s->text);
	s->b = build_new(s->text);
	for (uint32_t i = 0; i < 6; i++)
		s->pool[s->pool_count++] = build_byte(&s->b, i);
	for (size_t i = 0; i < DEMANDS; i++) {
		if (rng_below(r, 2))
			s->pool[s->pool_count++] = term(s, r);
		uint32_t node = condition(s, r);
		s->demands[i] = is(node, losses && rng_below(r, 6) == 0 ? CONJUNCT_LOSS : CONJUNCT_PATH, build_nodes(&s->b)[node].lo);
	}
	struct path_source from = { build_terms(&s->b), NULL, 0, build_input(&s->b.content), s->demands, DEMANDS };
	s->path = path_new(&from);
}

static void scene_free(struct scene *s)
{
	path_free(s->path);
	build_free(&s->b);
}

/* The k-th condition, the other way. */
static struct answer flip(struct solver *solver, struct scene *s, size_t k, struct arena *arena)
{
	struct conjunct goal = s->demands[k];
	struct question q = { s->path, k, &goal, 1 };
	struct answer a;
	struct err err = {0};
	goal.kind = CONJUNCT_GOAL;
	goal.value ^= 1;
	if (!solver_check(solver, &q, arena, &a, &err))
		fail_msg("%s", err.text);
	return a;
}

static struct solver *solver_of(const char *stages, uint64_t seed)
{
	struct solver_options o = only(stages);
	o.seed = seed;
	return solver_new(&o);
}

/* --- verdicts --- */

static const char *const sets[] = {
	"z3", "bits", "cache,cores,lanes,bits,z3", "cores,lanes,bits", "cache,lanes,bits", "cache,cores,bits", "lanes,z3", "cache,z3",
};
enum { SETS = sizeof sets / sizeof *sets };

static void test_stages_agree(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct solver *solvers[SETS];
	struct rng r;
	unsigned seen[3] = {0};
	rng_seed(&r, 11);
	for (int i = 0; i < SETS; i++)
		solvers[i] = solver_of(sets[i], (uint64_t)i % 3);
	for (unsigned scene = 0; scene < SCENES; scene++) {
		struct scene s = {0};
		scene_fill(&s, &r, scene % 2);
		for (size_t k = 0; k < DEMANDS; k++) {
			struct answer first = flip(solvers[0], &s, k, arena);
			seen[first.verdict]++;
			for (int i = 1; i < SETS; i++) {
				struct answer a = flip(solvers[i], &s, k, arena);
				if (a.verdict != first.verdict || a.optimistic != first.optimistic)
					fail_msg("scene %u, demand %zu: %s says %d, %s says %d", scene, k, sets[0], (int)first.verdict, sets[i], (int)a.verdict);
			}
			arena_reset(arena);
		}
		scene_free(&s);
	}
	for (int i = 0; i < SETS; i++)
		solver_free(solvers[i]);
	assert_in_range(seen[VERDICT_SAT], 50, 10000);
	assert_in_range(seen[VERDICT_UNSAT], 20, 10000);
	assert_int_equal(seen[VERDICT_UNKNOWN], 0);
	arena_free(arena);
}

/* --- determinism --- */

static uint64_t digest_answer(const struct answer *a)
{
	struct digest d = digest_of(a->verdict);
	if (a->verdict == VERDICT_SAT)
		d = digest_bytes(d, a->model.objects[0].bytes, a->model.objects[0].length);
	return d.a;
}

static void shuffle(size_t *order, size_t count, struct rng *r)
{
	for (size_t i = count; i-- > 1;) {
		size_t k = (size_t)rng_below(r, i + 1), swap = order[i];
		order[i] = order[k];
		order[k] = swap;
	}
}

static void test_answers_do_not_depend_on_the_past(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 12);
	uint64_t expected[SCENES][DEMANDS], differ = 0;
	struct scene scenes[SCENES] = {0};
	size_t order[SCENES * DEMANDS];
	for (unsigned i = 0; i < SCENES; i++)
		scene_fill(&scenes[i], &r, i % 2);
	for (size_t i = 0; i < SCENES * DEMANDS; i++)
		order[i] = i;
	for (uint64_t seed = 0; seed < 3; seed++)
		for (int round = 0; round < 3; round++) {
			struct solver *solver = solver_of("cache,cores,lanes,bits,z3", seed);
			for (size_t i = 0; i < SCENES * DEMANDS; i++) {
				size_t scene = order[i] / DEMANDS, k = order[i] % DEMANDS;
				struct answer a = flip(solver, &scenes[scene], k, arena);
				uint64_t digest = digest_answer(&a);
				if (round == 0 && seed)
					differ += digest != expected[scene][k];
				if (round && digest != expected[scene][k])
					fail_msg("seed %u, scene %zu, demand %zu: another answer in another order", (unsigned)seed, scene, k);
				expected[scene][k] = digest;
				arena_reset(arena);
			}
			shuffle(order, SCENES * DEMANDS, &r);
			solver_free(solver);
		}
	assert_in_range(differ, 20, 10000); /* other seeds, other models */
	for (unsigned i = 0; i < SCENES; i++)
		scene_free(&scenes[i]);
	arena_free(arena);
}

/* --- what is remembered --- */

/* The second trace of the same program has another node in front, so all numbers differ. */
static struct answer ask_other_trace(struct solver *s, const char *text, unsigned noise, struct arena *arena)
{
	struct build b = build_new(text);
	for (unsigned i = 0; i < noise; i++)
		build_byte(&b, 9 + i);
	uint32_t sum = build_node(&b, TD_ADD, 8, build_byte(&b, 0), build_byte(&b, 1), 0);
	uint32_t low = build_node(&b, TD_ULT, 1, build_byte(&b, 0), build_const(&b, 8, 'c'), 0);
	struct conjunct parts[] = { is(low, CONJUNCT_PATH, 1), is(sum, CONJUNCT_GOAL, 7) };
	struct query q = query_of(&b, parts, 2);
	struct answer a = ask_solver(s, &q, arena);
	a.model = (struct assignment){ NULL, 0 };
	build_free(&b);
	return a;
}

static void test_another_trace_asks_the_same(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct solver *s = solver_of("cache,bits", 0);
	assert_int_equal(ask_other_trace(s, "abcdefghijklmno", 0, arena).stage, STAGE_BITS);
	assert_int_equal(ask_other_trace(s, "abXXXXXXXXXXXXX", 3, arena).stage, STAGE_CACHE); /* bytes that do not matter */
	assert_int_equal(ask_other_trace(s, "azcdefghijklmno", 0, arena).stage, STAGE_BITS);  /* one that does */
	solver_free(s);
	arena_free(arena);
}

/* A core found in one query refutes another that has more, and no other. */
static void test_cores_refute_what_has_them(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct solver *s = solver_of("cores,bits", 0);
	struct build b = build_new("abcd");
	uint32_t x = build_byte(&b, 0), y = build_byte(&b, 1), sum = build_node(&b, TD_ADD, 8, x, y, 0), z = build_byte(&b, 2);
	struct conjunct apart = is(build_node(&b, TD_ULT, 1, y, z, 0), CONJUNCT_PATH, 1);
	struct conjunct fixed = is(x, CONJUNCT_PATH, 'a'), total = is(sum, CONJUNCT_PATH, (u128)('a' + 'b') & 255), goal = is(y, CONJUNCT_GOAL, 'q');
	struct conjunct first[] = { fixed, total, goal }, more[] = { apart, total, fixed, goal }, less[] = { apart, total, goal };
	struct query q = query_of(&b, first, 3);
	struct answer a = ask_solver(s, &q, arena);
	assert_int_equal(a.verdict, VERDICT_UNSAT);
	assert_int_equal(a.stage, STAGE_BITS);
	q = query_of(&b, more, 4);
	a = ask_solver(s, &q, arena);
	assert_int_equal(a.verdict, VERDICT_UNSAT);
	assert_int_equal(a.stage, STAGE_CORES);
	q = query_of(&b, less, 3);
	a = ask_solver(s, &q, arena);
	assert_int_equal(a.stage, STAGE_BITS);
	build_free(&b);
	solver_free(s);
	arena_free(arena);
}

/* A byte behind the end is 0 in one slice and free in another that speaks of the length. */
static void test_cores_are_not_of_bytes_behind_the_end(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct solver *s = solver_of("cache,cores,bits", 0);
	struct build b = build_new("ab");
	uint32_t length = build_node(&b, TD_LENGTH, 64, 0, 0, 0), beyond = build_is(&b, 5, 'x');
	uint32_t longer = build_node(&b, TD_ULT, 1, build_const(&b, 64, 5), length, 0);
	struct conjunct parts[] = { is(longer, CONJUNCT_GOAL, 1), is(beyond, CONJUNCT_GOAL, 1) };
	struct query alone = query_of(&b, parts + 1, 1), both = query_of(&b, parts, 2);
	assert_int_equal(ask_solver(s, &alone, arena).verdict, VERDICT_UNSAT);
	assert_int_equal(ask_solver(s, &both, arena).verdict, VERDICT_SAT);
	assert_int_equal(ask_solver(s, &alone, arena).verdict, VERDICT_UNSAT);
	build_free(&b);
	solver_free(s);
	arena_free(arena);
}

static void test_memory_is_bounded(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 13);
	struct solver_options o = only("cache,cores,lanes,bits");
	o.memory = 4096;
	struct solver *small = solver_new(&o), *large = solver_of("cache,cores,lanes,bits", 0);
	for (unsigned scene = 0; scene < 4; scene++) {
		struct scene s = {0};
		scene_fill(&s, &r, false);
		for (unsigned round = 0; round < 2; round++)
			for (size_t k = 0; k < DEMANDS; k++) {
				struct answer x = flip(small, &s, k, arena), y = flip(large, &s, k, arena);
				assert_int_equal(digest_answer(&x), digest_answer(&y));
			}
		scene_free(&s);
	}
	assert_true(solver_stats(small).dropped > 0);
	assert_int_equal(solver_stats(large).dropped, 0);
	solver_free(small);
	solver_free(large);
	arena_free(arena);
}

static void test_a_memo_keeps_and_forgets(void **state)
{
	(void)state;
	struct memo m;
	memo_open(&m, sizeof(uint64_t), 1000);
	for (uint64_t i = 0; i < 1000; i++)
		*(uint64_t *)memo_put(&m, digest_of(i)) = i;
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(*(uint64_t *)memo_find(&m, digest_of(i)), i);
	assert_null(memo_find(&m, digest_of(1000)));
	*(uint64_t *)memo_put(&m, digest_of(1000)) = 1000;
	assert_int_equal(m.dropped, 1000);
	assert_null(memo_find(&m, digest_of(7)));
	assert_non_null(memo_find(&m, digest_of(1000)));
	memo_close(&m);
}

/* --- lanes --- */

static void test_lanes_decide_one_byte(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct solver *s = solver_of("lanes", 0);
	struct build b = build_new("k");
	uint32_t byte = build_byte(&b, 0), squared = build_node(&b, TD_MUL, 8, byte, byte, 0);
	struct conjunct parts[] = { { byte, CONJUNCT_PATH, true, 'a' }, is(squared, CONJUNCT_GOAL, 0x31) };
	for (unsigned value = 0; value < 256; value++) {
		unsigned roots = 0;
		parts[1].value = value;
		for (unsigned c = 0; c < 256; c++)
			roots += (c * c & 255) == value && c != 'a';
		struct query q = query_of(&b, parts, 2);
		assert_int_equal(ask_solver(s, &q, arena).verdict, roots ? VERDICT_SAT : VERDICT_UNSAT); /* models are evaluated */
	}
	build_free(&b);
	solver_free(s);
	arena_free(arena);
}

/* Every operator in lanes against the evaluator, at widths that lanes take: the goal is a value that the term has for another byte. */
static void test_lanes_know_every_operator(void **state)
{
	(void)state;
	static const unsigned widths[] = { 1, 8, 13, 32, 64 };
	struct arena *arena = arena_new();
	struct rng r;
	rng_seed(&r, 14);
	for (unsigned op = TD_ADD; op <= TD_FSHR; op++)
		for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
			char text[INPUT_SIZE + 1], other[INPUT_SIZE + 1];
			u128 values[200];
			if (!op_fits(op, widths[w]) || (op == TD_CONCAT && widths[w] > 32) || ((op == TD_ZEXT || op == TD_SEXT) && widths[w] > 59))
				continue;
			random_text(&r, text);
			memcpy(other, text, sizeof other);
			other[rng_below(&r, 3) * 8] = (char)(1 + rng_below(&r, 255));
			struct build b = build_new(text);
			uint32_t id = build_op(&b, op, widths[w]);
			struct terms t = build_terms(&b);
			struct content there = build_content(other);
			struct assignment in = build_input(&there);
			terms_eval_all(&t, &in, values);
			struct conjunct goal = is(id, CONJUNCT_GOAL, values[id]);
			struct query q = query_of(&b, &goal, 1);
			struct solver *s = solver_of("lanes", 0);
			if (ask_solver(s, &q, arena).verdict != VERDICT_SAT)
				fail_msg("%s of %u bits", op_get(op)->name, widths[w]);
			solver_free(s);
			build_free(&b);
			arena_reset(arena);
		}
	arena_free(arena);
}

/* A loop that adds up: terms too deep for rows of lanes. Values are tried one by one, unless that is to be done in haste. */
static void test_lanes_try_values_of_deep_terms(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct solver_options o = only("lanes");
	o.range_steps = 4000;
	struct solver *s = solver_new(&o);
	struct build b = build_new("k");
	uint32_t byte = build_node(&b, TD_ZEXT, 64, build_byte(&b, 0), 0, 0), sum = byte;
	uint64_t wanted = 77;
	for (unsigned i = 0; i < 3000; i++) {
		sum = build_node(&b, TD_ADD, 64, build_node(&b, TD_MUL, 64, sum, byte, 0), byte, 0);
		wanted = wanted * 77 + 77;
	}
	struct conjunct goals[] = { is(sum, CONJUNCT_GOAL, wanted), is(sum, CONJUNCT_GOAL, wanted + 1) };
	struct query q = query_of(&b, goals, 1);
	struct answer a = ask_solver(s, &q, arena);
	assert_int_equal(a.verdict, VERDICT_SAT);
	assert_int_equal(a.model.objects[0].bytes[0], 77);
	q = query_of(&b, goals + 1, 1);
	assert_int_equal(ask_solver(s, &q, arena).verdict, VERDICT_UNSAT);
	struct question question = question_of(&q, NULL, 0, arena);
	assert_true(solver_check_goals(s, &question, arena, &a, NULL));
	assert_int_equal(a.verdict, VERDICT_UNKNOWN);
	path_free(question.path);
	build_free(&b);
	solver_free(s);
	arena_free(arena);
}

/* Elements of any size, and 0 behind the last: each value of the byte is the only one that leads to its element. */
static void test_lanes_look_up_elements(void **state)
{
	(void)state;
	enum { COUNT = 200 };
	static const unsigned widths[] = { 8, 16, 24, 32, 48, 64 };
	struct arena *arena = arena_new();
	struct solver *s = solver_of("lanes", 0);
	for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
		uint64_t elements[COUNT];
		struct build b = build_new("k");
		for (unsigned i = 0; i < COUNT; i++)
			elements[i] = (i + 1) * (0x0101010101010101ull & (uint64_t)value_mask(widths[w]));
		uint32_t id = build_node(&b, TD_TABLE, widths[w], build_byte(&b, 0), build_array(&b, "t", widths[w], elements, COUNT), 0);
		for (unsigned i = 0; i <= COUNT; i++) {
			struct conjunct goal = is(id, CONJUNCT_GOAL, i < COUNT ? elements[i] : 0);
			struct query q = query_of(&b, &goal, 1);
			struct answer a = ask_solver(s, &q, arena);
			assert_int_equal(a.verdict, VERDICT_SAT);
			assert_in_range(a.model.objects[0].bytes[0], i, i < COUNT ? i : 255);
		}
		struct conjunct none = is(id, CONJUNCT_GOAL, COUNT + 1);
		struct query q = query_of(&b, &none, 1);
		assert_int_equal(ask_solver(s, &q, arena).verdict, VERDICT_UNSAT);
		build_free(&b);
		arena_reset(arena);
	}
	solver_free(s);
	arena_free(arena);
}

static void test_lanes_prefer_what_is_near(void **state)
{
	(void)state;
	struct lane_set all;
	memset(&all, 0xff, sizeof all);
	all.words['A' >> 6] &= ~(1ull << ('A' & 63));
	assert_int_equal(lanes_choose(&all, 'A', 0), '@');
	assert_int_equal(lanes_choose(&all, 0, 0), 0);
	for (uint64_t dice = 1; dice < 200; dice++) {
		unsigned c = lanes_choose(&all, 'A', dice);
		assert_true(c != 'A' && ((c >= ' ' && c < 127) || c == '\n' || c == '\t'));
	}
	struct lane_set odd = {{ 1ull << 5, 0, 0, 1ull << 63 }}; /* 5 and 255 */
	assert_int_equal(lanes_choose(&odd, 'A', 0), 5);
	assert_int_equal(lanes_choose(&odd, 200, 0), 255);
}

/* One byte under floating point: lanes compute it, others hold it. */
static void test_lanes_compute_floats(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct solver *s = solver_of("lanes,bits,z3", 0);
	struct build b = build_new("ab");
	uint32_t real = build_node(&b, TD_UITOFP, 64, build_byte(&b, 0), 0, 0);
	uint32_t half = build_node(&b, TD_FDIV, 64, real, build_const(&b, 64, 0x4000000000000000), 0); /* 2.0 */
	struct conjunct goal = is(build_node(&b, TD_FPTOUI, 8, half, 0, 0), CONJUNCT_GOAL, 100);
	struct query q = query_of(&b, &goal, 1);
	struct answer a = ask_solver(s, &q, arena);
	assert_int_equal(a.verdict, VERDICT_SAT);
	assert_false(a.incomplete);
	assert_in_range(a.model.objects[0].bytes[0], 200, 201);
	goal.value = 200;
	a = ask_solver(s, &q, arena);
	assert_int_equal(a.verdict, VERDICT_UNSAT);
	assert_false(a.incomplete);
	build_free(&b);
	solver_free(s);
	arena_free(arena);
}

/* --- last resorts, words --- */

static void test_the_goal_alone(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("ab");
	struct conjunct parts[] = { is(build_byte(&b, 0), CONJUNCT_PATH, 'a'), is(build_byte(&b, 0), CONJUNCT_GOAL, 'x') };
	struct query q = query_of(&b, parts, 2);
	struct solver_options o = only("cache,cores,lanes,bits");
	struct solver *s = solver_new(&o);
	struct answer a = ask_solver(s, &q, arena);
	assert_int_equal(a.verdict, VERDICT_UNSAT);
	assert_false(a.goal_alone || a.optimistic);
	struct question question = question_of(&q, NULL, 0, arena);
	struct err err = {0};
	assert_true(solver_check_goals(s, &question, arena, &a, &err));
	path_free(question.path);
	assert_int_equal(a.verdict, VERDICT_SAT);
	assert_true(a.goal_alone && a.optimistic);
	assert_int_equal(a.model.objects[0].bytes[0], 'x');
	solver_free(s);
	build_free(&b);
	arena_free(arena);
}

/* A shorter input may lose bytes that the slice does not read: then it is none. */
static void test_a_changed_length_must_fit_the_path(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("ab");
	uint32_t length = build_node(&b, TD_LENGTH, 64, 0, 0, 0);
	struct conjunct parts[] = { is(build_byte(&b, 1), CONJUNCT_PATH, 'b'), is(length, CONJUNCT_GOAL, 1) };
	struct query q = query_of(&b, parts, 2);
	struct solver_options o = only("cache,cores,lanes,bits");
	o.self_check = false; /* it is checked all the same */
	struct solver *s = solver_new(&o);
	for (int round = 0; round < 2; round++) {
		parts[1].value = 1;
		assert_int_equal(ask_solver(s, &q, arena).verdict, VERDICT_UNKNOWN);
		parts[1].value = 3;
		struct answer a = ask_solver(s, &q, arena);
		assert_int_equal(a.verdict, VERDICT_SAT);
		assert_int_equal(a.model.objects[0].length, 3);
		assert_memory_equal(a.model.objects[0].bytes, "abA", 3);
	}
	solver_free(s);
	build_free(&b);
	arena_free(arena);
}

/* Quotients of a length, with a path that allows some: lanes alone decide, circuits agree, and one that is impossible is so by a part that cores then know. */
static void test_lanes_decide_one_length(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("abcdef");
	uint32_t length = build_node(&b, TD_LENGTH, 64, 0, 0, 0);
	uint32_t sum = build_node(&b, TD_ADD, 64, build_node(&b, TD_MUL, 64, length, build_const(&b, 64, 13), 0), build_const(&b, 64, 7), 0);
	uint32_t quotient = build_node(&b, TD_UDIV, 64, sum, build_const(&b, 64, 5), 0), some = build_node(&b, TD_ULT, 1, length, build_const(&b, 64, 12), 0);
	struct conjunct parts[] = { is(some, CONJUNCT_PATH, 1), is(quotient, CONJUNCT_GOAL, 0) };
	struct query q = query_of(&b, parts, 2);
	struct solver_options lanes = only("lanes"), bits = only("bits"), cores = only("cores,lanes");
	struct solver *by[] = { solver_new(&lanes), solver_new(&bits), solver_new(&cores) };
	unsigned seen[3] = { 0 };
	for (uint64_t value = 0; value < 40; value++) {
		parts[1].value = value;
		struct answer a[3];
		for (int i = 0; i < 3; i++)
			a[i] = ask_solver(by[i], &q, arena);
		assert_true(a[0].verdict == a[1].verdict && a[0].verdict == a[2].verdict);
		assert_int_equal(a[0].stage, STAGE_LANES);
		seen[a[0].verdict]++;
		if (a[0].verdict == VERDICT_SAT)
			assert_true((a[0].model.objects[0].length * 13 + 7) / 5 == value && a[0].model.objects[0].length < 12);
	}
	assert_int_equal(seen[VERDICT_SAT], 12);
	assert_int_equal(seen[VERDICT_UNSAT], 28);
	assert_int_equal(ask_solver(by[2], &q, arena).stage, STAGE_CORES);
	for (int i = 0; i < 3; i++)
		solver_free(by[i]);
	build_free(&b);
	arena_free(arena);
}

static void test_words_for_stages(void **state)
{
	(void)state;
	uint32_t all = solver_options_default().stages, stages = all;
	struct err err = {0};
	assert_true(solver_parse_stages("no-lanes,no-cores", &stages, &err));
	assert_int_equal(stages, all & ~(1u << STAGE_LANES) & ~(1u << STAGE_CORES));
	assert_true(solver_parse_stages("only-z3,bits", &stages, &err));
	assert_int_equal(stages, 1u << STAGE_Z3 | 1u << STAGE_BITS);
	assert_true(solver_parse_stages("", &stages, &err));
	assert_false(solver_parse_stages("no-lane", &stages, &err));
	err = (struct err){0};
	assert_false(solver_parse_stages("n", &stages, &err));
	assert_non_null(strstr(err.text, "'n'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_memo_keeps_and_forgets), cmocka_unit_test(test_stages_agree),
		cmocka_unit_test(test_answers_do_not_depend_on_the_past), cmocka_unit_test(test_another_trace_asks_the_same),
		cmocka_unit_test(test_cores_refute_what_has_them), cmocka_unit_test(test_cores_are_not_of_bytes_behind_the_end),
		cmocka_unit_test(test_memory_is_bounded), cmocka_unit_test(test_lanes_decide_one_byte), cmocka_unit_test(test_lanes_know_every_operator),
		cmocka_unit_test(test_lanes_look_up_elements), cmocka_unit_test(test_lanes_try_values_of_deep_terms), cmocka_unit_test(test_lanes_prefer_what_is_near), cmocka_unit_test(test_lanes_compute_floats), cmocka_unit_test(test_the_goal_alone),
		cmocka_unit_test(test_a_changed_length_must_fit_the_path), cmocka_unit_test(test_lanes_decide_one_length), cmocka_unit_test(test_words_for_stages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
