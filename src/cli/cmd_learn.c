/* tandem learn: weights for a search, made for one program (ParaDySE); and a fair comparison of searches. The optimiser is src/learn, trials.c makes what it asks for. */
#include "cli/cases.h"
#include "cli/cli.h"
#include "cli/ledger.h"
#include "cli/plot.h"
#include "cli/seeds.h"
#include "cli/trials.h"

#include "base/clock.h"
#include "base/fs.h"
#include "base/mem.h"
#include "learn/optimise.h"
#include "learn/ranks.h"
#include "search/feature.h"
#include "search/search.h"
#include "search/weights.h"

#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define GROW_MAX 256  /* bytes, as explore has it */
#define TOP 10        /* features that are told */
#define POINTS 200    /* of a curve */
#define SHORTEST 15   /* runs of a trial that tell something of its weights; but of a long one */
#define SHORTEST_SHARE 64 /* no less than one in so many */
#define TRIALS_MAX 10000
#define MATCHES 10      /* trials of each search that is compared */
#define RUN_SECONDS 5
#define RUN_MEMORY ((uint64_t)1 << 30)

struct request {
	const char *out, *directory, *plot;
	uint64_t samples, execs, least, best, trials, rounds, seed, jobs;
	uint64_t matches; /* trials of each search in a comparison */
	uint64_t tree_size;
	double seconds;
	bool no_compare, no_sandbox, no_race, no_crosses, no_refine, no_tree, json, quiet;
	bool left_out[WEIGHTS];
	VEC(const char *) begins;   /* files of weights */
	VEC(const char *) compared; /* searches; empty: it is to learn */
	char **program;
	size_t argc;
	struct seeds seeds;
};

enum { KEY_DIR = 256, KEY_TRIALS, KEY_ROUNDS, KEY_TIME, KEY_SEED, KEY_COMPARE, KEY_NO_COMPARE, KEY_JSON, KEY_NO_PROGRESS, KEY_NO_SANDBOX, KEY_PLOT, KEY_NO_RACE, KEY_NO_CROSSES, KEY_NO_REFINE, KEY_WITHOUT, KEY_BEGIN, KEY_LEAST, KEY_NO_TREE, KEY_TREE_SIZE };

