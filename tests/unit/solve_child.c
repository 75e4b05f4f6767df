/* Z3's process: it answers what Z3 in here answers, and when it is killed, stopped or starved nothing worse happens than no answer. */
#include "solve_common.h"

#include "solve/child.h"
#include "solve/problem.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct scene {
	struct arena *arena;
	struct build b;
	struct path *path;
	struct problem_space space;
	struct problem problem;
	uint64_t model[8];
};

/* A table's element and a sum, of which the goal may be possible or not. */
static struct scene scene_new(uint64_t wanted)
{
	struct scene s = { .arena = arena_new(), .b = build_new("abcd") };
	uint64_t noise[2] = { 1, 2 }, elements[3] = { 10, 20, 30 };
	build_array(&s.b, "noise", 8, noise, 2);
	uint32_t table = build_node(&s.b, TD_TABLE, 8, build_byte(&s.b, 0), build_array(&s.b, "t", 8, elements, 3), 0);
	uint32_t sum = build_node(&s.b, TD_ADD, 8, table, build_byte(&s.b, 1), 0);
	struct conjunct parts[] = { is(sum, CONJUNCT_GOAL, wanted), is(build_byte(&s.b, 1), CONJUNCT_GOAL, 5) };
	struct query q = query_of(&s.b, parts, 2);
	struct question question = question_of(&q, NULL, 0, s.arena);
	struct slice slice = path_slice(&question, true, s.arena);
	s.path = question.path;
	s.problem = problem_new(&slice, &s.space, s.arena);
	return s;
}

static void scene_free(struct scene *s)
{
	path_free(s->path);
	problem_space_free(&s->space);
	build_free(&s->b);
	arena_free(s->arena);
}

static const struct smt_limits limits = { .rlimit = 1000000, .timeout_ms = 5000 };

static void check_sat(struct child *c, struct scene *s)
{
	enum verdict v;
	assert_true(child_ask(c, &s->problem, &limits, s->arena, &v, s->model));
	assert_int_equal(v, VERDICT_SAT);
	assert_null(problem_refuted(&s->problem, s->model, s->arena));
}

static void test_it_answers(void **state)
{
	(void)state;
	struct child c = {0};
	struct scene yes = scene_new(25), no = scene_new(26);
	enum verdict v;
	check_sat(&c, &yes);
	assert_true(child_ask(&c, &no.problem, &limits, no.arena, &v, no.model));
	assert_int_equal(v, VERDICT_UNSAT);
	check_sat(&c, &yes);
	assert_int_equal(c.started, 1);
	child_stop(&c);
	scene_free(&yes);
	scene_free(&no);
}

static void test_it_was_killed(void **state)
{
	(void)state;
	struct child c = {0};
	struct scene s = scene_new(25);
	enum verdict v;
	check_sat(&c, &s);
	kill(c.pid, SIGKILL);
	assert_false(child_ask(&c, &s.problem, &limits, s.arena, &v, s.model));
	assert_int_equal(v, VERDICT_UNKNOWN);
	assert_int_equal(c.died, 1);
	check_sat(&c, &s); /* by a new one */
	assert_int_equal(c.started, 2);
	child_stop(&c);
	scene_free(&s);
}

static void test_it_hangs(void **state)
{
	(void)state;
	struct child c = {0};
	struct scene s = scene_new(25);
	struct smt_limits hasty = { .rlimit = 1000000, .timeout_ms = 1 };
	enum verdict v;
	check_sat(&c, &s);
	pid_t first = c.pid;
	kill(first, SIGSTOP);
	assert_false(child_ask(&c, &s.problem, &hasty, s.arena, &v, s.model));
	assert_int_equal(v, VERDICT_UNKNOWN);
	assert_int_equal(c.killed, 1);
	assert_int_equal(kill(first, 0), -1); /* gone, and no zombie */
	check_sat(&c, &s);
	child_stop(&c);
	scene_free(&s);
}

/* It must not keep anything of ours open. */
static void test_it_holds_no_descriptor(void **state)
{
	(void)state;
	struct child c = {0};
	struct scene s = scene_new(25);
	int fds[2];
	char byte;
	assert_int_equal(pipe(fds), 0);
	check_sat(&c, &s);
	close(fds[1]);
	assert_int_equal(read(fds[0], &byte, 1), 0); /* the end: nobody else has the other side */
	close(fds[0]);
	child_stop(&c);
	scene_free(&s);
}

/* In the pipeline, a query that is not answered is not remembered as one that nobody knows. */
static void test_the_pipeline_goes_on(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct build b = build_new("abcd");
	struct conjunct parts[] = { is(build_node(&b, TD_MUL, 8, build_byte(&b, 0), build_byte(&b, 1), 0), CONJUNCT_GOAL, 77) };
	struct query q = query_of(&b, parts, 1);
	struct solver_options o = only("cache,z3");
	o.z3_inside = false;
	struct solver *s = solver_new(&o);
	assert_int_equal(ask_solver(s, &q, arena).verdict, VERDICT_SAT);
	assert_int_equal(ask_solver(s, &q, arena).stage, STAGE_CACHE);
	assert_int_equal(solver_stats(s).lost, 0);
	solver_free(s);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
	build_free(&b);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_it_answers), cmocka_unit_test(test_it_was_killed), cmocka_unit_test(test_it_hangs),
		cmocka_unit_test(test_it_holds_no_descriptor), cmocka_unit_test(test_the_pipeline_goes_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
