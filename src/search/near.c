/* near (ZESTI): what the inputs to start from, which are tests, take for granted. First all conditions on their paths: is there an input that takes the same path and violates one? Then paths that
 * leave one of theirs a little before something that could go wrong, deeper and deeper, over all tests:
 *
 *   for distance 1, 2, ...: for each test, for each of its risks, the deepest first: from the decision that lies so many decisions before it, every way is gone that is not longer than REACH
 *   times the distance.
 *
 * Only decisions that could have been taken otherwise count, here and there; that one could, the solver says when its turn comes, and what it does not know counts as yes. Each path that comes of this has
 * its conditions asked at once. A decision that was the start of such an exploration before is gone on from, further: what was asked then is known and costs nothing.
 *
 * This goes in rounds. In one of them each test may cost so much, so that one that takes long does not keep the others from going further; what it could not do it does in the next round. At the last distance there are as many rounds as it takes.
 *
 * A loop has many conditions of one place: those that double their number, and the last of each path, come first; the others, those that are no rules, and those of paths that are very much longer than usual, have one
 * part in LATER_SHARE of the time, and what is left of it; those of places whose questions were hard have one in HARD_SHARE. Of one place only so many risks count in a round.
 *
 * Risks come from a run of their own (risks.c). The end of a path is one: what goes wrong on the other side of its last decisions need not have anything to do with what it did itself. A walk that has none
 * is taken to have one before each decision. */
#include "base/map.h"
#include "search/search.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
	REACH = 2,
	DISTANCE_MAX = 32,
	LATER_SHARE = 8, HARD_SHARE = 2,
	PLACE_ROUND = 8,       /* risks of a place that count in the first round, in all tests; twice as many in the second, and so on */
	TEST_TURN = 8,         /* what may be done for a test before it is another's turn, */
	TEST_ROUND = 1024,     /* and in a round, at the first distance; */
	STEPS_EACH = 256,      /* what a decision of a path with so many costs, besides one; of twice as many, twice: its runs and questions take longer */
	HARD = 4,              /* what a question may cost the solver, as much as so many short runs, before others of its place wait */
	LONG = 3,              /* times twice as much as is usual may a path cost that has its conditions asked at once */
	WAITING_MAX = 1 << 20
};

/* A way that goes on: from this decision of this walk, so many more; at this distance. */
struct way {
	uint32_t walk, step, left, distance;
};

/* What is known of a decision: could it have been taken otherwise? */
enum { UNKNOWN, FREE, FORCED };

struct risk {
	uint32_t place;
	uint32_t below;  /* the next decision that is looked at is the one before this; */
	uint32_t found;  /* so many were passed that could have been taken otherwise */
};

struct test {
	uint32_t walk;
	VEC(struct risk) risks;  /* the deepest first */
	size_t next;             /* of them, in this round */
	VEC(struct way) ways;    /* that are to be gone, from the next on */
	size_t ways_next;
	uint32_t spent;          /* in this round */
	uint8_t *known;          /* by decision */
	uint8_t *explored;       /* by decision: from there, for the sake of a risk at this distance */
};

/* Conditions that have one part in so many of the time. */
struct waiting {
	VEC(struct pick) all;
	uint64_t spent;
};

struct near {
	struct world *world;
	bool begun;
	VEC(struct test) tests;
	size_t test;             /* whose turn it is, */
	uint32_t turn;           /* so far */
	uint32_t here;           /* the distance of what is explored */
	VEC(struct lineage) lineages;  /* by walk */
	VEC(struct pick) due;    /* conditions, from the next on */
	size_t due_next;
	struct waiting hard, later;    /* those that have a share of the time */
	struct waiting *from;    /* of these, the pick under way is one of; NULL: of none */
	uint64_t spent;          /* for all that was chosen */
	unsigned usual;          /* logarithm of what a test costs */
	struct map places;       /* conditions of each so far */
	struct map efforts;      /* what their hardest question cost */
	struct map risky;       /* risks of each that counted, at this distance */
	struct map gone;         /* by path: how far it was gone from there */
	/* The decision that is asked about. */
	bool asking, exploring;  /* exploring: it is one of a way, else of a risk */
	struct way at;
	uint32_t choice;         /* of the walk: the next */
	bool is_free;
	VEC(uint32_t) kids;      /* walks that take another side there */
	struct pick pick;        /* under way */
};

