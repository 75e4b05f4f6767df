/* The solver pipeline against Z3 on the queries of a real exploration. Explores a program and keeps a copy of every slice that was
 * asked about; then asks them again, in CPU time:
 *   cold       each distinct query once, every one by a solver that was just made, against Z3 with a context per query, Z3 with a
 *              context for many and a solver per query, and Z3 incremental (one solver, push and pop);
 *   sequence   all queries as they came, by one solver with all it remembers, against the best of the three.
 * If there are too many for Z3, both sides are measured on the same sample, every n-th query: a few hard ones decide such figures, so
 * rates of different sets say nothing. In the sequence the pipeline solves them all, but the sample is what is timed. Z3 as the last
 * stage is asked in this process, so that its time counts. Verdicts are compared; what nobody knew is counted on both sides.
 * Nothing runs outside of the sandbox.
 *
 *     make bench && build/bench/solver [--execs N] [--time S] [--stdin N | --stdin-file FILE] [--keep N] [--z3 N] [--slow MS] [--stages] PROGRAM ARGS...
 */
#include "base/digest.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "expr/op.h"
#include "solve/memo.h"
#include "solve/problem.h"
#include "solve/translate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CONTEXT_QUERIES = 100 /* per shared context: it only grows */ };

struct recorded {
	struct path_source from;
	struct conjunct *goals;
	size_t goals_count;
	struct digest key;      /* of slice and seed */
	enum verdict verdict;   /* that the exploration got */
	bool first;             /* no query before it was the same */
	bool in_distinct, in_sequence; /* is in the samples */
};

struct recorder {
	struct arena *arena;
	VEC(struct recorded) queries;
	struct memo seen, objects; /* objects: by name, to their number */
	uint64_t objects_count;
	size_t keep, distinct;
};

/* --- recording --- */

static uint32_t object_number(struct recorder *r, uint64_t name)
{
	uint64_t *at = memo_put(&r->objects, digest_of(name));
	if (!*at)
		*at = ++r->objects_count;
	return (uint32_t)*at - 1;
}

static void copy_array(struct recorder *r, const struct terms *from, uint32_t array, struct td_array *to, uint8_t *bytes, uint32_t offset)
{
	(void)r;
	const struct td_array *a = &from->arrays[array];
	*to = *a;
	to->offset = offset;
	memcpy(bytes + offset, from->array_bytes + a->offset, (size_t)a->count * (a->bits / 8u));
}

/* Its own copy of everything; each TABLE has an array of its own. */
static struct terms copy_terms(struct recorder *r, const struct problem *p)
{
	struct terms t = p->terms;
	uint32_t tables = 0, size = 0;
	for (uint32_t id = 1; id < t.count; id++)
		if (t.nodes[id].op == TD_TABLE) {
			const struct td_array *a = &t.arrays[t.nodes[id].b];
			tables++;
			size += (a->count * (a->bits / 8u) + 7) / 8 * 8;
		}
	struct td_node *nodes = arena_copy(r->arena, t.nodes, t.count * sizeof *nodes);
	struct td_array *arrays = arena_alloc(r->arena, (tables + 1) * sizeof *arrays);
	uint8_t *bytes = arena_alloc(r->arena, size + 8);
	tables = size = 0;
	for (uint32_t id = 1; id < t.count; id++) {
		struct td_node *n = &nodes[id];
		if (n->op == TD_INPUT || n->op == TD_LENGTH)
			n->a = object_number(r, p->variables[n->c].name);
		if (n->op != TD_TABLE)
			continue;
		copy_array(r, &p->terms, n->b, &arrays[tables], bytes, size);
		size += (arrays[tables].count * (arrays[tables].bits / 8u) + 7) / 8 * 8;
		n->b = tables++;
	}
	return (struct terms){ nodes, t.count, arrays, tables, bytes };
}