static const struct argp_option options[] = {
	{ "out", 'o', "FILE", 0, "where the weights are put; it ends in .theta or has a slash, to be told from a search (default: the program's name and .theta)", 0 },
	{ "dir", KEY_DIR, "DIR", 0, "where trials and what they found are kept (default: FILE.d); one that is there is gone on with", 0 },
	{ "samples", 'n', "N", 0, "vectors that are tried in each round (default 1000)", 0 },
	{ "execs", 'N', "N", 0, "runs of each trial (default 4000)", 0 },
	{ "best", 'K', "K", 0, "of these the best K are looked at closely (default: one of 100, 3 to 10)", 0 },
	{ "trials", KEY_TRIALS, "N", 0, "by so many trials each (default: one for 64 samples, 3 to 10); so many has every search of a comparison (default 10)", 0 },
	{ "rounds", KEY_ROUNDS, "N", 0, "at most N rounds (default 20)", 0 },
	{ "time", KEY_TIME, "S", 0, "stop after S seconds with the best so far; what is left of them is for the comparison (default 0: when nothing gets better)", 0 },
	{ "jobs", 'j', "N", 0, "by N processes (default 1)", 0 },
	{ "seed", KEY_SEED, "N", 0, "of the vectors (default 1)", 0 },
	{ "compare", KEY_COMPARE, "LIST", 0, "learn nothing, compare these searches, names and files with commas: a.theta,auto,cfds", 0 },
	{ "plot", KEY_PLOT, "FILE", 0, "draw the comparison: coverage over runs, the mean of the trials of each search, as SVG (default: FILE.svg beside the weights; with --compare none)", 0 },
	{ "no-compare", KEY_NO_COMPARE, NULL, 0, "do not compare what was learnt with the other searches", 0 },
	{ "no-race", KEY_NO_RACE, NULL, 0, "whole trials of all samples, as in the paper; else most samples have the beginning of one, and ever fewer go on", 0 },
	{ "least", KEY_LEAST, "N", 0, "runs that each sample has at least (default: a 64th of a trial, and 15); more if what is covered early tells little of what is covered late", 0 },
	{ "no-crosses", KEY_NO_CROSSES, NULL, 0, "no vector is a cross of the two best: all are sampled from ranges, as in the paper", 0 },
	{ "no-refine", KEY_NO_REFINE, NULL, 0, "sample everywhere in all rounds, as the paper's naive algorithm does", 0 },
	{ "no-tree", KEY_NO_TREE, NULL, 0, "no trial uses what others have run and solved; what comes of it is the same", 0 },
	{ "tree-size", KEY_TREE_SIZE, "M", 0, "MiB on disk that runs and answers may take (default 4096); what is beyond is not shared", 0 },
	{ "without", KEY_WITHOUT, "LIST", 0, "features that have no weight, by name with commas", 0 },
	{ "begin", KEY_BEGIN, "LIST", 0, "weights to begin with beside a guess of ours, files with commas: those of another version, or of another program", 0 },
	{ "json", KEY_JSON, NULL, 0, "what came of it as JSON on standard output; else it is told in words", 0 },
	{ "no-progress", KEY_NO_PROGRESS, NULL, 0, "do not tell how it is going", 0 },
	{ "no-sandbox", KEY_NO_SANDBOX, NULL, 0, "run in the current directory, without containment", 0 },
	{ 0 },
};

static uint64_t at_least_one(struct argp_state *state, const char *arg, uint64_t max)
{
	uint64_t n = cli_number(state, arg, max);
	if (!n)
		argp_error(state, "%s: at least 1", arg);
	return n;
}

static void split(struct argp_state *state, struct request *r, char *list)
{
	for (char *name = strtok(list, ","); name; name = strtok(NULL, ","))
		vec_push(&r->compared, name);
	if (!r->compared.count)
		argp_error(state, "which searches are to be compared?");
}

static void begin_with(struct argp_state *state, struct request *r, char *list)
{
	for (char *name = strtok(list, ","); name; name = strtok(NULL, ","))
		vec_push(&r->begins, name);
	if (!r->begins.count)
		argp_error(state, "--begin: which files?");
	if (r->begins.count >= OPTIMISE_BEGINS)
		argp_error(state, "--begin: at most %d files", OPTIMISE_BEGINS - 1);
}

static void leave_out(struct argp_state *state, struct request *r, char *list)
{
	if (!list[strspn(list, ",")])
		argp_error(state, "--without: which features?");
	for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		unsigned i = weight_find(name);
		if (i == WEIGHTS)
			argp_error(state, "no feature is called '%s'", name);
		else
			r->left_out[i] = true;
	}
}