static void *near_open(struct world *w, const struct strategy *self)
{
	struct near *n = mem_alloc(sizeof *n);
	(void)self;
	n->world = w;
	return n;
}

static const struct walk *walk_of(const struct near *n, uint32_t walk)
{
	return &n->world->walks.at[walk];
}

static uint32_t cost_of(const struct near *n, uint32_t walk)
{
	return 1 + walk_of(n, walk)->steps_count / STEPS_EACH;
}

static unsigned logarithm(uint32_t n)
{
	unsigned k = 0;
	while (n >>= 1)
		k++;
	return k;
}

/* --- where walks come from --- */

static uint32_t depth_of(const struct near *n, const struct pick *p)
{
	const struct walk *w = walk_of(n, p->walk);
	uint32_t depth = 0, last = WALK_NONE;
	for (uint32_t i = 0; i < w->choices_count && w->choices[i].step < p->choice.step; i++) {
		const struct walk_choice *c = &w->choices[i];
		if (choice_is_branch(c) && c->step != last && n->world->states[c->id] != CHOICE_REFUTED) {
			last = c->step;
			depth++;
		}
	}
	return depth;
}

static struct lineage near_lineage(void *s, const struct pick *p)
{
	struct near *n = s;
	struct lineage l = p->walk < n->lineages.count ? n->lineages.at[p->walk] : (struct lineage){ .test = p->walk };
	if (choice_is_branch(&p->choice))
		l.distance = n->here;
	l.depth = depth_of(n, p);
	return l;
}

static void note_lineage(struct near *n, uint32_t walk)
{
	struct lineage l = { .test = walk };
	if (n->begun && n->pick.walk != WALK_NONE)
		l = near_lineage(n, &n->pick);
	while (n->lineages.count < walk)
		vec_push(&n->lineages, (struct lineage){ .test = (uint32_t)n->lineages.count });
	if (n->lineages.count == walk)
		vec_push(&n->lineages, l);
}

/* --- conditions --- */

static void put_off(struct waiting *w, const struct pick *p)
{
	if (w->all.count < WAITING_MAX)
		vec_push(&w->all, *p);
}

static bool is_long(const struct near *n, uint32_t walk)
{
	return logarithm(cost_of(n, walk)) > n->usual + LONG;
}

static bool is_condition(const struct walk_choice *c)
{
	return c->kind == CHOICE_SAFETY || c->kind == CHOICE_BOUND;
}

static void add_conditions(struct near *n, uint32_t walk)
{
	const struct walk *w = walk_of(n, walk);
	struct map last = {0};
	for (uint32_t i = 0; i < w->choices_count; i++)
		if (w->choices[i].kind == CHOICE_SAFETY)
			*map_at(&last, rng_mix(w->choices[i].place)) = i;
	for (uint32_t i = 0; i < w->choices_count; i++) {
		const struct walk_choice *c = &w->choices[i];
		if (!is_condition(c) || !c->is_new)
			continue;
		uint32_t *count = map_at(&n->places, rng_mix(c->place));
		*count += *count < UINT32_MAX;
		bool is_due = c->kind == CHOICE_SAFETY && (!(*count & (*count - 1)) || *map_at(&last, rng_mix(c->place)) == i);
		if (is_due && !(n->begun && is_long(n, walk)))
			vec_push(&n->due, (struct pick){ walk, *c });
		else
			put_off(&n->later, &(struct pick){ walk, *c });
	}
	map_free(&last);
}

/* Those of long paths wait. */
static void put_off_long(struct near *n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n->due.count; i++)
		if (is_long(n, n->due.at[i].walk))
			put_off(&n->later, &n->due.at[i]);
		else
			n->due.at[kept++] = n->due.at[i];
	n->due.count = kept;
}

