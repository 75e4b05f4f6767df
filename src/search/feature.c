/* The table, and what is kept for it. A path may have ten thousand branches of few hundred edges, so only contexts are looked at for each branch; the rest is known of its
 * edges, once for a path, or is a stretch of steps. What was negated in a context of length k was so in its shorter ones: these are asked first, and most questions end there. What a path shares
 * with the one before is not asked again.
 *
 * Coverage is that of all runs. Sides that nobody counts (those of models) are never uncovered. But what is behind one that no run took may be, as `auto` takes it too: gawk, 4000 runs, seeds 10001 and 10002,
 * the same weights, 2514 and 2549 sides with that, 2367 and 2259 without; what auto reached and it did not was behind the options and what opens and reads files for them. Which function was reached last is told by the decisions of the run that reached several. */
#include "search/feature.h"

#include "base/mem.h"
#include "base/vec.h"
#include "contract/facts.h"
#include "search/icfg.h"
#include "search/search.h"
#include "search/set.h"
#include "search/terrain.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT_MAX = 5, MANY_FAILURES = 10, MANY_SIDES = 10 };

/* What is known of an edge. */
struct side {
	uint64_t fixed;                   /* FIXED features of branches whose opposite it is */
	uint64_t opposite, taken;         /* all but contexts and stretches of those, and those of branches that take it, */
	uint32_t opposite_at, taken_at;   /* in this round */
	uint32_t times, times_at;         /* branches of the path whose opposite it is; of which path that is, counted */
	uint32_t negated, negated_at;     /* how often it could be taken; the last time, in executions, */
	uint32_t negated_as;              /* and in negations */
	uint32_t failed;                  /* how often not */
	uint32_t first;                   /* the walk that covered it first; WALK_NONE */
};

/* The longest known context of a choice, as of so many negations. */
struct known {
	uint32_t id, at, length;
};

struct features {
	struct world *world;
	const struct terrain *terrain;    /* NULL: nothing is known */
	struct side *sides;               /* one more than there are edges, for what has none */
	uint32_t edges;
	uint32_t *distance;               /* by edge, for the coverage that was measured */
	uint64_t measured, met;           /* states of coverage: that of the distances, and of the following */
	uint64_t *known;                  /* coverage, before the next walk is met */
	uint32_t known_words;
	uint32_t *covered, functions;     /* sides, by function */
	uint32_t busy, recent;            /* the function with the most uncovered sides; the one that was reached last; or NOWHERE */
	uint32_t executions, negations;
	struct set contexts;              /* in which something was negated */
	VEC(struct known) lengths;        /* by where a choice is on its path: paths share their beginning with those before */
	/* of the path: */
	uint32_t walk, negated, news, paths;
	uint32_t most, least;             /* times a branch is on it */
	struct { uint64_t bit; struct stretch where; } stretches[FEATURES];
	unsigned stretches_count;
	uint64_t context_bits[CONTEXT_MAX + 1]; /* by the longest context */
	uint32_t round;
	bool changed;
};

static const struct side *side_of(const struct features *f, uint32_t edge)
{
	return &f->sides[edge < f->edges ? edge : f->edges];
}

static const struct walk *path_of(const struct features *f)
{
	return &f->world->walks.at[f->walk];
}

/* --- by the program --- */

static const struct terrain_edge *ground(const struct features *f, uint32_t edge)
{
	static const struct terrain_edge none = { .function = TERRAIN_NOWHERE };
	return f->terrain && edge < f->terrain->edges_count ? &f->terrain->edges[edge] : &none;
}

static bool site_has(const struct features *f, uint32_t edge, uint32_t bit)
{
	return ground(f, edge)->site >> bit & 1;
}

/* The opposite of what goes on in the loop leaves it. */
static bool loop_goes_on(const struct features *f, uint32_t edge, uint32_t goes_on)
{
	const struct terrain_edge *e = ground(f, edge);
	bool opposite_stays = (e->site >> TD_FEATURE_LOOP_TRUE & 1) == e->side;
	return e->kind == TD_SITE_BRANCH && site_has(f, edge, TD_FEATURE_LOOP_CONDITION) && opposite_stays != (goes_on != 0);
}

