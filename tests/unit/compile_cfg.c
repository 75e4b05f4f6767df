/* Control flow: the shapes by hand, then random graphs against the definitions of dominance and of natural loops. */
#include "compile_ir.h"

#include "compile/cfg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct ir ir;

static struct cfg *parse(const char *text)
{
	ir = ir_parse(text);
	return cfg_new(ir_function(&ir, "f"));
}

static void end(struct cfg *cfg)
{
	cfg_free(cfg);
	ir_free(&ir);
}

static int at(const struct cfg *cfg, const char *name)
{
	for (int i = 0; i < cfg->count; i++)
		if (strcmp(LLVMGetBasicBlockName(cfg->blocks[i].block), name) == 0)
			return i;
	fail_msg("no block %s", name);
	return -1;
}

#define IDOM(cfg, block, dominator_name) assert_int_equal((cfg)->blocks[at(cfg, block)].dominator, at(cfg, dominator_name))

static void test_single(void **state)
{
	(void)state;
	struct cfg *cfg = parse("define void @f() {\nentry:\n ret void\n}\n");
	assert_true(cfg->count == 1 && cfg->reachable == 1);
	assert_true(cfg->blocks[0].dominator == 0 && cfg->blocks[0].loop == -1 && !cfg->blocks[0].header && cfg->blocks[0].depth == 0);
	assert_true(cfg_dominates(cfg, 0, 0));
	end(cfg);
}

static void test_diamond(void **state)
{
	(void)state;
	struct cfg *cfg = parse("define void @f(i1 %c) {\nentry:\n br i1 %c, label %left, label %right\n"
	                        "left:\n br label %join\nright:\n br label %join\njoin:\n ret void\n}\n");
	int entry = at(cfg, "entry"), left = at(cfg, "left"), right = at(cfg, "right"), join = at(cfg, "join");
	IDOM(cfg, "join", "entry");
	IDOM(cfg, "left", "entry");
	assert_true(cfg_dominates(cfg, entry, join) && !cfg_dominates(cfg, left, join) && !cfg_dominates(cfg, left, right));
	assert_false(cfg_dominates(cfg, join, entry));
	assert_int_equal(cfg->blocks[join].predecessor_count, 2);
	assert_true(cfg->blocks[entry].order == 0 && cfg->blocks[join].order == 3);
	assert_int_equal(cfg->blocks[entry].successors[0], left); /* true first */
	end(cfg);
}

static void test_nested_loops(void **state)
{
	(void)state;
	struct cfg *cfg = parse("define void @f(i1 %c) {\nentry:\n br label %outer\n"
	                        "outer:\n br i1 %c, label %inner, label %exit\n"
	                        "inner:\n br i1 %c, label %body, label %latch\n"
	                        "body:\n br i1 %c, label %inner, label %other\n"
	                        "other:\n br label %inner\n" /* a second back edge */
	                        "latch:\n br label %outer\n"
	                        "exit:\n ret void\n}\n");
	int outer = at(cfg, "outer"), inner = at(cfg, "inner"), body = at(cfg, "body"), latch = at(cfg, "latch"), exit = at(cfg, "exit");
	assert_true(cfg->blocks[outer].header && cfg->blocks[inner].header && !cfg->blocks[body].header && !cfg->blocks[latch].header);
	assert_true(cfg->blocks[body].loop == inner && cfg->blocks[at(cfg, "other")].loop == inner && cfg->blocks[latch].loop == outer);
	assert_true(cfg->blocks[inner].loop == inner && cfg->blocks[inner].outer == outer && cfg->blocks[outer].outer == -1);
	assert_true(cfg->blocks[body].depth == 2 && cfg->blocks[latch].depth == 1 && cfg->blocks[exit].depth == 0);
	assert_true(cfg_in_loop(cfg, body, outer) && cfg_in_loop(cfg, body, inner) && cfg_in_loop(cfg, inner, inner));
	assert_false(cfg_in_loop(cfg, latch, inner) || cfg_in_loop(cfg, exit, outer));
	end(cfg);
}

static void test_self_loop(void **state)
{
	(void)state;
	struct cfg *cfg = parse("define void @f(i1 %c) {\nentry:\n br label %self\n"
	                        "self:\n br i1 %c, label %self, label %exit\nexit:\n ret void\n}\n");
	int self = at(cfg, "self");
	assert_true(cfg->blocks[self].header && cfg->blocks[self].loop == self && cfg->blocks[self].depth == 1);
	assert_int_equal(cfg->blocks[at(cfg, "exit")].loop, -1);
	end(cfg);
}

/* A cycle with two ways in has no header: it is no loop. */
static void test_irreducible(void **state)
{
	(void)state;
	struct cfg *cfg = parse("define void @f(i1 %c) {\nentry:\n br i1 %c, label %a, label %b\n"
	                        "a:\n br label %b\nb:\n br i1 %c, label %a, label %exit\nexit:\n ret void\n}\n");
	IDOM(cfg, "a", "entry");
	IDOM(cfg, "b", "entry");
	IDOM(cfg, "exit", "b");
	for (int i = 0; i < cfg->count; i++)
		assert_true(!cfg->blocks[i].header && cfg->blocks[i].loop == -1 && cfg->blocks[i].depth == 0);
	end(cfg);
}

