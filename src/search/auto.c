/* auto: across the whole tree. Every open choice waits at the edge it would take; edges are in a heap by their score, so a choice costs the logarithm of their number
 * and not a look at everything. The score of an edge is its static distance to an uncovered branch and how often it was tried already: an uncovered edge comes first, if it
 * keeps being refuted others get their turn, and nothing waits for ever. After new coverage distances are measured anew and the heap is made anew, once, when it is next needed.
 *
 * An edge does not know which path it is best taken on. So walks that covered something new are gone through as well, each a few choices at a time, ordered by the same distance; the
 * newest first, and those that had their turn again, with more, when all others had theirs.
 *
 * A walk that is very much longer than is usual waits behind others, as its runs and questions take long; one that had to be stopped until nothing else is left.
 *
 * Who has the next turn is decided by what the last ones brought:
 *        FOCUS  a walk that covered something new;
 *        NEAR   the best of the newest walk, which may be half-way through a comparison;
 *        BEST   the best edge of all: one of its choices, every second time the newest;
 *        ANY    any edge that has one, so that no score can starve it;
 *        WIDE   when nothing new came for a while, what cgs would take of all walks: the first decisions first, each in a context that no run was made in.
 *
 * Where one function is tested among others its own branches count: what is not covered of them is near, all else is FOREIGN branches further away, and one step in ROUNDS_SHARE goes once more around a loop. */
#include "search/context.h"
#include "search/icfg.h"
#include "search/rounds.h"
#include "search/search.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
	FAR = 40,             /* what a distance counts at most */
	FOREIGN = 10,
	ROUNDS_SHARE = 4,
	STEP = 4,             /* what a branch of distance counts: as much as so many tries */
	COST_RUN = 2,         /* a try that ran */
	COST_STOPPED = 32,    /* times that if it had to be stopped */
	GAIN = 8, COST = 8, COST_REFUTED = 2,      /* of a try: new edges, a run, a question to the solver */
	GAIN_AT_FIRST = 40, COST_AT_FIRST = 80,
	MEMORY = 64 * COST,   /* what came of more than so many runs counts half */
	LEVELS = 12,          /* of walks that covered something; each has twice the tries of the one before */
	LEVEL_TRIES = 4,
	QUIET = 32,           /* steps without new coverage after which contexts are gone through */
	WIDE_LOOKS = 1 << 16, /* at choices, in one of their turns; as many may be passed over */
	CALM = 96,            /* steps without new coverage after which a random input is due, now and then */
	CALM_SHARE = 48,      /* one step in so many, then */
	SAMPLE = 6,           /* choices of an edge that are looked at for the rarest context */
	CONTEXT = 2,          /* decisions of it */
	LONG = 2,             /* times twice as long as is usual a walk may be; */
	DEAR = 2,             /* each time more counts so many tries */
	WAITING_MAX = 1 << 16 /* choices of one edge; more of them are left to chance */
};

/* Who may have the next turn. */
enum turn { FOCUS, NEAR, BEST, ANY, WIDE, TURNS, ROUNDS = TURNS };

/* What came of its turns, the last ones above all: new edges, and what it cost. */
struct record {
	uint32_t gain, cost;
};

#define CONTEXTS (1u << 16)

struct scored {
	uint32_t score, order, choice;
};

struct place {
	VEC(struct pick) waiting;
	uint32_t tries, score;
	uint32_t at;          /* in the heap, from 1 on; 0: not there */
};

struct automatic {
	struct world *world;
	struct record records[TURNS + 1];
	enum turn turn;       /* of the pick under way */
	struct place *places; /* by edge; the last is for choices without one */
	uint32_t count;
	VEC(uint32_t) heap;   /* of places with something waiting */
	uint32_t *distance;
	uint64_t measured;    /* state of coverage that scores are of */
	uint32_t newest;      /* walk that is looked at by itself, or WALK_NONE */
	uint64_t calm;                /* steps since something new was covered */
	uint64_t lengths, met_walks;  /* sum of the logarithms of walks' choices, and how many walks: what is usual */
	uint16_t *contexts;           /* how often something like it was tried, by hash */
	VEC(uint32_t) levels[LEVELS]; /* walks that covered something, newest last */
	VEC(struct pick) hand;        /* choices of one of them, the best last */
	VEC(struct scored) order;     /* of all of them, while a hand is made */
	uint32_t *met;                /* by place, in that time: choices that lead there */
	struct rounds *rounds;        /* NULL: the whole program is tested */
	uint64_t steps;
	void *wide;                   /* a cgs of our own */
	bool wide_done;               /* it has been through all walks before the next: */
	uint32_t wide_from;
};