/* The opposite of a case is the default; that of what is not a case is the case. */
static bool case_taken(const struct features *f, uint32_t edge, uint32_t taken)
{
	const struct terrain_edge *e = ground(f, edge);
	return e->kind == TD_SITE_SWITCH && (e->side == 0) == (taken != 0);
}

/* --- by the path --- */

static uint32_t tenth(uint32_t n)
{
	return n / 10 + (n % 10 != 0);
}

static struct stretch first_tenth(const struct features *f)
{
	return (struct stretch){ 0, tenth(path_of(f)->steps_count) };
}

static struct stretch last_tenth(const struct features *f)
{
	uint32_t n = path_of(f)->steps_count;
	return (struct stretch){ n - tenth(n), tenth(n) };
}

static struct stretch after_negated(const struct features *f)
{
	return f->negated == WALK_NONE ? (struct stretch){0} : (struct stretch){ f->negated + 1, 1 };
}

static struct stretch near_negated(const struct features *f)
{
	uint32_t far = path_of(f)->steps_count / 10, from = f->negated > far ? f->negated - far : 0;
	return f->negated == WALK_NONE ? (struct stretch){0} : (struct stretch){ from, f->negated + far + 1 - from };
}

static bool most_frequent(const struct features *f, uint32_t edge, uint32_t number)
{
	(void)number;
	return side_of(f, edge)->times == f->most;
}

static bool least_frequent(const struct features *f, uint32_t edge, uint32_t number)
{
	(void)number;
	return side_of(f, edge)->times == f->least;
}

static bool newly_covered(const struct features *f, uint32_t edge, uint32_t number)
{
	(void)number;
	return f->news != WALK_NONE && side_of(f, edge)->first == f->news;
}

/* --- by what was tried --- */

static bool negated_more(const struct features *f, uint32_t edge, uint32_t times)
{
	return side_of(f, edge)->negated > times;
}

static bool negated_lately(const struct features *f, uint32_t edge, uint32_t executions)
{
	const struct side *s = side_of(f, edge);
	return s->negated && f->executions - s->negated_at < executions;
}

static bool failed_more(const struct features *f, uint32_t edge, uint32_t times)
{
	return side_of(f, edge)->failed > times;
}

/* --- by what is covered --- */

static bool is_counted(const struct features *f, uint32_t edge)
{
	const struct counted *c = &f->world->counted;
	return edge < f->edges && (!c->words || bits_have(c->words, c->count, edge));
}

static bool is_uncovered(const struct features *f, uint32_t edge, uint32_t number)
{
	(void)number;
	return is_counted(f, edge) && !tally_has(&f->world->ever, edge);
}

static bool next_uncovered(const struct features *f, uint32_t edge, uint32_t number)
{
	(void)number;
	bool is_new = !is_counted(f, edge) && !tally_has(&f->world->ever, edge);
	return edge < f->edges && (f->distance[edge] == 1 || is_new); /* 0: it is uncovered itself */
}

static bool in_function(const struct features *f, uint32_t edge, uint32_t function)
{
	return function != TERRAIN_NOWHERE && ground(f, edge)->function == function;
}

static bool in_busy(const struct features *f, uint32_t edge, uint32_t number)
{
	(void)number;
	return in_function(f, edge, f->busy);
}

static bool in_recent(const struct features *f, uint32_t edge, uint32_t number)
{
	(void)number;
	return in_function(f, edge, f->recent);
}

static bool is_unreached(const struct features *f, uint32_t function)
{
	return function < f->functions && f->terrain->functions[function].sides && !f->covered[function];
}

/* The largest function that the edge leads to and of which nothing is covered; NULL: there is none. */
static const struct terrain_function *largest_unreached(const struct features *f, uint32_t edge)
{
	const struct terrain *t = f->terrain;
	const struct terrain_function *best = NULL;
	for (uint32_t i = t && edge < t->edges_count ? t->first_lead[edge] : 0; i; i = t->leads.at[i - 1].next) {
		uint32_t function = t->leads.at[i - 1].function;
		if (is_unreached(f, function) && (!best || t->functions[function].rank < best->rank))
			best = &t->functions[function];
	}
	return best;
}