/* What the variables tell of the seed; the rest is 0. */
static struct assignment copy_seed(struct recorder *r, const struct problem *p)
{
	struct content *objects = arena_alloc(r->arena, (r->objects_count + 1) * sizeof *objects);
	for (uint32_t i = 0; i < p->variables_count; i++) {
		const struct variable *v = &p->variables[i];
		struct content *o = &objects[object_number(r, v->name)];
		uint64_t end = v->is_length ? v->seed : v->is_behind ? 0 : v->offset + 1ull;
		o->length = end > o->length ? end : o->length;
	}
	for (uint64_t i = 0; i < r->objects_count; i++)
		objects[i].bytes = arena_alloc(r->arena, objects[i].length + 1);
	for (uint32_t i = 0; i < p->variables_count; i++)
		if (!p->variables[i].is_length && !p->variables[i].is_behind)
			((uint8_t *)objects[object_number(r, p->variables[i].name)].bytes)[p->variables[i].offset] = (uint8_t)p->variables[i].seed;
	return (struct assignment){ objects, (uint32_t)r->objects_count };
}

static void record(void *context, const struct problem *p, enum verdict verdict)
{
	struct recorder *r = context;
	if (r->queries.count >= r->keep)
		return;
	struct recorded q = { .goals_count = p->goals, .key = digest_join(p->key, p->seed_key), .verdict = verdict };
	uint64_t *seen = memo_put(&r->seen, q.key);
	q.first = !*seen;
	*seen = 1;
	r->distinct += q.first;
	q.from.terms = copy_terms(r, p);
	q.from.seed = copy_seed(r, p);
	q.from.demands = arena_copy(r->arena, p->parts, (p->count + 1) * sizeof *p->parts);
	q.from.count = p->count - p->goals;
	q.goals = (struct conjunct *)q.from.demands + q.from.count;
	vec_push(&r->queries, q);
}

/* --- asking again --- */

static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct tally {
	uint64_t count, verdicts[3], wrong; /* wrong: another verdict than the exploration's, where both know */
	double seconds;
};

static void count(struct tally *t, const struct recorded *q, enum verdict v)
{
	t->count++;
	t->verdicts[v]++;
	t->wrong += v != q->verdict && v != VERDICT_UNKNOWN && q->verdict != VERDICT_UNKNOWN;
}

static double rate(const struct tally *t)
{
	return t->seconds > 0 ? (double)t->count / t->seconds : 0;
}

static void tell(const char *name, const struct tally *t)
{
	printf("  %-28s %7" PRIu64 " queries %9.0f /s   sat %" PRIu64 ", unsat %" PRIu64 ", unknown %" PRIu64 "%s\n", name, t->count, rate(t),
	       t->verdicts[VERDICT_SAT], t->verdicts[VERDICT_UNSAT], t->verdicts[VERDICT_UNKNOWN], t->wrong ? "   WRONG VERDICTS" : "");
	if (t->wrong)
		printf("  %" PRIu64 " verdicts differ\n", t->wrong);
}

static enum verdict ask(struct solver *s, const struct recorded *q, struct arena *scratch)
{
	struct question question = { path_new(&q->from), q->from.count, q->goals, q->goals_count };
	struct answer a;
	struct err err = {0};
	bool ok = solver_check(s, &question, scratch, &a, &err);
	path_free(question.path);
	arena_reset(scratch);
	if (!ok)
		printf("  %s\n", err.text);
	return ok ? a.verdict : VERDICT_UNKNOWN;
}

/* What was recorded is single queries: losses are not dropped again. */
static void forget_losses(struct recorder *r)
{
	for (size_t i = 0; i < r->queries.count; i++)
		for (size_t k = 0; k < r->queries.at[i].from.count; k++)
			((struct conjunct *)r->queries.at[i].from.demands)[k].kind = CONJUNCT_PATH;
}

/* One line about a query that took long. */
static void tell_slow(const struct recorded *q, enum verdict v, double seconds)
{
	unsigned ops[TD_OP_COUNT] = {0};
	for (uint32_t id = 1; id < q->from.terms.count; id++)
		ops[q->from.terms.nodes[id].op]++;
	printf("    %.1f ms: verdict %d, %zu parts, %u terms:", seconds * 1e3, (int)v, q->from.count + q->goals_count, q->from.terms.count - 1);
	for (unsigned op = 1; op < TD_OP_COUNT; op++)
		if (ops[op])
			printf(" %s %u", op_get(op)->name, ops[op]);
	putchar('\n');
}