/* What is told to do and not to do. */
static void check(struct argp_state *state, const struct request *r)
{
	if (r->no_compare && (r->compared.count || r->plot))
		argp_error(state, "--no-compare leaves out what %s asks for", r->compared.count ? "--compare" : "--plot");
	if (r->no_race && r->least)
		argp_error(state, "--no-race gives all samples whole trials, --least gives them less");
	if ((r->no_crosses || r->no_refine) && r->begins.count)
		argp_error(state, "--begin: with %s all vectors are sampled", r->no_crosses ? "--no-crosses" : "--no-refine");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct request *r = state->input;
	switch (key) {
	case 'o': r->out = arg; break;
	case KEY_DIR: r->directory = arg; break;
	case 'n': r->samples = at_least_one(state, arg, 1000000); break;
	case 'N': r->execs = at_least_one(state, arg, UINT32_MAX); break;
	case 'K': r->best = at_least_one(state, arg, 1000000); break;
	case KEY_TRIALS: r->trials = at_least_one(state, arg, TRIALS_MAX); break;
	case KEY_ROUNDS: r->rounds = at_least_one(state, arg, 10000); break;
	case KEY_TIME: r->seconds = cli_seconds(state, arg); break;
	case 'j': r->jobs = at_least_one(state, arg, 256); break;
	case KEY_SEED: r->seed = cli_number(state, arg, UINT64_MAX); break;
	case KEY_COMPARE: split(state, r, arg); break;
	case KEY_PLOT: r->plot = arg; break;
	case KEY_NO_COMPARE: r->no_compare = true; break;
	case KEY_NO_RACE: r->no_race = true; break;
	case KEY_NO_TREE: r->no_tree = true; break;
	case KEY_TREE_SIZE: r->tree_size = at_least_one(state, arg, 1 << 20); break;
	case KEY_NO_CROSSES: r->no_crosses = true; break;
	case KEY_NO_REFINE: r->no_refine = true; break;
	case KEY_WITHOUT: leave_out(state, r, arg); break;
	case KEY_LEAST: r->least = at_least_one(state, arg, UINT32_MAX); break;
	case KEY_BEGIN: begin_with(state, r, arg); break;
	case KEY_JSON: r->json = true; break;
	case KEY_NO_PROGRESS: r->quiet = true; break;
	case KEY_NO_SANDBOX: r->no_sandbox = true; break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &r->seeds; break;
	case ARGP_KEY_ARG: r->program = cli_program(state, &r->argc); break;
	case ARGP_KEY_NO_ARGS: argp_error(state, "which program?"); break;
	case ARGP_KEY_END: check(state, r); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = { { &seeds_parser, 0, NULL, 0 }, { 0 } };

static const struct argp parser = {
	.options = options, .children = children, .parser = parse_option, .args_doc = "PROGRAM [ARGUMENT...]",
	.doc = "Finds weights with which `tandem explore --search FILE` covers more of PROGRAM, by thousands of explorations: each sample of weights is worth what it covers in so many runs. Interrupted, or killed, "
	       "the same command goes on where it was. With --compare, searches are compared: the same inputs, runs and seeds for each.",
};

/* --- how it is going --- */

struct session {
	const struct request *r;
	struct trials *trials;
	struct err *err;
	enum cli_exit fault;      /* what an error means */
	const char *phase;        /* what is under way */
	unsigned round;
	double start, told;       /* seconds */
	bool differs;             /* some samples covered more than others */
	bool ended, compared;     /* learning, and the comparison, came to their end */
	const char *same_as;      /* what it began with and no sample was better than; NULL: a sample was */
	json_t *rounds;
};

static void progress(void *context, size_t done, size_t count, double seconds)
{
	struct session *s = context;
	double now = clock_seconds();
	if (s->r->quiet || now - s->told < 10)
		return;
	s->told = now;
	fprintf(stderr, "%.0f s: %s: %zu of %zu trials", now - s->start, s->phase, done, count);
	if (done)
		fprintf(stderr, ", about %.0f s left", seconds / (double)done * (double)(count - done) / (double)s->r->jobs);
	fputc('\n', stderr);
}

/* --- learning --- */

static bool run_trials(void *context, const struct optimise_trial *list, size_t count, double *results)
{
	struct session *s = context;
	struct trial *trials = mem_alloc(count * sizeof *trials);
	struct trial_result *came = mem_alloc(count * sizeof *came);
	char phase[64];
	snprintf(phase, sizeof phase, "round %u, %.0f runs each", s->round + 1, list[0].part * (double)s->r->execs);
	s->phase = phase;
	for (size_t i = 0; i < count; i++)
		trials[i] = (struct trial){ &search_theta, list[i].theta, list[i].seed, list[i].part < 1 ? (uint64_t)(list[i].part * (double)s->r->execs) : 0, false };
	bool ok = trials_run(s->trials, trials, count, came, s->err);
	for (size_t i = 0; i < count && ok; i++)
		results[i] = came[i].covered;
	free(trials);
	free(came);
	return ok;
}

static void told(void *context, const struct optimise_round *r)
{
	struct session *s = context;
	s->round = r->number;
	s->ended = r->is_last;
	s->differs |= !r->alike;
	json_array_append_new(s->rounds, json_pack("{s:i,s:I,s:f,s:f,s:f,s:f,s:f}", "round", (int)r->number, "samples_runs", (json_int_t)(r->part * (double)s->r->execs), "samples_mean", r->found_mean, "samples_best", r->found_best, "average", r->average, "spread", r->spread,
	                                           "second", r->second));
	if (!s->r->json)
		printf("round %u: samples cover %.1f on average in %.0f runs, the best of them %.0f in %" PRIu64 "; over %" PRIu64 " trials the best covers %.1f +- %.1f, the next %.1f\n", r->number, r->found_mean,
		       r->part * (double)s->r->execs, r->found_best, s->r->execs, s->r->trials, r->average, r->spread, r->second);
	fflush(stdout);
}

static int by_weight(const void *a, const void *b, void *context)
{
	const double *w = context;
	double x = w[*(const unsigned *)a], y = w[*(const unsigned *)b];
	return (x < y) - (x > y);
}

/* The features that decide, as tables 8 and 9 of the paper do. */
static void tell_features(const double *theta)
{
	unsigned order[FEATURES];
	for (unsigned i = 0; i < FEATURES; i++)
		order[i] = i;
	qsort_r(order, FEATURES, sizeof *order, by_weight, (void *)(uintptr_t)theta);
	for (int side = 0; side < 2; side++) {
		printf("%s:", side ? "most against" : "most in favour");
		for (unsigned i = 0; i < TOP; i++) {
			unsigned k = order[side ? FEATURES - 1 - i : i];
			if (side ? theta[k] < 0 : theta[k] > 0)
				printf("%s %s %.2f", i ? "," : "", feature_table[k].name, theta[k]);
		}
		putchar('\n');
	}
	for (unsigned i = FEATURES; i < WEIGHTS; i++)
		printf("%s %.2f: %s\n", weight_name(i), theta[i], weight_text(i));
}

/* --- comparing --- */

struct rival {
	const char *name;
	const struct strategy *search;
	double weights[WEIGHTS];
	double *covered;          /* by trial */
	double mean, spread, chained;
	double curve[POINTS];     /* mean coverage after so many parts of all runs */
};

static bool find_rival(struct rival *v, const char *name, struct err *err)
{
	*v = (struct rival){ .name = name };
	v->search = weights_choose(name, v->weights, err);
	return v->search && (!v->search->whole || err_set(err, "%s takes all of an exploration's turns: it cannot be compared", name));
}

static void add_curve(struct session *s, struct rival *v, const struct trial *one)
{
	size_t count, at = 0;
	const struct ledger_step *steps = trials_curve(s->trials, one, &count);
	double now = 0;
	for (size_t i = 0; i < POINTS; i++) {
		double runs = (double)s->r->execs * (double)(i + 1) / POINTS;
		for (; at < count && steps[at].runs <= runs; at++)
			now = steps[at].covered;
		v->curve[i] += now / (double)s->r->matches;
	}
}

/* By seeds that no weights were chosen for. */
static bool try_rival(struct session *s, struct rival *v)
{
	size_t n = (size_t)s->r->matches;
	struct trial *trials = mem_alloc(n * sizeof *trials);
	struct trial_result *came = mem_alloc(n * sizeof *came);
	s->phase = v->name;
	v->covered = mem_alloc(n * sizeof *v->covered);
	for (size_t i = 0; i < n; i++)
		trials[i] = (struct trial){ v->search, v->search->weighed ? v->weights : NULL, TRIALS_MAX + i + 1, 0, true };
	bool ok = trials_run(s->trials, trials, n, came, s->err);
	for (size_t i = 0; i < n && ok; i++) {
		v->covered[i] = came[i].covered;
		v->mean += came[i].covered / (double)n;
		v->chained += came[i].chained / (double)n;
		add_curve(s, v, &trials[i]);
	}
	for (size_t i = 0; i < n && ok && n > 1; i++)
		v->spread += (v->covered[i] - v->mean) * (v->covered[i] - v->mean) / (double)(n - 1);
	v->spread = sqrt(v->spread);
	free(trials);
	free(came);
	return ok;
}

static json_t *json_of_rival(const struct rival *v, const struct ranks *k)
{
	return json_pack("{s:s,s:f,s:f,s:f,s:f,s:f}", "search", v->name, "mean", v->mean, "spread", v->spread, "chained", v->chained, "p", k->p, "share", k->share);
}

/* Each beside the first, which is what was learnt, or the first of the list. */
static json_t *tell_rivals(const struct session *s, const struct rival *all, size_t count)
{
	json_t *list = json_array();
	if (!s->r->json)
		printf("%-24s %9s %8s %9s   %s\n", "search", "covered", "spread", "chained", "beside the first: p by Mann and Whitney, pairs that the first wins");
	for (size_t i = 0; i < count; i++) {
		struct ranks k = ranks_compare(all[0].covered, (size_t)s->r->matches, all[i].covered, (size_t)s->r->matches);
		json_array_append_new(list, json_of_rival(&all[i], &k));
		if (s->r->json)
			continue;
		printf("%-24s %9.1f %8.1f %9.1f", all[i].name, all[i].mean, all[i].spread, all[i].chained);
		if (i)
			printf("   p = %.4f, %.0f %%%s", k.p, 100 * k.share, k.p >= 0.05 ? "" : k.share > 0.5 ? ": the first is better" : ": the first is worse");
		putchar('\n');
	}
	return list;
}

static bool draw(struct session *s, const struct rival *all, size_t count)
{
	struct plot_curve *curves = mem_alloc(count * sizeof *curves);
	struct str title = {0};
	for (size_t i = 0; i < count; i++)
		curves[i] = (struct plot_curve){ all[i].name, all[i].curve };
	str_printf(&title, "%s, mean of %" PRIu64 " trials", s->r->program[0], s->r->matches);
	bool ok = plot_write(&(struct plot){ .title = str_text(&title), .x = "runs", .y = "sides of branches taken", .x_max = (double)s->r->execs, .points = POINTS, .curves = curves, .curves_count = count }, s->r->plot, s->err);
	s->fault = ok ? s->fault : CLI_INTERNAL;
	str_free(&title);
	free(curves);
	return ok;
}

/* What it was cut off in is not told of: half of its trials say nothing. */
static json_t *tell_complete(struct session *s, const struct rival *all, size_t count, size_t wanted)
{
	json_t *list = tell_rivals(s, all, count);
	if (count < wanted && !s->r->json)
		printf("there was no time for the other %zu searches; the same command goes on\n", wanted - count);
	if (s->r->plot && count && !draw(s, all, count)) {
		json_decref(list);
		return NULL;
	}
	return list;
}

static json_t *compare(struct session *s, const char *const *names, size_t count)
{
	struct rival *all = mem_alloc((count + 1) * sizeof *all);
	size_t complete = 0;
	bool ok = true;
	for (size_t i = 0; i < count && ok; i++)
		ok = find_rival(&all[i], names[i], s->err);
	s->fault = ok ? s->fault : CLI_USAGE;
	while (complete < count && ok && try_rival(s, &all[complete]))
		complete++;
	s->compared = complete == count;
	if (ok && *s->err->text)
		s->fault = CLI_INTERNAL;
	json_t *list = ok && !*s->err->text ? tell_complete(s, all, complete, count) : NULL;
	for (size_t i = 0; i < count; i++)
		free(all[i].covered);
	free(all);
	return list;
}

/* What was learnt beside all others that there are. */
static json_t *compare_all(struct session *s)
{
	VEC(const char *) names = {0};
	vec_push(&names, s->r->out);
	for (size_t i = 0; i < search_count; i++)
		if (!search_table[i]->whole && search_table[i] != &search_theta)
			vec_push(&names, search_table[i]->name);
	json_t *list = compare(s, names.at, names.count);
	vec_free(&names);
	return list;
}

/* --- all together --- */

/* What was spent up to now. */
struct spent {
	struct trials_sums sums;
	double clock, cpu;        /* seconds */
};

static struct spent spent(const struct session *s)
{
	struct rusage u;
	getrusage(RUSAGE_CHILDREN, &u);
	return (struct spent){ trials_sums(s->trials), clock_seconds(), (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6 };
}

static json_t *tell_cost(const struct session *s, const struct spent *since, bool learning)
{
	struct spent now = spent(s);
	uint64_t trials = now.sums.made - since->sums.made, known = now.sums.known - since->sums.known;
	uint64_t covered = learning ? now.sums.learnt : now.sums.covered;
	double runs = now.sums.runs - since->sums.runs, made = now.sums.runs_made - since->sums.runs_made, clock = now.clock - since->clock, cpu = now.cpu - since->cpu;
	if (!s->r->json)
		printf("%s: %" PRIu64 " trials, %" PRIu64 " known before; %.0f runs, %.1f %% of them known from other trials (%.1f MiB), in %.0f s by the clock, %.0f s of the processor; all trials together cover %" PRIu64 " sides\n",
		       learning ? "training" : "comparison", trials, known, runs, made < runs ? 100 * (1 - made / runs) : 0, (double)now.sums.tree_size / (1 << 20), clock, cpu, covered);
	if (!s->r->json && now.sums.tree_full)
		printf("there is no room for more runs and answers: those that are new are not shared (--tree-size, or the disk)\n");
	return json_pack("{s:I,s:I,s:f,s:f,s:I,s:f,s:f,s:I}", "trials", (json_int_t)trials, "known", (json_int_t)known, "runs", runs, "runs_made", made, "tree_size", (json_int_t)now.sums.tree_size, "seconds", clock, "cpu", cpu,
	                 "covered", (json_int_t)covered);
}

/* The part of a trial that each sample has. */
static double shortest(const struct request *r)
{
	double share = fmax(SHORTEST / (double)r->execs, 1.0 / SHORTEST_SHARE);
	return r->no_race ? 1 : fmin(1, fmax(share, (double)r->least / (double)r->execs));
}

/* Our guess is the first. */
static bool read_begins(struct session *s, double *begins)
{
	weights_guess(begins);
	for (size_t i = 0; i < s->r->begins.count; i++)
		if (!weights_read(s->r->begins.at[i], begins + (i + 1) * WEIGHTS, s->err)) {
			s->fault = CLI_USAGE;
			return false;
		}
	return true;
}

static bool are_weights_of(const struct request *r, const double *begin, const double *theta)
{
	for (unsigned i = 0; i < FEATURES; i++)
		if (theta[i] != (r->left_out[i] ? 0 : fmax(-1, fmin(1, begin[i]))))
			return false;
	return true;
}

/* Whoever is told what was learnt wants to know if that was there before; but for patience, of which all values are tried. */
static const char *find_same(const struct request *r, const double *begins, const double *theta)
{
	for (size_t i = 0; i <= r->begins.count && !r->no_crosses && !r->no_refine; i++)
		if (are_weights_of(r, begins + i * WEIGHTS, theta))
			return i ? r->begins.at[i - 1] : "our guess";
	return NULL;
}

static bool learn(struct session *s, double *theta, double *average)
{
	const struct request *r = s->r;
	double begins[OPTIMISE_BEGINS * WEIGHTS];
	if (!read_begins(s, begins))
		return false;
	struct optimise_options o = {
		.features = WEIGHTS, .samples = (size_t)r->samples, .best = (size_t)r->best, .trials = (size_t)r->trials, .rounds = (unsigned)r->rounds, .seed = r->seed, .shortest = shortest(r),
		.no_crosses = r->no_crosses, .no_refine = r->no_refine, .left_out = r->left_out, .begins = begins, .begins_count = r->begins.count + 1, .crosses_first = r->begins.count > 0, .has_slow = true, .slow = WEIGHT_PATIENCE, .run = run_trials, .told = told, .context = s,
	};
	struct str comment = {0};
	bool any = optimise(&o, theta, average);
	if (*s->err->text)
		s->fault = CLI_INTERNAL;
	if (!any)
		return *s->err->text ? false : err_set(s->err, "it was stopped before a round was done; the same command goes on");
	str_printf(&comment, "%s: covers %.1f sides of branches on average in %" PRIu64 " runs\n%u rounds%s of %" PRIu64 " samples, %" PRIu64 " trials of the best %" PRIu64 ", seed %" PRIu64, r->program[0], *average,
	           r->execs, s->round, s->ended ? "" : " (then it was stopped)", r->samples, r->trials, r->best, r->seed);
	s->same_as = find_same(r, begins, theta);
	if (s->same_as)
		str_printf(&comment, "\nno sample was better than %s: these are its weights", s->same_as);
	struct err trouble = {0};
	bool ok = weights_write(r->out, theta, str_text(&comment), &trouble);
	str_free(&comment);
	if (!ok && !*s->err->text) {
		*s->err = trouble;
		s->fault = CLI_INTERNAL;
	}
	return ok && !*s->err->text;
}

static bool tell_comparison(struct session *s, json_t *top)
{
	struct spent before = spent(s);
	json_t *rivals = s->r->compared.count ? compare(s, s->r->compared.at, s->r->compared.count) : compare_all(s);
	json_object_set_new(top, "comparison", rivals ? rivals : json_null());
	json_object_set_new(top, "comparison_cost", tell_cost(s, &before, false));
	return rivals;
}

static json_t *json_of_weights(const double *theta)
{
	json_t *weights = json_object();
	for (unsigned i = 0; i < WEIGHTS; i++)
		json_object_set_new(weights, weight_name(i), json_real(theta[i]));
	return weights;
}

static void tell_learnt(const struct session *s, const double *theta, double average)
{
	if (s->r->json)
		return;
	if (!s->ended)
		printf("stopped after round %u; the same command goes on\n", s->round);
	printf("%s: covers %.1f sides on average\n", s->r->out, average);
	if (s->differs && s->same_as)
		printf("no sample was better than %s: these are its weights\n", s->same_as);
	if (s->differs)
		tell_features(theta);
	else
		printf("all samples cover the same: no weights are better than others for this program, from these inputs, in so many runs\n");
}

static bool run(struct session *s, json_t *top)
{
	double theta[WEIGHTS], average;
	struct spent before = spent(s);
	if (s->r->compared.count)
		return tell_comparison(s, top) && s->compared;
	bool ok = learn(s, theta, &average);
	json_object_set(top, "rounds", s->rounds);
	if (ok)
		tell_learnt(s, theta, average);
	json_object_set_new(top, "cost", tell_cost(s, &before, true));
	if (!ok)
		return false;
	json_object_set_new(top, "theta", json_string(s->r->out));
	json_object_set_new(top, "weights", json_of_weights(theta));
	json_object_set_new(top, "alike", json_boolean(!s->differs)); /* no weights are better than others */
	json_object_set_new(top, "same_as", s->same_as ? json_string(s->same_as) : json_null());
	json_object_set_new(top, "average", json_real(average));
	json_object_set_new(top, "ended", json_boolean(s->ended));
	if (s->r->no_compare)
		return true;
	if (!trials_is_over(s->trials))
		return tell_comparison(s, top);
	if (!s->r->json)
		printf("there was no time to compare it with other searches; the same command goes on\n");
	return true;
}

static bool can_write_all(const struct request *r, struct err *err)
{
	if (r->compared.count)
		return !r->plot || fs_can_write(r->plot, err);
	if (!search_is_file(r->out))
		return err_set(err, "-o %s: weights that end in .theta, or whose name has a slash, can be told from a search", r->out);
	return fs_can_write(r->out, err) && (r->no_compare || fs_can_write(r->plot, err));
}

static int start(struct request *r, struct arena *arena)
{
	struct err err = {0};
	struct session s = { .r = r, .err = &err, .fault = CLI_BUDGET, .start = clock_seconds(), .told = clock_seconds(), .rounds = json_array() };
	struct engine_options o = {
		.program = r->program[0], .execs = r->execs, .sandbox = !r->no_sandbox, .wall_ms = RUN_SECONDS * 1000, .hurried = true, .memory = RUN_MEMORY, .grow_max = GROW_MAX, .window = r->seeds.inputs.window,
		.endless_is_fine = true, .solver = solver_options_default(),
	};
	json_t *top = json_object();
	bool ok = seeds_read(&r->seeds, r->program, r->argc, &o.feeds, &o.feeds_count, arena, &err);
	struct trials_options t = { .directory = r->directory, .engine = &o, .jobs = (unsigned)r->jobs, .apart = r->no_tree, .tree_size = r->tree_size << 20, .stop = &cli_stopped, .until = r->seconds > 0 ? s.start + r->seconds : INFINITY, .progress = progress, .context = &s };
	s.trials = ok && can_write_all(r, &err) ? trials_open(&t, &err) : NULL;
	int status = CLI_USAGE;
	if (s.trials) {
		cli_catch_signals();
		ok = run(&s, top);
		trials_close(s.trials);
		status = ok ? CLI_CLEAN : (int)s.fault;
	}
	if (*err.text)
		cli_fail((enum cli_exit)status, &err);
	if (r->json && s.trials)
		json_dumpf(top, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	json_decref(top);
	json_decref(s.rounds);
	return status;
}

static uint64_t between(uint64_t least, uint64_t n, uint64_t most)
{
	return n < least ? least : n > most ? most : n;
}

/* What was not given. Looking closely at a few vectors must not cost more than looking at all: ten by ten whole trials would be half as much as all of 200 samples would take without a race. */
static void complete(struct request *r)
{
	r->matches = r->trials ? r->trials : MATCHES;
	r->trials = r->trials ? r->trials : between(3, r->samples / 64, 10);
	r->best = r->best ? r->best : between(3, r->samples / 100, 10);
}

int cmd_learn(int argc, char **argv)
{
	struct request r = { .samples = 1000, .execs = 4000, .rounds = 20, .seed = 1, .jobs = 1, .tree_size = 4096, .seeds = SEEDS_DEFAULT };
	struct str out = {0}, directory = {0}, plot = {0};
	argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &r);
	const char *slash = strrchr(r.program[0], '/');
	str_printf(&out, "%s.theta", slash ? slash + 1 : r.program[0]);
	r.out = r.out ? r.out : str_text(&out);
	str_printf(&directory, "%s.d", r.out);
	r.directory = r.directory ? r.directory : str_text(&directory);
	str_printf(&plot, "%s.svg", r.out);
	r.plot = r.plot || r.compared.count ? r.plot : str_text(&plot);
	complete(&r);
	struct arena *arena = arena_new();
	int status = start(&r, arena);
	arena_free(arena);
	seeds_free(&r.seeds);
	vec_free(&r.compared);
	vec_free(&r.begins);
	str_free(&out);
	str_free(&directory);
	str_free(&plot);
	return status;
}