/* --- the heap --- */

static void put_at(struct automatic *a, size_t i, uint32_t place)
{
	a->heap.at[i] = place;
	a->places[place].at = (uint32_t)i + 1;
}

static void sift_up(struct automatic *a, size_t i)
{
	uint32_t place = a->heap.at[i];
	for (; i && a->places[a->heap.at[(i - 1) / 2]].score > a->places[place].score; i = (i - 1) / 2)
		put_at(a, i, a->heap.at[(i - 1) / 2]);
	put_at(a, i, place);
}

static void sift_down(struct automatic *a, size_t i)
{
	uint32_t place = a->heap.at[i];
	for (size_t k; (k = 2 * i + 1) < a->heap.count; i = k) {
		if (k + 1 < a->heap.count && a->places[a->heap.at[k + 1]].score < a->places[a->heap.at[k]].score)
			k++;
		if (a->places[a->heap.at[k]].score >= a->places[place].score)
			break;
		put_at(a, i, a->heap.at[k]);
	}
	put_at(a, i, place);
}

static void heap_add(struct automatic *a, uint32_t place)
{
	if (a->places[place].at)
		return;
	vec_push(&a->heap, place);
	sift_up(a, a->heap.count - 1);
}

static void heap_remove(struct automatic *a, uint32_t place)
{
	size_t i = a->places[place].at;
	if (!i--)
		return;
	a->places[place].at = 0;
	uint32_t last = a->heap.at[--a->heap.count];
	if (last == place)
		return;
	put_at(a, i, last);
	sift_up(a, i);
	sift_down(a, a->places[last].at - 1);
}

/* --- scores --- */

static uint32_t score_of(const struct automatic *a, uint32_t place)
{
	uint32_t d = place + 1 == a->count ? FAR / 2 : a->distance[place] == ICFG_FAR ? FAR : a->distance[place];
	return STEP * (d < FAR ? d : FAR) + a->places[place].tries;
}

static void rescore(struct automatic *a, uint32_t place)
{
	uint32_t old = a->places[place].score;
	a->places[place].score = score_of(a, place);
	if (!a->places[place].at)
		return;
	if (a->places[place].score < old)
		sift_up(a, a->places[place].at - 1);
	else
		sift_down(a, a->places[place].at - 1);
}

/* Libraries bring edges; the place of choices without one moves to the end. */
static void reserve(struct automatic *a)
{
	uint32_t count = a->world->edges + 1;
	if (count <= a->count)
		return;
	struct place *places = mem_alloc(count * sizeof *places);
	if (a->count) {
		memcpy(places, a->places, (a->count - 1) * sizeof *places);
		places[count - 1] = a->places[a->count - 1];
	}
	for (size_t i = 0; i < a->heap.count; i++)
		if (a->heap.at[i] == a->count - 1)
			a->heap.at[i] = count - 1;
	free(a->places);
	a->places = places;
	a->count = count;
	a->distance = mem_resize_array(a->distance, count, sizeof *a->distance);
	free(a->met);
	a->met = mem_alloc(count * sizeof *a->met);
	a->measured = UINT64_MAX;
}

/* Others' branches are as if they were covered, as long as there is something of its own. */
static void measure_own(struct automatic *a, struct icfg *g)
{
	const struct world *w = a->world;
	struct tally own = { mem_alloc((a->count / 64 + 1) * sizeof *own.words), a->count / 64 + 1, 0, 0 };
	uint32_t *distance = mem_alloc(a->count * sizeof *distance);
	for (uint32_t e = 0; e < a->count; e++)
		own.words[e / 64] |= (uint64_t)(tally_has(&w->ever, e) || e >= w->own_edges || !w->own[e]) << e % 64;
	icfg_measure(g, &own, distance, a->count);
	for (uint32_t e = 0; e < a->count; e++) {
		uint32_t other = a->distance[e] == ICFG_FAR ? ICFG_FAR : a->distance[e] + FOREIGN;
		a->distance[e] = distance[e] < other ? distance[e] : other;
	}
	free(distance);
	tally_free(&own);
}