static void take_samples(struct recorder *r, size_t most)
{
	size_t step = r->distinct / most + 1, all_step = r->queries.count / most + 1, at = 0;
	for (size_t i = 0; i < r->queries.count; i++) {
		r->queries.at[i].in_distinct = r->queries.at[i].first && at++ % step == 0;
		r->queries.at[i].in_sequence = i % all_step == 0;
	}
}

static struct tally ask_cold(const struct recorder *r, const struct solver_options *o, double slow, struct arena *scratch)
{
	struct tally t = {0};
	for (size_t i = 0; i < r->queries.count; i++) {
		const struct recorded *q = &r->queries.at[i];
		if (!q->in_distinct)
			continue;
		double start = cpu();
		struct solver *s = solver_new(o);
		enum verdict v = ask(s, q, scratch);
		solver_free(s);
		double seconds = cpu() - start;
		t.seconds += seconds;
		count(&t, q, v);
		if (slow > 0 && seconds > slow)
			tell_slow(q, v, seconds);
	}
	return t;
}

static void tell_stages(const struct solver *s)
{
	struct solver_stats stats = solver_stats(s);
	for (unsigned i = 0; i < SOLVER_STAGES; i++)
		printf("    %-8s asked %7" PRIu64 ", sat %7" PRIu64 ", unsat %7" PRIu64 ", %.3f s\n", solver_stage_name((enum solver_stage)i),
		       stats.stages[i].asked, stats.stages[i].sat, stats.stages[i].unsat, stats.stages[i].seconds);
}

/* All of them, or the distinct ones; timed is what is in the sample. */
static struct tally ask_sequence(const struct recorder *r, const struct solver_options *o, bool distinct, struct tally *all, struct arena *scratch)
{
	struct tally t = {0};
	struct solver *s = solver_new(o);
	for (size_t i = 0; i < r->queries.count; i++) {
		const struct recorded *q = &r->queries.at[i];
		if (distinct && !q->first)
			continue;
		double start = cpu();
		enum verdict v = ask(s, q, scratch);
		double seconds = cpu() - start;
		count(all, q, v);
		all->seconds += seconds;
		if (!q->in_sequence)
			continue;
		count(&t, q, v);
		t.seconds += seconds;
	}
	if (o->timed)
		tell_stages(s);
	solver_free(s);
	return t;
}

/* --- Z3 --- */

enum way { FRESH, SHARED, INCREMENTAL, WAYS };

static const char *const way_names[] = { "Z3, a context per query", "Z3, a solver per query", "Z3, incremental" };

struct z3 {
	Z3_context c;
	Z3_solver solver;
	unsigned asked;
	enum way way;
};

static void ignore(Z3_context c, Z3_error_code code)
{
	(void)c;
	(void)code;
}

static Z3_solver z3_solver(Z3_context c, const struct smt_limits *limits, bool incremental)
{
	Z3_solver s = incremental ? Z3_mk_solver(c) : Z3_mk_solver_for_logic(c, Z3_mk_string_symbol(c, "QF_BV"));
	Z3_solver_inc_ref(c, s);
	Z3_params p = Z3_mk_params(c);
	Z3_params_inc_ref(c, p);
	Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "rlimit"), limits->rlimit);
	Z3_params_set_uint(c, p, Z3_mk_string_symbol(c, "timeout"), limits->timeout_ms);
	Z3_solver_set_params(c, s, p);
	Z3_params_dec_ref(c, p);
	return s;
}

static void z3_end(struct z3 *z)
{
	if (z->c && z->solver)
		Z3_solver_dec_ref(z->c, z->solver);
	if (z->c)
		Z3_del_context(z->c);
	z->c = NULL;
	z->solver = NULL;
}

static void z3_begin(struct z3 *z, const struct smt_limits *limits)
{
	if (z->c && z->way != FRESH && z->asked++ % CONTEXT_QUERIES)
		return;
	z3_end(z);
	Z3_config config = Z3_mk_config();
	z->c = Z3_mk_context(config);
	Z3_del_config(config);
	Z3_set_error_handler(z->c, ignore);
	z->asked = 1;
	if (z->way == INCREMENTAL)
		z->solver = z3_solver(z->c, limits, true);
}