static bool unreached_rank(const struct features *f, uint32_t edge, uint32_t percent)
{
	const struct terrain_function *t = largest_unreached(f, edge);
	return t && (uint64_t)t->rank * 100 < (uint64_t)f->terrain->ranked * percent;
}

static bool unreached_sides(const struct features *f, uint32_t edge, uint32_t sides)
{
	const struct terrain_function *t = largest_unreached(f, edge);
	return t && t->sides > sides;
}

/* --- the table --- */

static const struct feature rows[] = {
	{ "in-main", "in main", FEATURE_FIXED, TD_FEATURE_MAIN, site_has, NULL },
	{ "loop-goes-on", "decides about a loop, and goes on in it", FEATURE_FIXED, true, loop_goes_on, NULL },
	{ "loop-ends", "decides about a loop, and leaves it", FEATURE_FIXED, false, loop_goes_on, NULL },
	{ "nested", "inside of another branch", FEATURE_FIXED, TD_FEATURE_NESTED, site_has, NULL },
	{ "external-call", "about the result of an external call", FEATURE_FIXED, TD_FEATURE_EXTERNAL, site_has, NULL },
	{ "integer", "about an integer", FEATURE_FIXED, TD_FEATURE_INTEGER, site_has, NULL },
	{ "literal", "about a constant string or character", FEATURE_FIXED, TD_FEATURE_LITERAL, site_has, NULL },
	{ "pointer", "about a pointer", FEATURE_FIXED, TD_FEATURE_POINTER, site_has, NULL },
	{ "local", "about a local variable", FEATURE_FIXED, TD_FEATURE_LOCAL, site_has, NULL },
	{ "in-loop", "inside of a loop", FEATURE_FIXED, TD_FEATURE_IN_LOOP, site_has, NULL },
	{ "case-taken", "takes a case of a switch, for its default", FEATURE_FIXED, true, case_taken, NULL },
	{ "case-not-taken", "does not take this case of a switch", FEATURE_FIXED, false, case_taken, NULL },
	{ "first-tenth", "in the first tenth of the path", FEATURE_STRETCH, 0, NULL, first_tenth },
	{ "last-tenth", "in the last tenth of the path", FEATURE_STRETCH, 0, NULL, last_tenth },
	{ "most-frequent", "none is more often on the path", FEATURE_OPPOSITE, 0, most_frequent, NULL },
	{ "least-frequent", "none is more seldom on the path", FEATURE_OPPOSITE, 0, least_frequent, NULL },
	{ "newly-covered", "the run before covered it for the first time", FEATURE_TAKEN, 0, newly_covered, NULL },
	{ "after-negated", "right behind the branch just negated", FEATURE_STRETCH, 0, NULL, after_negated },
	{ "context-1", "negated before, behind the same decision", FEATURE_CONTEXT, 1, NULL, NULL },
	{ "context-2", "negated before, behind the same 2 decisions", FEATURE_CONTEXT, 2, NULL, NULL },
	{ "context-3", "negated before, behind the same 3 decisions", FEATURE_CONTEXT, 3, NULL, NULL },
	{ "context-4", "negated before, behind the same 4 decisions", FEATURE_CONTEXT, 4, NULL, NULL },
	{ "context-5", "negated before, behind the same 5 decisions", FEATURE_CONTEXT, 5, NULL, NULL },
	{ "negated-10", "negated more than 10 times", FEATURE_OPPOSITE, 10, negated_more, NULL },
	{ "negated-20", "negated more than 20 times", FEATURE_OPPOSITE, 20, negated_more, NULL },
	{ "negated-30", "negated more than 30 times", FEATURE_OPPOSITE, 30, negated_more, NULL },
	{ "near-negated", "at most a tenth of the path from the branch just negated", FEATURE_STRETCH, 0, NULL, near_negated },
	{ "failed", "could not be negated more than 10 times", FEATURE_OPPOSITE, MANY_FAILURES, failed_more, NULL },
	{ "opposite-failed", "its opposite could not be negated more than 10 times", FEATURE_TAKEN, MANY_FAILURES, failed_more, NULL },
	{ "opposite-uncovered", "its opposite is uncovered", FEATURE_OPPOSITE, 0, is_uncovered, NULL },
	{ "next-uncovered", "its opposite is covered or not counted, a branch behind that may not be", FEATURE_OPPOSITE, 0, next_uncovered, NULL },
	{ "negated-lately-10", "negated in the last 10 runs", FEATURE_OPPOSITE, 10, negated_lately, NULL },
	{ "negated-lately-20", "negated in the last 20 runs", FEATURE_OPPOSITE, 20, negated_lately, NULL },
	{ "negated-lately-30", "negated in the last 30 runs", FEATURE_OPPOSITE, 30, negated_lately, NULL },
	{ "uncovered-function", "in the function with the most uncovered sides", FEATURE_OPPOSITE, 0, in_busy, NULL },
	{ "unreached-largest-10", "its opposite calls an unreached function, of the largest 10 %", FEATURE_OPPOSITE, 10, unreached_rank, NULL },
	{ "unreached-largest-20", "its opposite calls an unreached function, of the largest 20 %", FEATURE_OPPOSITE, 20, unreached_rank, NULL },
	{ "unreached-largest-30", "its opposite calls an unreached function, of the largest 30 %", FEATURE_OPPOSITE, 30, unreached_rank, NULL },
	{ "unreached-large", "its opposite calls an unreached function of more than 10 sides", FEATURE_OPPOSITE, MANY_SIDES, unreached_sides, NULL },
	{ "recent-function", "in the function that was reached last", FEATURE_OPPOSITE, 0, in_recent, NULL },
};