static bool is_open(const struct near *n, const struct pick *p)
{
	return n->world->states[p->choice.id] == CHOICE_OPEN;
}

static bool take_due(struct near *n, struct pick *out)
{
	while (n->due_next < n->due.count) {
		*out = n->due.at[n->due_next++];
		if (!is_open(n, out))
			continue;
		if (*map_at(&n->efforts, rng_mix(out->choice.place)) < HARD)
			return true;
		put_off(&n->hard, out);
	}
	vec_clear(&n->due);
	n->due_next = 0;
	return false;
}

/* Any of them; share: it must be their turn, 0: there is nothing else to do. */
static bool take_waiting(struct near *n, struct waiting *w, unsigned share, struct pick *out)
{
	while (w->all.count && (!share || share * w->spent <= n->spent)) {
		size_t i = (size_t)rng_below(&n->world->rng, w->all.count);
		*out = w->all.at[i];
		w->all.at[i] = w->all.at[--w->all.count];
		n->from = w;
		if (is_open(n, out))
			return true;
	}
	n->from = NULL;
	return false;
}

/* --- tests --- */

/* Of risks that follow one decision those of one place are one. */
static void add_risks(struct test *t, const struct walk *w)
{
	struct map seen = {0};
	vec_push(&t->risks, (struct risk){ 0, w->steps_count, 0 });
	for (uint32_t i = w->risks_count; i-- > 0;)
		if (w->risks[i].step <= w->steps_count && !(*map_at(&seen, rng_mix((uint64_t)w->risks[i].step << 32 | w->risks[i].place)))++)
			vec_push(&t->risks, (struct risk){ w->risks[i].place, w->risks[i].step, 0 });
	for (uint32_t step = w->steps_count; !w->risks_count && step-- > 0;)
		vec_push(&t->risks, (struct risk){ 0, step, 0 });
	map_free(&seen);
}

static void add_test(struct near *n, uint32_t walk)
{
	const struct walk *w = walk_of(n, walk);
	struct test t = { .walk = walk, .known = mem_alloc(w->steps_count + 1u), .explored = mem_alloc(w->steps_count + 1u) };
	add_risks(&t, w);
	vec_push(&n->tests, t);
}

static void near_meet(void *s, uint32_t walk)
{
	struct near *n = s;
	note_lineage(n, walk);
	add_conditions(n, walk);
	if (!n->begun && !walk_of(n, walk)->stopped)
		add_test(n, walk);
}

static void near_begin(void *s, uint32_t walk, uint32_t fresh)
{
	struct near *n = s;
	(void)walk;
	(void)fresh;
	uint64_t sum = 0;
	for (size_t i = 0; i < n->tests.count; i++)
		sum += logarithm(cost_of(n, n->tests.at[i].walk));
	n->usual = n->tests.count ? (unsigned)(sum / n->tests.count) : 0;
	if (!n->begun)
		put_off_long(n);
	n->begun = true;
	n->pick.walk = WALK_NONE;
}

/* --- ways --- */

static void add_way(struct near *n, uint32_t walk, uint32_t step, uint32_t left)
{
	const struct walk *w = walk_of(n, walk);
	if (!left || w->dropped || w->stopped || step >= w->steps_count)
		return;
	uint32_t *gone = map_at(&n->gone, rng_mix((uint64_t)step << 32 | (step ? w->steps[step - 1].path : 0)));
	if (*gone >= left)
		return;
	*gone = left;
	vec_push(&n->tests.at[n->test].ways, (struct way){ walk, step, left, n->here });
}

static void ask(struct near *n, const struct way *at, bool exploring)
{
	n->asking = true;
	n->exploring = exploring;
	n->at = *at;
	n->here = at->distance;
	n->is_free = false;
	n->choice = walk_choice_from(walk_of(n, at->walk), at->step);
	vec_clear(&n->kids);
}