static enum verdict z3_check(struct z3 *z, const struct problem *p, const struct smt_limits *limits, struct arena *scratch)
{
	z3_begin(z, limits);
	struct translation t = { .c = z->c, .p = p, .arena = scratch };
	Z3_solver s = z->way == INCREMENTAL ? z->solver : z3_solver(z->c, limits, false);
	if (z->way == INCREMENTAL)
		Z3_solver_push(z->c, s);
	translate(&t);
	for (size_t i = 0; i < t.ties_count; i++)
		Z3_solver_assert(z->c, s, t.ties[i]);
	for (size_t i = 0; i < p->count; i++)
		Z3_solver_assert(z->c, s, t.parts[i]);
	Z3_lbool result = Z3_solver_check(z->c, s);
	if (result == Z3_L_TRUE) { /* the model counts, too */
		Z3_model m = Z3_solver_get_model(z->c, s);
		Z3_model_inc_ref(z->c, m);
		for (uint32_t i = 0; i < p->variables_count; i++)
			if (!p->variables[i].is_fixed)
				Z3_model_get_const_interp(z->c, m, Z3_get_app_decl(z->c, Z3_to_app(z->c, t.variables[i])));
		Z3_model_dec_ref(z->c, m);
	}
	if (z->way == INCREMENTAL)
		Z3_solver_pop(z->c, s, 1);
	else
		Z3_solver_dec_ref(z->c, s);
	return result == Z3_L_TRUE ? VERDICT_SAT : result == Z3_L_FALSE ? VERDICT_UNSAT : VERDICT_UNKNOWN;
}

/* Slicing is not counted. */
static struct tally ask_z3(const struct recorder *r, enum way way, bool sequence, const struct smt_limits *limits, struct arena *scratch)
{
	struct tally t = {0};
	struct z3 z = { .way = way };
	struct problem_space space = {0};
	for (size_t i = 0; i < r->queries.count; i++) {
		const struct recorded *q = &r->queries.at[i];
		if (!(sequence ? q->in_sequence : q->in_distinct))
			continue;
		struct question question = { path_new(&q->from), q->from.count, q->goals, q->goals_count };
		struct slice slice = path_slice(&question, true, scratch);
		struct problem p = problem_new(&slice, &space, scratch);
		double start = cpu();
		enum verdict v = z3_check(&z, &p, limits, scratch);
		t.seconds += cpu() - start;
		count(&t, q, v);
		path_free(question.path);
		arena_reset(scratch);
	}
	double start = cpu();
	z3_end(&z);
	t.seconds += cpu() - start;
	problem_space_free(&space);
	return t;
}

/* --- all of it --- */

struct settings {
	uint64_t execs, keep, z3_most;
	double seconds, slow;
	size_t stdin_size;
	const char *stdin_file;
	bool stages;
	char **program;
	size_t argc;
};

static void found(void *context, const struct finding *f)
{
	(void)context;
	(void)f;
}

static void note(void *context, const char *text)
{
	(void)context;
	(void)text;
}

static bool explore(const struct settings *o, struct recorder *r, struct err *err)
{
	size_t size = o->stdin_size;
	char *bytes = o->stdin_file ? fs_read(o->stdin_file, &size, err) : memset(mem_alloc(size + 1), 'A', size);
	if (!bytes)
		return false;
	struct testcase feed = { .args = (const char *const *)o->program, .args_count = o->argc, .bytes = (const uint8_t *)bytes, .size = size };
	struct engine_options e = {
		.program = o->program[0], .feeds = &feed, .feeds_count = 1,
		.seed = 1, .execs = o->execs, .seconds = o->seconds, .sandbox = true, .wall_ms = 5000, .grow_max = 64, .solver = solver_options_default(),
		.go_on = true, .found = found, .note = note,
	};
	e.solver.observe = record;
	e.solver.context = r;
	enum engine_end end;
	struct engine_stats stats;
	bool ok = engine_explore(&e, &end, &stats, err);
	if (ok)
		printf("%s: %" PRIu64 " runs in %.1f s, %zu queries, %zu distinct\n", strrchr(o->program[0], '/') ? strrchr(o->program[0], '/') + 1 : o->program[0],
		       stats.runs, stats.seconds, r->queries.count, r->distinct);
	free(bytes);
	return ok;
}