_Static_assert(sizeof rows / sizeof *rows == FEATURES && FEATURES <= 64, "a set of features is a word");

const struct feature *const feature_table = rows;

/* --- what is kept --- */

struct features *features_new(struct world *w)
{
	struct features *f = mem_alloc(sizeof *f);
	f->world = w;
	f->walk = f->negated = f->news = WALK_NONE;
	f->busy = f->recent = TERRAIN_NOWHERE;
	f->measured = UINT64_MAX;
	for (unsigned i = 0; i < FEATURES; i++)
		for (unsigned k = 0; k <= CONTEXT_MAX && rows[i].scope == FEATURE_CONTEXT; k++)
			f->context_bits[k] |= (uint64_t)(rows[i].number <= k) << i;
	return f;
}

void features_free(struct features *f)
{
	free(f->sides);
	free(f->distance);
	free(f->known);
	free(f->covered);
	set_free(&f->contexts);
	vec_free(&f->lengths);
	free(f);
}

static uint64_t look(const struct features *f, enum feature_scope scope, uint32_t edge)
{
	uint64_t bits = 0;
	for (unsigned i = 0; i < FEATURES; i++)
		if (rows[i].scope == scope && rows[i].has(f, edge, rows[i].number))
			bits |= 1ull << i;
	return bits;
}

static void *grown(void *array, uint32_t from, uint32_t to, size_t element)
{
	char *bytes = mem_resize_array(array, to, element);
	memset(bytes + from * element, 0, (to - from) * element);
	return bytes;
}

/* Libraries bring edges and functions. Those that were there keep their numbers. */
static void reserve(struct features *f)
{
	uint32_t edges = f->world->edges, from = f->sides ? f->edges : 0;
	if (f->sides && edges <= f->edges)
		return;
	f->terrain = world_terrain(f->world);
	f->sides = grown(f->sides, from, edges + 1, sizeof *f->sides);
	f->distance = mem_resize_array(f->distance, edges + 1u, sizeof *f->distance);
	f->edges = edges;
	f->measured = UINT64_MAX;
	for (uint32_t i = from; i <= edges; i++)
		f->sides[i] = (struct side){ .fixed = look(f, FEATURE_FIXED, i), .first = WALK_NONE };
	if (f->terrain && f->terrain->functions_count > f->functions) {
		f->covered = grown(f->covered, f->functions, f->terrain->functions_count, sizeof *f->covered);
		f->functions = f->terrain->functions_count;
	}
	f->changed = true;
}

/* --- coverage --- */