static void measure(struct automatic *a)
{
	struct icfg *g = world_icfg(a->world);
	reserve(a);
	if (a->measured == a->world->ever.changes)
		return;
	if (g)
		icfg_measure(g, &a->world->ever, a->distance, a->count);
	if (g && a->world->own)
		measure_own(a, g);
	for (uint32_t i = 0; i + 1 < a->count; i++) {
		bool counts = bits_have(a->world->counted.words, a->world->counted.count, i) || !a->world->counted.words;
		if (!g || !counts) /* in a model: of use if it is new, but nothing is known of what it leads to */
			a->distance[i] = tally_has(&a->world->ever, i) ? FAR / 4 : !counts;
		a->places[i].score = score_of(a, i);
	}
	a->places[a->count - 1].score = score_of(a, a->count - 1);
	for (size_t i = a->heap.count / 2; i-- > 0;)
		sift_down(a, i);
	a->measured = a->world->ever.changes;
}

/* --- choices --- */

static uint32_t place_of(const struct automatic *a, const struct walk_choice *c)
{
	return c->edge < a->count - 1 ? c->edge : a->count - 1;
}

static void wait_at(struct automatic *a, uint32_t place, const struct pick *p)
{
	struct place *at = &a->places[place];
	if (at->waiting.count < WAITING_MAX)
		vec_push(&at->waiting, *p);
	else
		at->waiting.at[rng_below(&a->world->rng, at->waiting.count)] = *p;
	heap_add(a, place);
}

static unsigned logarithm(uint32_t n)
{
	unsigned k = 0;
	while (n >>= 1)
		k++;
	return k;
}

/* A walk that is very much longer than is usual: its runs and its questions are as much dearer. */
static unsigned dearness(const struct automatic *a, uint32_t walk)
{
	unsigned own = logarithm(a->world->walks.at[walk].choices_count), usual = (unsigned)(a->lengths / (a->met_walks ? a->met_walks : 1)) + LONG;
	return own > usual ? own - usual : 0;
}

static void auto_meet(void *s, uint32_t walk)
{
	struct automatic *a = s;
	const struct walk *w = &a->world->walks.at[walk];
	reserve(a);
	a->lengths += logarithm(w->choices_count);
	a->met_walks++;
	if (a->rounds && !w->stopped)
		rounds_meet(a->rounds, walk);
	if (w->stopped) {
		vec_push(&a->levels[LEVELS - 1], walk); /* when nothing else is left */
		return;
	}
	for (uint32_t i = 0; i < w->choices_count; i++)
		if (w->choices[i].is_new && choice_is_branch(&w->choices[i]))
			wait_at(a, place_of(a, &w->choices[i]), &(struct pick){ walk, w->choices[i] });
	a->newest = walk;
}

static bool is_open(const struct automatic *a, const struct walk_choice *c)
{
	return a->world->states[c->id] == CHOICE_OPEN;
}

/* The counter of a choice's context: what was decided just before it. Two may share one; that does no harm. */
static uint16_t *context_at(const struct automatic *a, const struct pick *p)
{
	const struct walk *w = &a->world->walks.at[p->walk];
	uint64_t hash = w->dropped ? p->choice.edge : context_of(w, &p->choice, CONTEXT, world_dominators(a->world));
	return &a->contexts[hash % CONTEXTS];
}

static uint32_t rareness(const struct automatic *a, const struct pick *p)
{
	return *context_at(a, p) + DEAR * dearness(a, p->walk);
}

/* Of some that wait, the newest among them, the one whose context was tried least; a long walk has to be much rarer. */
static size_t rarest(struct automatic *a, const struct place *at)
{
	size_t best = at->waiting.count - 1;
	uint32_t least = rareness(a, &at->waiting.at[best]);
	for (unsigned k = 0; k < SAMPLE && least; k++) {
		size_t i = (size_t)rng_below(&a->world->rng, at->waiting.count);
		uint32_t n = rareness(a, &at->waiting.at[i]);
		if (n < least) {
			least = n;
			best = i;
		}
	}
	return best;
}

/* One that waits at a place; what was answered in the meantime goes. */
static bool take(struct automatic *a, uint32_t place, struct pick *out)
{
	struct place *at = &a->places[place];
	while (at->waiting.count) {
		size_t i = rarest(a, at);
		*out = at->waiting.at[i];
		at->waiting.at[i] = at->waiting.at[--at->waiting.count];
		if (is_open(a, &out->choice))
			return true;
	}
	heap_remove(a, place);
	return false;
}