static void compare(const struct settings *o, struct recorder *r)
{
	struct arena *scratch = arena_new();
	struct solver_options options = solver_options_default();
	enum way best = FRESH;
	double best_rate = 0;
	options.z3_inside = true;
	struct solver_options timed = options;
	timed.timed = true;
	forget_losses(r);
	take_samples(r, o->z3_most);
	struct tally cold = ask_cold(r, &options, o->slow, scratch), all = {0};
	tell("pipeline, cold", &cold);
	for (enum way w = 0; w < WAYS; w++) {
		struct tally z = ask_z3(r, w, false, &options.z3, scratch);
		tell(way_names[w], &z);
		best = rate(&z) > best_rate ? w : best;
		best_rate = rate(&z) > best_rate ? rate(&z) : best_rate;
	}
	struct tally sequence = ask_sequence(r, &options, false, &all, scratch), z = ask_z3(r, best, true, &options.z3, scratch);
	tell("pipeline, as they came", &sequence);
	tell(way_names[best], &z);
	tell("pipeline, all as they came", &all);
	printf("  cold %.1fx (bar 4x), with what is remembered %.1fx (bar 10x) of the best Z3\n", rate(&cold) / best_rate, rate(&sequence) / rate(&z));
	if (o->stages) {
		struct tally unused = {0};
		printf("  stages, as they came:\n");
		ask_sequence(r, &timed, false, &unused, scratch);
		printf("  stages, distinct, nothing remembered:\n");
		timed.stages &= ~(1u << STAGE_CACHE) & ~(1u << STAGE_CORES);
		ask_sequence(r, &timed, true, &unused, scratch);
	}
	arena_free(scratch);
}

static uint64_t number(char **argv, int *i)
{
	return argv[*i + 1] ? strtoull(argv[++*i], NULL, 10) : 0;
}

int main(int argc, char **argv)
{
	struct settings o = { .execs = 2000, .keep = 20000, .z3_most = 2000, .seconds = 20, .stdin_size = 8 };
	struct err err = {0};
	int i = 1;
	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--execs") == 0) o.execs = number(argv, &i);
		else if (strcmp(argv[i], "--time") == 0) o.seconds = (double)number(argv, &i);
		else if (strcmp(argv[i], "--stdin") == 0) o.stdin_size = number(argv, &i);
		else if (strcmp(argv[i], "--stdin-file") == 0) o.stdin_file = argv[++i];
		else if (strcmp(argv[i], "--keep") == 0) o.keep = number(argv, &i);
		else if (strcmp(argv[i], "--z3") == 0) o.z3_most = number(argv, &i);
		else if (strcmp(argv[i], "--slow") == 0) o.slow = (double)number(argv, &i) / 1e3;
		else if (strcmp(argv[i], "--stages") == 0) o.stages = true;
		else break;
	}
	if (i >= argc) {
		fprintf(stderr, "usage: solver [--execs N] [--time S] [--stdin N | --stdin-file FILE] [--keep N] [--z3 N] [--slow MS] [--stages] PROGRAM ARGS...\n");
		return 1;
	}
	o.program = argv + i;
	o.argc = (size_t)(argc - i);
	struct recorder r = { .arena = arena_new(), .keep = o.keep };
	memo_open(&r.seen, 8, UINT32_MAX);
	memo_open(&r.objects, 8, UINT32_MAX);
	bool ok = explore(&o, &r, &err);
	if (ok && r.queries.count)
		compare(&o, &r);
	if (!ok)
		fprintf(stderr, "solver: %s\n", err.text);
	memo_close(&r.seen);
	memo_close(&r.objects);
	vec_free(&r.queries);
	arena_free(r.arena);
	return ok ? 0 : 6;
}