static bool next_way(struct near *n, struct test *t)
{
	while (t->ways_next < t->ways.count) {
		struct way w = t->ways.at[t->ways_next++];
		if (walk_of(n, w.walk)->dropped)
			continue;
		ask(n, &w, true);
		return true;
	}
	vec_clear(&t->ways);
	t->ways_next = 0;
	return false;
}

/* --- risks --- */

/* The decision before a risk that is to be asked about, or gone on from, in this round; WALK_NONE: there is none. What is known to be forced, or was gone on from as far, is passed over. */
static uint32_t decision_of(struct near *n, struct test *t, struct risk *r)
{
	while (r->below && r->found < n->world->distance) {
		uint32_t step = r->below - 1;
		bool done = t->known[step] == FREE && t->explored[step] > r->found;
		if (t->known[step] != FORCED && !done)
			return step;
		r->below = step;
		r->found += done;
	}
	return WALK_NONE;
}

static bool counts(struct near *n, const struct risk *r)
{
	return !r->place || *map_at(&n->risky, rng_mix(r->place + 1ull)) < PLACE_ROUND * n->world->distance;
}

static bool next_risk(struct near *n, struct test *t)
{
	while (!walk_of(n, t->walk)->dropped && t->next < t->risks.count) {
		struct risk *r = &t->risks.at[t->next];
		uint32_t step = counts(n, r) ? decision_of(n, t, r) : WALK_NONE;
		if (step != WALK_NONE) {
			ask(n, &(struct way){ t->walk, step, 0, r->found + 1 }, false);
			return true;
		}
		t->next++;
	}
	return false;
}

static bool next_of_test(struct near *n, struct test *t)
{
	return t->spent < TEST_ROUND * n->world->distance && (next_way(n, t) || next_risk(n, t));
}

/* Of any test; false: none has anything left to do in this round. */
static bool next_decision(struct near *n)
{
	for (size_t idle = 0; idle < n->tests.count;) {
		bool has_turn = n->turn < TEST_TURN;
		if (has_turn && next_of_test(n, &n->tests.at[n->test]))
			return true;
		idle += has_turn;
		n->test = (n->test + 1) % n->tests.count;
		n->turn = 0;
	}
	return false;
}

/* Before any risk, a decision that was not looked at for its sake. */
static bool is_anything_left(const struct near *n)
{
	for (size_t i = 0; i < n->tests.count; i++)
		for (size_t k = 0; k < n->tests.at[i].risks.count && !walk_of(n, n->tests.at[i].walk)->dropped; k++)
			if (n->tests.at[i].risks.at[k].below)
				return true;
	return false;
}

/* Some test cost too much in this round. */
static bool is_anything_undone(const struct near *n)
{
	for (size_t i = 0; i < n->tests.count; i++) {
		const struct test *t = &n->tests.at[i];
		if (t->ways_next < t->ways.count || (t->next < t->risks.count && !walk_of(n, t->walk)->dropped))
			return true;
	}
	return false;
}

/* False: there is nothing to do in one. */
static bool next_round(struct near *n)
{
	uint32_t most = n->world->distance_max ? n->world->distance_max : DISTANCE_MAX;
	bool further = n->world->distance < most && is_anything_left(n);
	if (!further && !(n->world->distance && is_anything_undone(n)))
		return false;
	if (further) {
		n->world->distance++;
		map_free(&n->risky);
	}
	for (size_t i = 0; i < n->tests.count; i++) {
		n->tests.at[i].spent = 0;
		n->tests.at[i].next = further ? 0 : n->tests.at[i].next;
	}
	return true;
}

/* --- answers --- */

static void end_of_risk(struct near *n)
{
	struct test *t = &n->tests.at[n->test];
	struct risk *r = &t->risks.at[t->next];
	t->known[n->at.step] = n->is_free ? FREE : FORCED;
	if (!n->is_free)
		return;
	t->explored[n->at.step] = (uint8_t)n->here;
	r->below = n->at.step;
	r->found++;
	++*map_at(&n->risky, rng_mix(r->place + 1ull));
	for (size_t i = 0; i < n->kids.count; i++)
		add_way(n, n->kids.at[i], n->at.step + 1, REACH * n->here);
	add_way(n, n->at.walk, n->at.step + 1, REACH * n->here);
}