/* An edge is covered that was not before. True: so nothing was of its function. */
static bool cover(struct features *f, uint32_t edge, uint32_t walk)
{
	uint32_t function = ground(f, edge)->function;
	if (is_counted(f, edge))
		f->sides[edge].first = walk;
	return function < f->functions && !f->covered[function]++;
}

/* Of functions that this walk was the first to reach, the one whose first decision comes last; if none has any, the last. */
static void find_recent(struct features *f, const struct walk *w, uint32_t *reached, uint32_t count)
{
	f->recent = count ? reached[count - 1] : f->recent;
	for (uint32_t i = 0; i < w->steps_count && count; i++)
		for (uint32_t k = 0; k < count; k++)
			if (in_function(f, w->steps[i].edge, reached[k])) {
				f->recent = reached[k];
				reached[k] = reached[--count];
				break;
			}
}

static void find_busy(struct features *f)
{
	uint32_t most = 0;
	f->busy = TERRAIN_NOWHERE;
	for (uint32_t i = 0; i < f->functions; i++)
		if (f->terrain->functions[i].sides - f->covered[i] > most) {
			most = f->terrain->functions[i].sides - f->covered[i];
			f->busy = i;
		}
}

static void measure(struct features *f)
{
	struct icfg *g = world_icfg(f->world);
	if (f->measured == f->world->ever.changes)
		return;
	if (g)
		icfg_measure(g, &f->world->ever, f->distance, f->edges);
	else
		memset(f->distance, 0xff, f->edges * sizeof *f->distance);
	find_busy(f);
	f->measured = f->world->ever.changes;
}

/* What others covered, in earlier sessions or elsewhere, was reached as well, but not lately. */
void features_meet(struct features *f, uint32_t walk)
{
	const struct tally *ever = &f->world->ever;
	const struct walk *w = &f->world->walks.at[walk];
	VEC(uint32_t) reached = {0};
	reserve(f);
	if (f->met == ever->changes)
		return;
	for (uint32_t i = 0; i < ever->count; i++)
		for (uint64_t news = ever->words[i] & ~(i < f->known_words ? f->known[i] : 0); news; news &= news - 1) {
			uint32_t edge = i * 64 + (uint32_t)__builtin_ctzll(news);
			bool is_its_own = bits_have(w->covered, w->words, edge);
			if (cover(f, edge, is_its_own ? walk : WALK_NONE) && is_its_own)
				vec_push(&reached, ground(f, edge)->function);
		}
	find_recent(f, w, reached.at, (uint32_t)reached.count);
	f->known = mem_resize_array(f->known, ever->count + 1u, sizeof *f->known);
	memcpy(f->known, ever->words, ever->count * sizeof *f->known);
	f->known_words = ever->count;
	f->met = ever->changes;
	vec_free(&reached);
}

/* --- contexts --- */

/* The side taken and its opposite, and then one decision more; where the path begins it is as it was. */
static uint64_t shortest(const struct walk *w, const struct walk_choice *c)
{
	return rng_mix((uint64_t)c->edge << 32 | w->steps[c->step].edge);
}

static uint64_t longer(uint64_t hash, const struct walk *w, uint32_t step, uint32_t k)
{
	return k <= step ? rng_mix(hash ^ w->steps[step - k].edge) : hash;
}

static uint32_t longest_context(const struct features *f, const struct walk *w, const struct walk_choice *c)
{
	uint64_t hash = shortest(w, c);
	uint32_t k = 0;
	while (k < CONTEXT_MAX && set_has(&f->contexts, hash = longer(hash, w, c->step, k + 1)))
		k++;
	return k;
}

/* Equal ids are behind the same decisions, so their contexts are the same, as long as nothing more was negated there. */
static uint32_t context_length(struct features *f, const struct walk *w, uint32_t choice, const struct side *s)
{
	const struct walk_choice *c = &w->choices[choice];
	struct known *k = &f->lengths.at[choice];
	if (k->id != c->id || k->at < s->negated_as)
		*k = (struct known){ c->id, f->negations, longest_context(f, w, c) };
	return k->length;
}

/* --- what was tried --- */

void features_execute(struct features *f)
{
	f->executions++;
}