/* The best of the newest walk's own choices; of equals any. */
static bool take_near(struct automatic *a, struct pick *out)
{
	const struct walk *w = a->newest == WALK_NONE ? NULL : &a->world->walks.at[a->newest];
	uint32_t best = UINT32_MAX;
	uint64_t ties = 0;
	for (uint32_t i = 0; w && i < w->choices_count; i++) {
		const struct walk_choice *c = &w->choices[i];
		if (!c->is_new || !choice_is_branch(c) || !is_open(a, c))
			continue;
		uint32_t score = a->places[place_of(a, c)].score;
		if (score > best)
			continue;
		ties = score < best ? 1 : ties + 1;
		best = score;
		if (rng_below(&a->world->rng, ties) == 0)
			*out = (struct pick){ a->newest, *c };
	}
	return best != UINT32_MAX;
}

/* --- walks that covered something --- */

static int by_score(const void *x, const void *y)
{
	const struct scored *a = x, *b = y;
	return a->score != b->score ? (a->score > b->score) - (a->score < b->score) : (a->order > b->order) - (a->order < b->order);
}

/* By distance, and how many before lead to the same edge; of equals any comes first. */
static void order_choices(struct automatic *a, const struct walk *w)
{
	vec_clear(&a->order);
	for (uint32_t i = 0; i < w->choices_count; i++)
		if (choice_is_branch(&w->choices[i]) && is_open(a, &w->choices[i]))
			vec_push(&a->order, (struct scored){ 0, (uint32_t)rng_next(&a->world->rng), i });
	if (a->order.count)
		qsort(a->order.at, a->order.count, sizeof *a->order.at, by_score);
	for (size_t i = 0; i < a->order.count; i++) {
		uint32_t place = place_of(a, &w->choices[a->order.at[i].choice]);
		a->order.at[i].score = score_of(a, place) - a->places[place].tries + a->places[place].tries / 4 + STEP * a->met[place]++;
	}
	for (size_t i = 0; i < a->order.count; i++)
		a->met[place_of(a, &w->choices[a->order.at[i].choice])] = 0;
	if (a->order.count)
		qsort(a->order.at, a->order.count, sizeof *a->order.at, by_score);
}

/* The walk gets some tries and waits for its next turn one level up, unless it has nothing more to offer. */
static void deal(struct automatic *a, uint32_t walk, unsigned level)
{
	size_t most = (size_t)LEVEL_TRIES << level, n;
	order_choices(a, &a->world->walks.at[walk]);
	n = a->order.count < most ? a->order.count : most;
	for (size_t i = n; i-- > 0;)
		vec_push(&a->hand, (struct pick){ walk, a->world->walks.at[walk].choices[a->order.at[i].choice] });
	if (a->order.count > n && level + 1 < LEVELS)
		vec_push(&a->levels[level + 1], walk);
}

static bool take_focus(struct automatic *a, struct pick *out)
{
	for (unsigned level = 0; level < LEVELS;) {
		while (a->hand.count) {
			*out = a->hand.at[--a->hand.count];
			if (is_open(a, &out->choice))
				return true;
		}
		if (a->levels[level].count)
			deal(a, a->levels[level].at[--a->levels[level].count], level);
		else
			level++;
	}
	return false;
}

/* What is left of the hand waits with its walk. */
static void wait_for_turn(struct automatic *a, uint32_t walk)
{
	unsigned level = dearness(a, walk);
	vec_push(&a->levels[level < LEVELS ? level : LEVELS - 1], walk);
}

static void add_focus(struct automatic *a, uint32_t walk)
{
	if (a->hand.count)
		wait_for_turn(a, a->hand.at[0].walk);
	vec_clear(&a->hand);
	wait_for_turn(a, walk);
}

/* --- contexts --- */

/* When it has been through all contexts of all walks, it goes on with those that came since. Walks that take long are left to others; they have many choices, so a turn may be over with nothing found. */
static bool take_wide(struct automatic *a, struct pick *out)
{
	enum search_move move;
	if (a->wide_done && a->wide_from < a->world->walks.count) {
		search_cgs.begin(a->wide, a->wide_from, 0);
		a->wide_done = false;
	}
	for (uint32_t passed = 0; !a->wide_done && passed < WIDE_LOOKS && (move = search_cgs.choose(a->wide, out)) != SEARCH_NOTHING; passed++) {
		if (move == SEARCH_TRY && !a->world->walks.at[out->walk].stopped && !dearness(a, out->walk))
			return true;
		a->wide_done = move == SEARCH_RESTART;
		a->wide_from = (uint32_t)a->world->walks.count;
	}
	return false;
}

/* --- the search --- */