static void end_of_way(struct near *n)
{
	uint32_t left = n->at.left - n->is_free;
	for (size_t i = 0; i < n->kids.count; i++)
		add_way(n, n->kids.at[i], n->at.step + 1, left);
	add_way(n, n->at.walk, n->at.step + 1, left);
}

/* What is known costs nothing. */
static uint32_t cost_of_pick(const struct near *n, const struct pick *p)
{
	return is_open(n, p) ? cost_of(n, p->walk) : 0;
}

static void pay(struct near *n, const struct pick *p)
{
	uint32_t cost = cost_of_pick(n, p);
	n->tests.at[n->test].spent += cost;
	n->turn += cost;
}

/* The next side of the decision that is asked about; false: there is none, and what is known now was used. */
static bool next_side(struct near *n, struct pick *out)
{
	const struct walk *w = walk_of(n, n->at.walk);
	while (!w->dropped && n->choice < w->choices_count && w->choices[n->choice].step == n->at.step) {
		const struct walk_choice *c = &w->choices[n->choice++];
		if (!choice_is_branch(c))
			continue;
		*out = (struct pick){ n->at.walk, *c };
		pay(n, out);
		return true;
	}
	n->asking = false;
	if (n->exploring)
		end_of_way(n);
	else
		end_of_risk(n);
	return false;
}

static bool next_branch(struct near *n, struct pick *out)
{
	bool goes_on = n->tests.count;
	while (goes_on) {
		if (n->asking && next_side(n, out))
			return true;
		goes_on = next_decision(n) || next_round(n);
	}
	return false;
}

static void spend(struct near *n, uint32_t cost)
{
	n->spent += cost;
	if (n->from)
		n->from->spent += cost;
}

static enum search_move near_choose(void *s, struct pick *out)
{
	struct near *n = s;
	n->from = NULL;
	bool found = take_due(n, out) || take_waiting(n, &n->hard, HARD_SHARE, out) || take_waiting(n, &n->later, LATER_SHARE, out) || next_branch(n, out) ||
	             take_waiting(n, &n->hard, 0, out) || take_waiting(n, &n->later, 0, out);
	if (!found)
		return SEARCH_NOTHING;
	n->pick = *out;
	spend(n, cost_of_pick(n, out));
	return SEARCH_TRY;
}

static void near_learn(void *s, const struct pick *p, const struct result *r)
{
	struct near *n = s;
	spend(n, r->effort);
	if (!choice_is_branch(&p->choice)) {
		uint32_t *hardest = map_at(&n->efforts, rng_mix(p->choice.place));
		*hardest = *hardest > r->effort ? *hardest : r->effort;
	}
	if (!choice_is_branch(&p->choice) || !n->asking)
		return;
	n->tests.at[n->test].spent += r->effort;
	n->is_free |= r->kind != RESULT_REFUTED;
	if (r->kind == RESULT_WALK && r->walk != WALK_NONE && r->predicted)
		vec_push(&n->kids, r->walk);
}

static void near_close(void *s)
{
	struct near *n = s;
	for (size_t i = 0; i < n->tests.count; i++) {
		vec_free(&n->tests.at[i].risks);
		vec_free(&n->tests.at[i].ways);
		free(n->tests.at[i].known);
		free(n->tests.at[i].explored);
	}
	vec_free(&n->tests);
	vec_free(&n->lineages);
	vec_free(&n->due);
	vec_free(&n->hard.all);
	vec_free(&n->later.all);
	vec_free(&n->kids);
	map_free(&n->places);
	map_free(&n->efforts);
	map_free(&n->risky);
	map_free(&n->gone);
	free(n);
}

const struct strategy search_near = {
	.name = "near", .text = "all conditions on the paths of the first inputs, then paths that leave theirs near what could go wrong",
	.open = near_open, .begin = near_begin, .choose = near_choose, .learn = near_learn, .meet = near_meet, .lineage = near_lineage, .close = near_close,
	.whole = true,
};