void features_negated(struct features *f, uint32_t walk, const struct walk_choice *c)
{
	const struct walk *w = &f->world->walks.at[walk];
	if (c->edge >= f->edges)
		return;
	f->sides[c->edge].negated++;
	f->sides[c->edge].negated_at = f->executions;
	f->sides[c->edge].negated_as = ++f->negations;
	f->changed = true;
	if (c->step >= w->steps_count) /* the walk was dropped */
		return;
	uint64_t hash = shortest(w, c);
	for (uint32_t k = 1; k <= CONTEXT_MAX; k++)
		set_add(&f->contexts, hash = longer(hash, w, c->step, k));
}

void features_failed(struct features *f, uint32_t edge)
{
	if (edge < f->edges)
		f->changed |= f->sides[edge].failed++ == MANY_FAILURES;
}

uint32_t features_failures(const struct features *f, uint32_t edge)
{
	return side_of(f, edge)->failed;
}

/* --- the path --- */

static bool is_placed(const struct features *f, const struct walk_choice *c)
{
	return choice_is_branch(c) && c->edge < f->edges;
}

static void count_times(struct features *f)
{
	const struct walk *w = path_of(f);
	f->paths++;
	f->most = 0;
	f->least = UINT32_MAX;
	for (uint32_t i = 0; i < w->choices_count; i++) {
		if (!is_placed(f, &w->choices[i]))
			continue;
		struct side *s = &f->sides[w->choices[i].edge];
		s->times = s->times_at == f->paths ? s->times + 1 : 1;
		s->times_at = f->paths;
		f->most = s->times > f->most ? s->times : f->most;
	}
	for (uint32_t i = 0; i < w->choices_count; i++)
		if (is_placed(f, &w->choices[i]) && f->sides[w->choices[i].edge].times < f->least)
			f->least = f->sides[w->choices[i].edge].times;
}

void features_move(struct features *f, uint32_t walk, uint32_t negated, bool is_news)
{
	reserve(f);
	f->walk = walk;
	f->negated = negated;
	f->news = is_news ? walk : WALK_NONE;
	count_times(f);
	while (f->lengths.count < path_of(f)->choices_count)
		vec_push(&f->lengths, (struct known){0});
	f->changed = true;
	f->stretches_count = 0;
	for (unsigned i = 0; i < FEATURES; i++)
		if (rows[i].scope == FEATURE_STRETCH) {
			f->stretches[f->stretches_count].bit = 1ull << i;
			f->stretches[f->stretches_count++].where = rows[i].stretch(f);
		}
}

bool features_update(struct features *f)
{
	reserve(f);
	bool changed = f->changed || f->measured != f->world->ever.changes;
	if (changed) {
		measure(f);
		f->round++;
	}
	f->changed = false;
	return changed;
}

/* --- all together --- */

static uint64_t of_opposite(struct features *f, struct side *s, uint32_t edge)
{
	if (s->opposite_at != f->round) {
		s->opposite = s->fixed | look(f, FEATURE_OPPOSITE, edge);
		s->opposite_at = f->round;
	}
	return s->opposite;
}

static uint64_t of_taken(struct features *f, struct side *s, uint32_t edge)
{
	if (s->taken_at != f->round) {
		s->taken = look(f, FEATURE_TAKEN, edge);
		s->taken_at = f->round;
	}
	return s->taken;
}

static uint64_t of_step(const struct features *f, uint32_t step)
{
	uint64_t bits = 0;
	for (unsigned i = 0; i < f->stretches_count; i++)
		bits |= step - f->stretches[i].where.from < f->stretches[i].where.count ? f->stretches[i].bit : 0;
	return bits;
}

uint64_t features_of(struct features *f, uint32_t choice)
{
	const struct walk *w = path_of(f);
	const struct walk_choice *c = &w->choices[choice];
	if (!is_placed(f, c) || c->step >= w->steps_count)
		return 0;
	struct side *opposite = &f->sides[c->edge];
	uint32_t taken = w->steps[c->step].edge < f->edges ? w->steps[c->step].edge : f->edges;
	uint64_t bits = of_opposite(f, opposite, c->edge) | of_taken(f, &f->sides[taken], taken) | of_step(f, c->step);
	return opposite->negated ? bits | f->context_bits[context_length(f, w, choice, opposite)] : bits;
}