/* Each in proportion to what it has brought for what it cost; none less than a share. */
static enum turn next_turn(struct automatic *a)
{
	unsigned count = a->calm < QUIET ? WIDE : TURNS, turn = 0;
	uint64_t weights[TURNS], sum = 0;
	for (unsigned i = 0; i < count; i++)
		sum += weights[i] = 1000ull * (a->records[i].gain + GAIN_AT_FIRST) / (a->records[i].cost + COST_AT_FIRST);
	for (unsigned i = 0; i < count; i++)
		weights[i] += sum / 16 + 1;
	sum += count * (sum / 16 + 1);
	uint64_t at = rng_below(&a->world->rng, sum);
	for (; turn + 1 < count && at >= weights[turn]; turn++)
		at -= weights[turn];
	return (enum turn)turn;
}

static uint32_t times_of(const struct automatic *a, const struct result *r)
{
	return a->world->walks.at[r->walk].stopped ? COST_STOPPED : 1;
}

static void record(struct automatic *a, const struct result *r)
{
	struct record *of = &a->records[a->turn];
	of->cost += (r->kind == RESULT_WALK ? COST * times_of(a, r) : COST_REFUTED) + COST * r->effort;
	for (uint32_t n = r->fresh; n; n /= 4)
		of->gain += GAIN;
	for (; of->cost >= MEMORY; of->cost /= 2)
		of->gain /= 2;
}

static enum search_move auto_choose(void *s, struct pick *out)
{
	struct automatic *a = s;
	measure(a);
	if (a->calm > CALM && a->calm % CALM_SHARE == 0)
		return SEARCH_RESTART;
	a->turn = ROUNDS;
	if (a->rounds && ++a->steps % ROUNDS_SHARE == 0 && rounds_choose(a->rounds, out))
		return SEARCH_TRY;
	a->turn = next_turn(a);
	if ((a->turn == FOCUS && take_focus(a, out)) || (a->turn == NEAR && take_near(a, out)) || (a->turn == WIDE && take_wide(a, out)))
		return SEARCH_TRY;
	a->turn = a->turn == ANY ? ANY : BEST;
	while (a->heap.count)
		if (take(a, a->heap.at[a->turn == ANY ? rng_below(&a->world->rng, a->heap.count) : 0], out))
			return SEARCH_TRY;
	return take_focus(a, out) ? SEARCH_TRY : SEARCH_RESTART;
}

static void auto_learn(void *s, const struct pick *p, const struct result *r)
{
	struct automatic *a = s;
	uint32_t place = place_of(a, &p->choice);
	uint16_t *context = context_at(a, p);
	a->calm = r->fresh ? 0 : a->calm + 1;
	*context += *context < UINT16_MAX;
	if (a->turn == WIDE)
		search_cgs.learn(a->wide, p, r);
	record(a, r);
	a->places[place].tries += (r->kind == RESULT_WALK ? COST_RUN * times_of(a, r) : 1) + COST_RUN * r->effort;
	rescore(a, place);
	if (r->kind == RESULT_WALK && r->fresh && !a->world->walks.at[r->walk].stopped)
		add_focus(a, r->walk);
}

static void auto_begin(void *s, uint32_t walk, uint32_t fresh)
{
	struct automatic *a = s;
	a->calm = fresh ? 0 : a->calm + 1;
	if (!a->world->walks.at[walk].stopped)
		add_focus(s, walk);
}

static void *auto_open(struct world *w, const struct strategy *self)
{
	struct automatic *a = mem_alloc(sizeof *a);
	(void)self;
	a->world = w;
	a->newest = WALK_NONE;
	a->contexts = mem_alloc(CONTEXTS * sizeof *a->contexts);
	a->measured = UINT64_MAX;
	a->rounds = w->own ? rounds_new(w) : NULL;
	a->wide = search_cgs.open(w, &(struct strategy){ .option = WIDE_LOOKS });
	return a;
}

static void auto_close(void *s)
{
	struct automatic *a = s;
	search_cgs.close(a->wide);
	if (a->rounds)
		rounds_free(a->rounds);
	for (uint32_t i = 0; i < a->count; i++)
		vec_free(&a->places[i].waiting);
	for (unsigned i = 0; i < LEVELS; i++)
		vec_free(&a->levels[i]);
	vec_free(&a->heap);
	vec_free(&a->hand);
	vec_free(&a->order);
	free(a->met);
	free(a->contexts);
	free(a->places);
	free(a->distance);
	free(a);
}

const struct strategy search_auto = {
	.name = "auto", .text = "the best of the whole tree: closest to what is uncovered, tried least",
	.open = auto_open, .begin = auto_begin, .choose = auto_choose, .learn = auto_learn, .meet = auto_meet, .close = auto_close,
	.leaps = true,
};