/* What cannot be reached dominates nothing and makes no loop, though it is a predecessor. */
static void test_unreachable(void **state)
{
	(void)state;
	struct cfg *cfg = parse("define void @f(i1 %c) {\nentry:\n br label %join\n"
	                        "dead:\n br i1 %c, label %join, label %dead\n"
	                        "join:\n ret void\n}\n");
	int dead = at(cfg, "dead"), join = at(cfg, "join");
	assert_true(cfg->count == 3 && cfg->reachable == 2);
	assert_true(cfg->blocks[dead].order == -1 && cfg->blocks[dead].dominator == -1 && !cfg->blocks[dead].header);
	assert_int_equal(cfg->blocks[join].predecessor_count, 2);
	IDOM(cfg, "join", "entry");
	end(cfg);
}

static void test_switch(void **state)
{
	(void)state;
	struct cfg *cfg = parse("define void @f(i32 %n) {\nentry:\n switch i32 %n, label %other [ i32 1, label %one i32 2, label %one ]\n"
	                        "one:\n br label %other\nother:\n unreachable\n}\n");
	assert_int_equal(cfg->blocks[0].successor_count, 3);
	assert_int_equal(cfg->blocks[0].successors[0], at(cfg, "other"));
	assert_int_equal(cfg->blocks[at(cfg, "one")].predecessor_count, 2);
	assert_int_equal(cfg->blocks[at(cfg, "other")].successor_count, 0);
	IDOM(cfg, "other", "entry");
	end(cfg);
}

/* --- random graphs --- */

enum { BLOCKS = 9, GRAPHS = 400 };

static unsigned next_random(void)
{
	static uint64_t x = 1;
	x = x * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(x >> 33);
}

/* No block goes to the entry: LLVM does not allow that. */
static struct cfg *random_graph(void)
{
	char text[4096];
	int n = snprintf(text, sizeof text, "define void @f(i32 %%n) {\n");
	for (int b = 0; b < BLOCKS; b++) {
		unsigned a = 1 + next_random() % (BLOCKS - 1), c = 1 + next_random() % (BLOCKS - 1), ways = next_random() % 5;
		n += snprintf(text + n, sizeof text - (size_t)n, "b%d:\n", b);
		if (ways == 0)
			n += snprintf(text + n, sizeof text - (size_t)n, " ret void\n");
		else if (ways == 1)
			n += snprintf(text + n, sizeof text - (size_t)n, " br label %%b%u\n", a);
		else
			n += snprintf(text + n, sizeof text - (size_t)n, " switch i32 %%n, label %%b%u [ i32 1, label %%b%u ]\n", a, c);
	}
	snprintf(text + n, sizeof text - (size_t)n, "}\n");
	return parse(text);
}

/* Is there a way from one block to another that does not enter `without`? */
static bool reaches(const struct cfg *cfg, int from, int to, int without)
{
	bool seen[BLOCKS] = {0};
	int stack[BLOCKS], depth = 0;
	if (from == without)
		return false;
	seen[from] = true;
	stack[depth++] = from;
	while (depth) {
		const struct cfg_block *b = &cfg->blocks[stack[--depth]];
		for (unsigned k = 0; k < b->successor_count; k++) {
			int s = b->successors[k];
			if (s != without && !seen[s]) {
				seen[s] = true;
				stack[depth++] = s;
			}
		}
	}
	return seen[to];
}

static bool dominates(const struct cfg *cfg, int a, int b)
{
	return a == b || !reaches(cfg, 0, b, a);
}

/* By definition: the header, and what reaches a back edge without it. */
static bool is_in_loop(const struct cfg *cfg, int block, int header)
{
	for (unsigned k = 0; k < cfg->blocks[header].predecessor_count; k++) {
		int p = cfg->blocks[header].predecessors[k];
		if (!reaches(cfg, 0, p, -1) || !dominates(cfg, header, p))
			continue;
		if (block == header || block == p || (p != header && reaches(cfg, block, p, header)))
			return true;
	}
	return false;
}

static void check_block(const struct cfg *cfg, int b)
{
	unsigned depth = 0;
	for (int a = 0; a < cfg->count; a++) {
		if (!reaches(cfg, 0, a, -1))
			continue;
		assert_int_equal(cfg_dominates(cfg, a, b), dominates(cfg, a, b));
		if (a != b && dominates(cfg, a, b)) /* the nearest is dominated by all others */
			assert_true(dominates(cfg, a, cfg->blocks[b].dominator));
		assert_int_equal(cfg_in_loop(cfg, b, a), is_in_loop(cfg, b, a));
		depth += is_in_loop(cfg, b, a);
	}
	assert_int_equal(cfg->blocks[b].depth, depth);
	assert_int_equal(cfg->blocks[b].header, is_in_loop(cfg, b, b));
	if (b)
		assert_true(cfg->blocks[b].dominator != b && dominates(cfg, cfg->blocks[b].dominator, b));
}

static void test_random(void **state)
{
	(void)state;
	for (int i = 0; i < GRAPHS; i++) {
		struct cfg *cfg = random_graph();
		for (int b = 0; b < cfg->count; b++) {
			assert_int_equal(cfg->blocks[b].order >= 0, reaches(cfg, 0, b, -1));
			if (cfg->blocks[b].order < 0) {
				assert_true(cfg->blocks[b].loop == -1 && cfg->blocks[b].depth == 0 && !cfg->blocks[b].header);
				continue;
			}
			assert_int_equal(cfg->order[cfg->blocks[b].order], b);
			check_block(cfg, b);
		}
		end(cfg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single), cmocka_unit_test(test_diamond), cmocka_unit_test(test_nested_loops),
		cmocka_unit_test(test_self_loop), cmocka_unit_test(test_irreducible), cmocka_unit_test(test_unreachable),
		cmocka_unit_test(test_switch), cmocka_unit_test(test_random),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
