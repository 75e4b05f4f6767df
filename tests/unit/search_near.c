/* near, on tests made by hand: conditions come first, then what leaves a path near a risk, nearer ones before others, as far as it may go, and each test in its turn. The program is that of bits: what
 * its decision number i asks is bit i of the input. Behind the bits there is filler, which cannot be taken otherwise, and then a tail, of which that is not known: the end of a path is a risk too, and in a tail
 * that is long enough all is left for its sake, so that what is asked about bits is asked for the sake of the others. */
#include "search_common.h"

#include "base/rng.h"

enum {
	REACH = 2,
	DISTANCE_MAX = 32,
	LATER_SHARE = 8,
	HARD_SHARE = 2,
	PLACE_ROUND = 8,
	TEST_TURN = 8,
	TEST_ROUND = 1024,
	STEPS_EACH = 256,
	HARD = 4,
	LONG = 3,
	PICKS_MAX = 8192,
	PASSED_MAX = 1 << 20,  /* of picks behind the bits */
	BITS_MAX = 10,
	FILLER = SCENE_IDS - 1, /* the choice of all decisions there: it is refuted; */
	TAIL = SCENE_IDS - 2    /* and in the tail: it was given up */
};

struct world_of_bits {
	struct scene s;
	uint32_t length, tail;   /* of a walk, without its tail; what is behind the bits is filler */
	uint32_t forced, unknown; /* bit sets: decisions that cannot be taken otherwise; that the solver gives up on */
	uint32_t walks[1 << BITS_MAX]; /* by value, from 1 on */
	uint32_t conditions;     /* the next one's id, from the top down */
	uint32_t effort;         /* of each question */
	struct pick picks[PICKS_MAX];
	struct lineage lineages[PICKS_MAX];
	uint32_t distances[PICKS_MAX]; /* the world's, of each */
	bool was_known[PICKS_MAX];
	size_t count, passed;
};

static struct world_of_bits *bits_open(uint32_t bits, uint32_t distance_max)
{
	struct world_of_bits *b = calloc(1, sizeof *b);
	scene_open(&b->s, "near");
	b->s.bits = b->length = bits;
	b->s.w.distance_max = distance_max;
	b->s.states[FILLER] = CHOICE_REFUTED;
	b->s.states[TAIL] = CHOICE_GAVE_UP;
	b->conditions = TAIL;
	return b;
}

/* The end of a path is left in its tail, at every distance. */
static struct world_of_bits *bits_open_tailed(uint32_t bits, uint32_t distance_max)
{
	struct world_of_bits *b = bits_open(bits, distance_max);
	b->tail = distance_max ? distance_max : DISTANCE_MAX;
	return b;
}

static void bits_close(struct world_of_bits *b)
{
	scene_close(&b->s);
	free(b);
}

static struct walk *walk_at(struct world_of_bits *b, uint32_t walk)
{
	return &b->s.w.walks.at[walk];
}

/* The walk of a value; *is_new: there was none. */
static uint32_t walk_of(struct world_of_bits *b, uint32_t value, bool *is_new)
{
	*is_new = !b->walks[value];
	if (!*is_new)
		return b->walks[value] - 1;
	uint32_t count = b->length + b->tail;
	struct walk w = { .steps = calloc(count + 1, sizeof *w.steps), .choices = calloc(count + 1, sizeof *w.choices), .steps_count = count, .choices_count = count,
	                  .covered = calloc(1, sizeof *w.covered), .words = 1 };
	for (uint32_t i = 0; i < count; i++) {
		uint32_t id = i < b->s.bits ? bits_id(value ^ 1u << i, i) : i < b->length ? FILLER : TAIL;
		w.steps[i] = (struct walk_step){ 2 * (i % 16), i < b->s.bits ? bits_id(value, i) : i };
		w.choices[i] = (struct walk_choice){ .id = id, .edge = WALK_NO_EDGE, .step = i, .kind = CHOICE_BRANCH };
		if (i < b->s.bits && b->s.states[bits_id(value, i)] == CHOICE_OPEN)
			b->s.states[bits_id(value, i)] = CHOICE_TAKEN;
	}
	struct { struct walk *at; size_t count, room; } *walks = (void *)&b->s.w.walks;
	vec_push(walks, w);
	b->walks[value] = (uint32_t)walks->count;
	return (uint32_t)walks->count - 1;
}

static uint32_t value_of(const struct world_of_bits *b, uint32_t walk)
{
	for (uint32_t i = 0; i < 1 << BITS_MAX; i++)
		if (b->walks[i] == walk + 1)
			return i;
	return UINT32_MAX;
}

static uint32_t make_walk(struct world_of_bits *b, uint32_t value)
{
	bool ignored;
	return walk_of(b, value, &ignored);
}

static void add_risk(struct world_of_bits *b, uint32_t walk, uint32_t step, uint32_t place)
{
	struct walk *w = walk_at(b, walk);
	w->risks = realloc(w->risks, (w->risks_count + 1) * sizeof *w->risks);
	w->risks[w->risks_count++] = (struct walk_risk){ step, place };
}

/* Its id. */
static uint32_t add_condition(struct world_of_bits *b, uint32_t walk, uint32_t step, uint32_t place)
{
	struct walk *w = walk_at(b, walk);
	uint32_t at = 0;
	w->choices = realloc(w->choices, (w->choices_count + 1) * sizeof *w->choices);
	while (at < w->choices_count && (w->choices[at].step < step || (w->choices[at].step == step && w->choices[at].kind == CHOICE_SAFETY)))
		at++;
	memmove(&w->choices[at + 1], &w->choices[at], (w->choices_count++ - at) * sizeof *w->choices);
	w->choices[at] = (struct walk_choice){ .id = --b->conditions, .place = place, .step = step, .kind = CHOICE_SAFETY, .is_new = 1 };
	return b->conditions;
}

static uint32_t add_test(struct world_of_bits *b, uint32_t walk)
{
	b->s.search->meet(b->s.self, walk);
	return walk;
}

static void begin(struct world_of_bits *b)
{
	b->s.search->begin(b->s.self, 0, 0);
}

/* One test with one risk, besides its end. */
static struct world_of_bits *bits_with_risk(uint32_t bits, uint32_t step, uint32_t distance_max)
{
	struct world_of_bits *b = bits_open_tailed(bits, distance_max);
	make_walk(b, 0);
	add_risk(b, 0, step, 1);
	add_test(b, 0);
	begin(b);
	return b;
}

/* --- answers, as the engine gives them --- */

static void refute(struct world_of_bits *b, const struct pick *p)
{
	b->s.states[p->choice.id] = CHOICE_REFUTED;
	b->s.search->learn(b->s.self, p, &(struct result){ .kind = RESULT_REFUTED, .walk = WALK_NONE, .effort = b->effort });
}

static void give_up(struct world_of_bits *b, const struct pick *p)
{
	b->s.states[p->choice.id] = CHOICE_GAVE_UP;
	b->s.search->learn(b->s.self, p, &(struct result){ .kind = RESULT_GAVE_UP, .walk = WALK_NONE, .effort = b->effort });
}

/* What is behind the bits is known: it is told, and passed over. */
static bool choose(struct world_of_bits *b, struct pick *p)
{
	while (b->s.search->choose(b->s.self, p) == SEARCH_TRY) {
		if (p->choice.id != FILLER && p->choice.id != TAIL)
			return true;
		assert_true(++b->passed < PASSED_MAX);
		enum result_kind kind = p->choice.id == FILLER ? RESULT_REFUTED : RESULT_GAVE_UP;
		b->s.search->learn(b->s.self, p, &(struct result){ .kind = kind, .walk = WALK_NONE });
	}
	return false;
}

static bool pick_next(struct world_of_bits *b)
{
	struct pick *p = &b->picks[b->count];
	if (!choose(b, p))
		return false;
	b->lineages[b->count] = b->s.search->lineage(b->s.self, p);
	b->distances[b->count] = b->s.w.distance;
	b->was_known[b->count] = b->s.states[p->choice.id] != CHOICE_OPEN;
	assert_true(++b->count < PICKS_MAX);
	return true;
}

static void lead(struct world_of_bits *b, const struct pick *p, uint32_t value)
{
	bool is_new;
	uint32_t walk = walk_of(b, value, &is_new);
	b->s.states[p->choice.id] = CHOICE_TAKEN;
	if (is_new)
		b->s.search->meet(b->s.self, walk);
	b->s.search->learn(b->s.self, p, &(struct result){ .kind = RESULT_WALK, .walk = walk, .predicted = true, .is_new = is_new, .effort = b->effort });
}

static void answer(struct world_of_bits *b, const struct pick *p)
{
	uint8_t state = b->s.states[p->choice.id];
	uint32_t bit = p->choice.step < b->s.bits ? 1u << p->choice.step : 0, effort = b->effort;
	b->effort = state == CHOICE_OPEN ? effort : 0;
	if (!choice_is_branch(&p->choice) || state == CHOICE_REFUTED || b->forced & bit)
		refute(b, p);
	else if (state == CHOICE_GAVE_UP || b->unknown & bit)
		give_up(b, p);
	else
		lead(b, p, (value_of(b, p->walk) ^ bit) & (2 * bit - 1)); /* what comes behind it is nothing yet */
	b->effort = effort;
}

static void explore(struct world_of_bits *b)
{
	while (pick_next(b))
		answer(b, &b->picks[b->count - 1]);
}

/* Decisions in the order in which they were asked about, as value and step; what was known already is left out. */
static void assert_asked(const struct world_of_bits *b, const uint32_t (*expected)[2], size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < b->count; i++) {
		if (b->was_known[i])
			continue;
		assert_true(n < count);
		assert_int_equal(value_of(b, b->picks[i].walk), expected[n][0]);
		assert_int_equal(b->picks[i].choice.step, expected[n][1]);
		n++;
	}
	assert_int_equal(n, count);
}

#define ASKED(b, ...) do { \
	static const uint32_t expected_[][2] = { __VA_ARGS__ }; \
	assert_asked(b, expected_, sizeof expected_ / sizeof *expected_); \
} while (0)

/* --- conditions --- */

static void conditions_before_branches(void **state)
{
	struct world_of_bits *b = bits_open(3, 1);
	uint32_t ids[4];
	(void)state;
	make_walk(b, 0);
	make_walk(b, 4);
	ids[0] = add_condition(b, 0, 0, 10);
	ids[1] = add_condition(b, 0, 3, 11);
	ids[2] = add_condition(b, 1, 1, 12);
	ids[3] = add_condition(b, 1, 3, 13);
	add_test(b, 0);
	add_test(b, 1);
	begin(b);
	explore(b);
	assert_true(b->count > 4);
	for (size_t i = 0; i < b->count; i++) {
		assert_int_equal(choice_is_branch(&b->picks[i].choice), i >= 4);
		if (i < 4)
			assert_int_equal(b->picks[i].choice.id, ids[i]);
	}
	bits_close(b);
}

/* What others have asked and what is known is not asked. */
static void conditions_once(void **state)
{
	struct world_of_bits *b = bits_open(1, 1);
	(void)state;
	make_walk(b, 0);
	uint32_t known = add_condition(b, 0, 0, 10), old = add_condition(b, 0, 0, 11), open = add_condition(b, 0, 0, 12);
	b->s.states[known] = CHOICE_REFUTED;
	walk_at(b, 0)->choices[1].is_new = 0;
	assert_int_equal(walk_at(b, 0)->choices[1].id, old);
	add_test(b, 0);
	begin(b);
	assert_true(pick_next(b));
	assert_int_equal(b->picks[0].choice.id, open);
	answer(b, &b->picks[0]);
	assert_true(pick_next(b));
	assert_true(choice_is_branch(&b->picks[1].choice));
	bits_close(b);
}

static void conditions_of_new_walks_at_once(void **state)
{
	struct world_of_bits *b = bits_with_risk(4, 4, 1);
	(void)state;
	assert_true(pick_next(b));
	assert_int_equal(b->picks[0].choice.step, 3);
	uint32_t walk = make_walk(b, 8), id = add_condition(b, walk, 4, 10);
	b->s.states[b->picks[0].choice.id] = CHOICE_TAKEN;
	b->s.search->meet(b->s.self, walk);
	b->s.search->learn(b->s.self, &b->picks[0], &(struct result){ .kind = RESULT_WALK, .walk = walk, .predicted = true, .is_new = true });
	assert_true(pick_next(b));
	assert_int_equal(b->picks[1].walk, walk);
	assert_int_equal(b->picks[1].choice.id, id);
	bits_close(b);
}

/* The 1st, 2nd, 4th, ... and the last; the others have one part in eight of the time as long as there are branches, and at the end all have been. */
static void conditions_of_a_loop(void **state)
{
	enum { COUNT = 20 };
	static const uint32_t first[] = { 1, 2, 4, 8, 16, 20 };
	struct world_of_bits *b = bits_open(6, 1);
	uint32_t ids[COUNT + 1], other, seen = 0, later = 0, between = 0, asked = 0;
	size_t last_branch = 0;
	(void)state;
	make_walk(b, 0);
	for (uint32_t i = 1; i <= COUNT; i++)
		ids[i] = add_condition(b, 0, 3, 10);
	other = add_condition(b, 0, 4, 11);
	add_test(b, 0);
	begin(b);
	explore(b);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(b->picks[i].choice.id, ids[first[i]]);
	assert_int_equal(b->picks[6].choice.id, other);
	for (size_t i = 0; i < b->count; i++)
		last_branch = choice_is_branch(&b->picks[i].choice) ? i : last_branch;
	for (size_t i = 0; i < b->count; i++) {
		bool is_later = i >= 7 && !choice_is_branch(&b->picks[i].choice);
		if (i >= 7 && i <= last_branch)
			assert_int_equal(is_later, LATER_SHARE * later <= asked);
		later += is_later;
		between += is_later && i < last_branch;
		asked += !b->was_known[i]; /* what is known costs nothing */
	}
	assert_int_equal(later, COUNT - 6);
	assert_true(between >= 3 && between < later);
	for (size_t i = 0; i < b->count; i++)
		seen += b->picks[i].choice.id >= ids[COUNT] && b->picks[i].choice.id <= ids[1] && !b->was_known[i];
	assert_int_equal(seen, COUNT);
	bits_close(b);
}

/* The number goes on from path to path, but the last of a path is always one of the first. */
static void conditions_of_several_walks(void **state)
{
	struct world_of_bits *b = bits_open(1, 1);
	uint32_t ids[5];
	(void)state;
	make_walk(b, 0);
	make_walk(b, 1);
	for (uint32_t i = 0; i < 5; i++)
		ids[i] = add_condition(b, i / 2 < 2 ? 0 : 1, 0, 10); /* 4 and 1 */
	add_test(b, 0);
	add_test(b, 1);
	begin(b);
	for (size_t i = 0; i < 4; i++) {
		assert_true(pick_next(b));
		assert_int_equal(b->picks[i].choice.id, ids[i < 2 ? i : i + 1]); /* 1st, 2nd, 4th, 5th, which is the last of its path */
		answer(b, &b->picks[i]);
	}
	assert_true(pick_next(b));
	assert_int_equal(b->picks[4].choice.id, ids[2]); /* 3rd: it waited */
	bits_close(b);
}

/* --- conditions that wait --- */

enum { HARD_PLACE = 10, EASY_PLACE = 11, TESTS = 8 };

/* Each test has a condition of either place; the questions about one of the places cost so much. */
static struct world_of_bits *bits_with_hard_place(uint32_t effort)
{
	struct world_of_bits *b = bits_open(6, 0);
	for (uint32_t i = 0; i < TESTS; i++) {
		make_walk(b, i);
		add_condition(b, i, 3, HARD_PLACE);
		add_condition(b, i, 4, EASY_PLACE);
		add_test(b, i);
	}
	begin(b);
	while (pick_next(b)) {
		const struct pick *p = &b->picks[b->count - 1];
		b->effort = p->choice.place == HARD_PLACE ? effort : 0;
		answer(b, p);
	}
	return b;
}

static void easy_conditions_do_not_wait(void **state)
{
	struct world_of_bits *b = bits_with_hard_place(HARD - 1);
	(void)state;
	for (uint32_t i = 0; i < 2 * TESTS; i++) {
		assert_int_equal(b->picks[i].walk, i / 2);
		assert_int_equal(b->picks[i].choice.place, i % 2 ? EASY_PLACE : HARD_PLACE);
	}
	bits_close(b);
}

/* After the first, which shows it, those of other places come first; then they have half of what is spent, and all have been asked long before the end. */
static void hard_conditions_wait(void **state)
{
	struct world_of_bits *b = bits_with_hard_place(HARD);
	uint32_t hard = 0, spent = 1 + HARD + TESTS, spent_hard = 0;
	size_t i = 1 + TESTS, branches = 0;
	(void)state;
	assert_int_equal(b->picks[0].choice.place, HARD_PLACE);
	for (uint32_t k = 1; k <= TESTS; k++)
		assert_int_equal(b->picks[k].choice.place, EASY_PLACE);
	for (; hard < TESTS - 1; i++) {
		bool is_hard = b->picks[i].choice.place == HARD_PLACE;
		uint32_t cost = b->was_known[i] ? 0 : is_hard ? 1 + HARD : 1;
		assert_true(i < b->count);
		assert_int_equal(is_hard, HARD_SHARE * spent_hard <= spent);
		hard += is_hard;
		branches += choice_is_branch(&b->picks[i].choice);
		spent += cost;
		spent_hard += is_hard ? cost : 0;
	}
	assert_true(branches >= (TESTS - 4) * (1 + HARD)); /* they do not come all at once */
	assert_true(b->count > 2 * i);
	bits_close(b);
}

/* When there is nothing else to do they are asked too: here all branches are known and cost nothing, so their share is used up. */
static void hard_conditions_at_the_end(void **state)
{
	struct world_of_bits *b = bits_open(3, 0);
	uint8_t asked[SCENE_IDS] = {0};
	uint32_t count = 0;
	(void)state;
	for (uint32_t i = 0; i < TESTS; i++) {
		make_walk(b, i);
		add_condition(b, i, 1, HARD_PLACE);
		add_test(b, i);
	}
	b->effort = 1000 * HARD;
	begin(b);
	explore(b);
	for (size_t i = 0; i < b->count; i++)
		if (!choice_is_branch(&b->picks[i].choice)) {
			assert_int_equal(asked[b->picks[i].choice.id]++, 0);
			count++;
		} else {
			assert_true(b->was_known[i]);
		}
	assert_int_equal(count, TESTS);
	assert_false(choice_is_branch(&b->picks[b->count - 1].choice));
	bits_close(b);
}

/* A path that costs so much. */
static uint32_t make_walk_of_cost(struct world_of_bits *b, uint32_t value, uint32_t cost)
{
	uint32_t length = b->length;
	b->length = (cost - 1) * STEPS_EACH;
	uint32_t walk = make_walk(b, value);
	b->length = length;
	return walk;
}

/* One of many tests, and the first. Its conditions come first unless it is long; if it is, the others' do, and after one of its own the next has to wait until what that cost was spent so many times. */
static void check_long_test(uint32_t cost, bool is_long)
{
	struct world_of_bits *b = bits_open(8, 0);
	uint32_t walk = make_walk_of_cost(b, 15, cost), ids[2] = { add_condition(b, walk, 2, 20), add_condition(b, walk, 2, 21) }, spent = 0;
	add_test(b, walk);
	for (uint32_t i = 1; i <= TESTS; i++) {
		uint32_t other = make_walk(b, i);
		add_condition(b, other, 2, 30 + i);
		add_test(b, other);
	}
	begin(b);
	explore(b);
	size_t first = is_long ? TESTS : 0, second = is_long ? first + 1 : 1;
	for (size_t i = 0; i <= first; i++)
		assert_int_equal(b->picks[i].choice.place >= 30, i < first);
	for (size_t i = 0; i < second; i++)
		spent += b->picks[i].walk == walk ? cost : 1;
	for (; is_long && spent < LATER_SHARE * cost; second++) {
		assert_true(choice_is_branch(&b->picks[second].choice));
		spent += b->was_known[second] ? 0 : b->picks[second].walk == walk ? cost : 1;
	}
	assert_int_equal(b->picks[first].choice.id + b->picks[second].choice.id, ids[0] + ids[1]);
	bits_close(b);
}

/* A path that comes of a short one. */
static void check_long_walk(uint32_t cost, bool is_long)
{
	struct world_of_bits *b = bits_with_risk(4, 4, 1);
	assert_true(pick_next(b));
	uint32_t walk = make_walk_of_cost(b, 8, cost);
	add_condition(b, walk, 3, 20);
	add_condition(b, walk, 3, 21);
	b->s.states[b->picks[0].choice.id] = CHOICE_TAKEN;
	b->s.search->meet(b->s.self, walk);
	b->s.search->learn(b->s.self, &b->picks[0], &(struct result){ .kind = RESULT_WALK, .walk = walk, .predicted = true, .is_new = true });
	uint32_t first = walk_at(b, walk)->choices[3].id;
	assert_true(pick_next(b)); /* nothing was spent for those that wait: one may be asked */
	assert_int_equal(b->picks[1].walk, walk);
	assert_false(choice_is_branch(&b->picks[1].choice));
	if (!is_long)
		assert_int_equal(b->picks[1].choice.id, first);
	refute(b, &b->picks[1]);
	struct pick next;
	assert_int_equal(b->s.search->choose(b->s.self, &next), SEARCH_TRY);
	assert_int_equal(choice_is_branch(&next.choice), is_long);
	bits_close(b);
}

static void conditions_of_long_paths_wait(void **state)
{
	(void)state;
	check_long_test((2 << LONG) - 1, false);
	check_long_test(2 << LONG, true);
	check_long_walk((2 << LONG) - 1, false);
	check_long_walk(2 << LONG, true);
}

/* --- distances --- */

/* At distance 2 the decision behind is asked about once more, on both sides of the one before. */
static void nearest_first(void **state)
{
	struct world_of_bits *b = bits_with_risk(3, 3, 1);
	(void)state;
	explore(b);
	ASKED(b, { 0, 2 });
	bits_close(b);
	b = bits_with_risk(3, 3, 2);
	explore(b);
	ASKED(b, { 0, 2 }, { 0, 1 }, { 2, 2 });
	assert_int_equal(b->distances[0], 1);
	assert_int_equal(b->distances[1], 2);
	bits_close(b);
	b = bits_with_risk(3, 3, 0); /* its own limit is beyond the path */
	explore(b);
	ASKED(b, { 0, 2 }, { 0, 1 }, { 2, 2 }, { 0, 0 }, { 1, 1 }, { 3, 2 }, { 1, 2 });
	assert_int_equal(b->distances[b->count - 1], 3);
	bits_close(b);
}

static void refuted_do_not_count(void **state)
{
	struct world_of_bits *b = bits_with_risk(4, 4, 1);
	(void)state;
	b->forced = 1u << 3 | 1u << 2;
	explore(b);
	ASKED(b, { 0, 3 }, { 0, 2 }, { 0, 1 }, { 2, 2 }, { 2, 3 });
	bits_close(b);
}

static void given_up_count(void **state)
{
	struct world_of_bits *b = bits_with_risk(4, 4, 1);
	(void)state;
	b->unknown = 1u << 3;
	explore(b);
	ASKED(b, { 0, 3 });
	bits_close(b);
}

/* One that diverged could have been taken otherwise too, but leads to nothing. */
static void diverged_count(void **state)
{
	struct world_of_bits *b = bits_with_risk(4, 3, 1);
	(void)state;
	assert_true(pick_next(b));
	uint32_t astray = make_walk(b, 1);
	b->s.states[b->picks[0].choice.id] = CHOICE_TAKEN;
	b->s.search->meet(b->s.self, astray);
	b->s.search->learn(b->s.self, &b->picks[0], &(struct result){ .kind = RESULT_WALK, .walk = astray, .is_new = true });
	explore(b);
	for (size_t i = 0; i < b->count; i++)
		assert_int_equal(b->picks[i].walk, 0);
	assert_int_equal(b->picks[1].choice.step, 3); /* the way on */
	assert_int_equal(b->count, 2);
	bits_close(b);
}

/* Both sides of a decision, and of the next two: breadth first, those that left the path before those on it. */
static void reach(void **state)
{
	struct world_of_bits *b = bits_with_risk(8, 1, 1);
	(void)state;
	explore(b);
	ASKED(b, { 0, 0 }, { 1, 1 }, { 0, 1 }, { 3, 2 }, { 1, 2 }, { 2, 2 }, { 0, 2 });
	bits_close(b);
	b = bits_with_risk(8, 1, 1);
	b->forced = 1u << 1;
	explore(b);
	ASKED(b, { 0, 0 }, { 1, 1 }, { 0, 1 }, { 1, 2 }, { 0, 2 }, { 5, 3 }, { 1, 3 }, { 4, 3 }, { 0, 3 });
	bits_close(b);
	b = bits_with_risk(8, 1, 1);
	b->unknown = 1u << 1;
	explore(b);
	ASKED(b, { 0, 0 }, { 1, 1 }, { 0, 1 }, { 1, 2 }, { 0, 2 });
	bits_close(b);
}

/* How deep a way goes that leaves the path at a decision, which was left at distance D. */
static uint32_t deepest(const struct world_of_bits *b, uint32_t distance)
{
	uint32_t most = 0;
	for (size_t i = 0; i < b->count; i++)
		if (b->distances[i] <= distance && b->picks[i].choice.step > most)
			most = b->picks[i].choice.step;
	return most;
}

static void reach_grows_with_distance(void **state)
{
	(void)state;
	for (uint32_t d = 1; d <= 4; d++) {
		struct world_of_bits *b = bits_with_risk(BITS_MAX, d, d); /* decision 0 lies at distance d */
		explore(b);
		assert_int_equal(deepest(b, d), REACH * d);
		bits_close(b);
	}
}

/* From a decision that was left for the sake of one risk there is more to go when another has it at a larger distance; nothing is asked twice. */
static void resumed_further(void **state)
{
	struct world_of_bits *b = bits_open_tailed(9, 2);
	uint8_t asked[SCENE_IDS] = {0};
	(void)state;
	make_walk(b, 0);
	add_risk(b, 0, 1, 1); /* decision 0 at distance 1 */
	add_risk(b, 0, 2, 2); /* and at 2 */
	add_test(b, 0);
	begin(b);
	explore(b);
	assert_int_equal(deepest(b, 1), 3);
	assert_int_equal(deepest(b, 2), 4);
	for (size_t i = 0; i < b->count; i++)
		assert_true(b->was_known[i] || !asked[b->picks[i].choice.id]++);
	unsigned at_four = 0;
	for (size_t i = 0; i < b->count; i++)
		at_four += b->picks[i].choice.step == 4 && !b->was_known[i];
	assert_int_equal(at_four, 1 << 4); /* all ways from decision 0 on, and on both sides of it */
	bits_close(b);
}

/* --- risks --- */

/* The deepest risk comes first; behind the path's end there is none. */
static void deepest_first(void **state)
{
	struct world_of_bits *b = bits_open_tailed(8, 1);
	uint32_t last = UINT32_MAX;
	(void)state;
	make_walk(b, 0);
	add_risk(b, 0, 2, 1);
	add_risk(b, 0, 4, 2);
	add_risk(b, 0, 4, 2);
	add_risk(b, 0, 7, 3);
	add_risk(b, 0, 10, 4);
	b->unknown = 0xff;
	add_test(b, 0);
	begin(b);
	explore(b);
	assert_int_equal(b->picks[0].choice.step, 6);
	for (size_t i = 0; i < b->count; i++) {
		uint32_t step = b->picks[i].choice.step;
		if (!b->was_known[i] && (step == 1 || step == 3 || step == 6)) {
			assert_true(step < last);
			last = step;
		}
		assert_true(step != 0);
	}
	assert_int_equal(last, 1);
	bits_close(b);
}

/* How often one of 40 risks that have one place is the reason to leave a path: they lie ten decisions apart, the end five behind the last. */
static uint32_t counting(uint32_t place, uint32_t distance_max)
{
	enum { RISKS = 40, APART = 10, STEPS = RISKS * APART + 5 };
	struct scene s;
	struct pick p;
	uint32_t edges[STEPS + 1], n = 0;
	scene_open(&s, "near");
	s.w.distance_max = distance_max;
	for (uint32_t i = 0; i < STEPS; i++)
		edges[i] = 2;
	edges[STEPS] = WALK_NO_EDGE;
	uint32_t walk = scene_walk(&s, 1, edges);
	struct walk *w = &s.w.walks.at[walk];
	w->risks = calloc(RISKS, sizeof *w->risks);
	for (; w->risks_count < RISKS; w->risks_count++)
		w->risks[w->risks_count] = (struct walk_risk){ (w->risks_count + 1) * APART, place };
	scene_begin(&s, walk);
	while (s.search->choose(s.self, &p) == SEARCH_TRY) {
		n += p.choice.step % APART >= APART - distance_max && s.states[p.choice.id] == CHOICE_OPEN;
		s.states[p.choice.id] = CHOICE_GAVE_UP;
		s.search->learn(s.self, &p, &(struct result){ .kind = RESULT_GAVE_UP, .walk = WALK_NONE });
	}
	scene_close(&s);
	return n;
}

static void risks_of_a_place(void **state)
{
	(void)state;
	assert_int_equal(counting(7, 1), PLACE_ROUND);
	assert_int_equal(counting(7, 2), PLACE_ROUND + 2 * PLACE_ROUND);
	assert_int_equal(counting(0, 1), 40); /* without a place */
	assert_int_equal(counting(0, 2), 80);
}

/* Whatever is known of others, and first of all. */
static void end_is_a_risk(void **state)
{
	struct world_of_bits *b = bits_open(6, 2);
	(void)state;
	make_walk(b, 0);
	add_risk(b, 0, 2, 1);
	b->unknown = 0x3f;
	add_test(b, 0);
	begin(b);
	explore(b);
	ASKED(b, { 0, 5 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 }, { 0, 0 });
	bits_close(b);
}

/* Of so many tests each has its own: they are not risks of one place. */
static void ends_of_many_tests(void **state)
{
	enum { COUNT = 2 * PLACE_ROUND };
	struct world_of_bits *b = bits_open(5, 1);
	uint8_t left[COUNT] = {0};
	uint32_t seen = 0;
	(void)state;
	b->unknown = 1u << 4;
	for (uint32_t i = 0; i < COUNT; i++) {
		make_walk(b, i);
		add_risk(b, i, 0, 1); /* nothing to be done for this one */
		add_test(b, i);
	}
	begin(b);
	explore(b);
	for (size_t i = 0; i < b->count; i++) {
		assert_int_equal(b->picks[i].choice.step, 4);
		seen += !left[value_of(b, b->picks[i].walk)]++;
	}
	assert_int_equal(seen, COUNT);
	bits_close(b);
}

/* Before each decision, and at the end. */
static void walks_without_risks(void **state)
{
	struct world_of_bits *b = bits_open(4, 1);
	(void)state;
	make_walk(b, 0);
	b->unknown = 0xf;
	add_test(b, 0);
	begin(b);
	explore(b);
	ASKED(b, { 0, 3 }, { 0, 2 }, { 0, 1 }, { 0, 0 });
	bits_close(b);
}

/* --- rounds --- */

/* One with a very long path, of which no decision can be taken otherwise, and a short one. */
static void long_paths_wait(void **state)
{
	enum { STEPS = 100000 };
	struct scene s;
	struct pick p;
	uint8_t *states = calloc(STEPS + 16, 1);
	uint32_t *edges = calloc(STEPS + 1, sizeof *edges), asked[40] = {0};
	bool ends = false;
	(void)state;
	scene_open(&s, "near");
	s.w.states = states;
	edges[STEPS] = WALK_NO_EDGE;
	scene_walk(&s, 16, edges);
	scene_walk(&s, 0, (const uint32_t[]){ 2, 2, 2, 2, 2, 2, 2, 2, WALK_NO_EDGE });
	s.search->meet(s.self, 0);
	s.search->meet(s.self, 1);
	s.search->begin(s.self, 0, 0);
	while (!ends && s.search->choose(s.self, &p) == SEARCH_TRY) {
		asked[s.w.distance] += p.walk == 0;
		ends = p.walk == 1 && p.choice.step == 0 && s.w.distance > 1;
		states[p.choice.id] = p.walk ? CHOICE_GAVE_UP : CHOICE_REFUTED;
		s.search->learn(s.self, &p, &(struct result){ .kind = p.walk ? RESULT_GAVE_UP : RESULT_REFUTED, .walk = WALK_NONE });
	}
	for (uint32_t d = 1; d < s.w.distance; d++)
		assert_in_range(asked[d], 1, TEST_ROUND * d / (1 + STEPS / STEPS_EACH) + 1);
	assert_true(s.w.distance >= 2);
	scene_close(&s);
	free(states);
	free(edges);
}

/* A test of which one decision leads to very many ways, at distance 4; and another that has something to do at each up to 8. */
static struct world_of_bits *wide_and_narrow(uint32_t distance_max)
{
	struct world_of_bits *b = bits_open_tailed(10, distance_max);
	b->length = 10 * STEPS_EACH; /* so each question costs 11 */
	make_walk(b, 0);
	add_risk(b, 0, 4, 1);
	scene_walk(&b->s, SCENE_IDS - 64, (const uint32_t[]){ 2, 2, 2, 2, 2, 2, 2, 2, WALK_NO_EDGE });
	for (uint32_t i = 0; i < 8; i++)
		walk_at(b, 1)->steps[i].path = 7000 + i;
	add_risk(b, 1, 8, 2);
	add_test(b, 0);
	add_test(b, 1);
	begin(b);
	return b;
}

/* How many questions about the first are asked before the other is left at a distance; in *all, at all. */
static size_t asked_before(struct world_of_bits *b, uint32_t distance, size_t *all)
{
	size_t before = 0;
	*all = 0;
	while (pick_next(b)) {
		const struct pick *p = &b->picks[b->count - 1];
		if (p->walk == 1) {
			before = p->choice.step == 8 - distance && !b->was_known[b->count - 1] ? *all : before;
			give_up(b, p);
		} else {
			*all += !b->was_known[b->count - 1];
			answer(b, p);
		}
	}
	return before;
}

/* What the one may cost at that distance does not suffice: before it is done, the other goes further. */
static void ways_cost_too(void **state)
{
	struct world_of_bits *b = wide_and_narrow(0);
	size_t all, before = asked_before(b, 5, &all);
	(void)state;
	assert_int_equal(all, (1 << (REACH * 4 + 1)) - 1);
	assert_in_range(before, 1 << 7, TEST_ROUND * 4 / 11 + TEST_TURN / 11 + 2 + (1 << 7)); /* with those of distance 3, and a turn of the next round */
	assert_true(before < all);
	bits_close(b);
}

/* What a round does not suffice for is done in others, also at the last distance. */
static void all_is_done_at_the_last_distance(void **state)
{
	struct world_of_bits *b = wide_and_narrow(4);
	size_t all, before = asked_before(b, 4, &all);
	(void)state;
	assert_int_equal(b->s.w.distance, 4);
	assert_true(before < all);
	assert_int_equal(all, (1 << (REACH * 4 + 1)) - 1);
	bits_close(b);
}

/* What a question costs the solver counts in a round. What is left undone then is done in the next, but it was left at the distance of its own. */
static void questions_cost(void **state)
{
	static const uint32_t rounds[] = { 1, 2, 2, 3, 3, 3, 3 };
	(void)state;
	for (uint32_t effort = 0; effort <= TEST_ROUND; effort += TEST_ROUND) {
		struct world_of_bits *b = bits_with_risk(6, 1, 3);
		b->effort = effort;
		explore(b);
		ASKED(b, { 0, 0 }, { 1, 1 }, { 0, 1 }, { 3, 2 }, { 1, 2 }, { 2, 2 }, { 0, 2 });
		assert_int_equal(b->count, 7);
		for (size_t i = 0; i < 7; i++) {
			assert_int_equal(b->distances[i], effort ? rounds[i] : 1);
			assert_int_equal(b->lineages[i].distance, 1);
		}
		bits_close(b);
	}
}

/* A risk whose turn comes in a later round is left no further away than it lies: from decision 0, at distance 1, two more are gone. */
static void late_at_its_own_distance(void **state)
{
	struct world_of_bits *b = bits_open_tailed(8, 3);
	uint32_t most = 0;
	(void)state;
	make_walk(b, 0);
	add_risk(b, 0, 1, 1);
	add_risk(b, 0, 8, 2);
	b->effort = TEST_ROUND;
	add_test(b, 0);
	begin(b);
	explore(b);
	for (size_t i = 0; i < b->count; i++) {
		uint32_t step = b->picks[i].choice.step;
		if (step == 0)
			assert_int_equal(b->distances[i], 3);
		most = step < 5 && step > most ? step : most; /* 5, 6 and 7 are the other's */
	}
	assert_int_equal(most, REACH);
	bits_close(b);
}

/* It would use up many rounds to get to the bit, from the end, if what is known had a price. */
static void known_costs_nothing(void **state)
{
	struct world_of_bits *b = bits_open(1, 0);
	(void)state;
	b->length = 10 * STEPS_EACH;
	make_walk(b, 0);
	add_test(b, 0);
	begin(b);
	assert_true(pick_next(b));
	assert_int_equal(b->picks[0].choice.step, 0);
	assert_int_equal(b->distances[0], 1);
	assert_int_equal(b->passed, 10 * STEPS_EACH - 1);
	bits_close(b);
}

static void tests_take_turns(void **state)
{
	enum { STEPS = 200 };
	struct scene s;
	struct pick p;
	uint32_t edges[STEPS + 1], run = 0, longest = 0, last = WALK_NONE, changes = 0;
	(void)state;
	scene_open(&s, "near");
	s.w.distance_max = 1;
	for (uint32_t i = 0; i < STEPS; i++)
		edges[i] = 2;
	edges[STEPS] = WALK_NO_EDGE;
	for (uint32_t i = 0; i < 3; i++)
		s.search->meet(s.self, scene_walk(&s, 1 + i * STEPS, edges));
	s.search->begin(s.self, 0, 0);
	while (s.search->choose(s.self, &p) == SEARCH_TRY) {
		run = p.walk == last ? run + 1 : 1;
		changes += p.walk != last;
		longest = run > longest ? run : longest;
		last = p.walk;
		scene_refute(&s, &p);
	}
	assert_int_equal(longest, TEST_TURN);
	assert_in_range(changes, 3 * (STEPS / TEST_TURN), 3 * (STEPS / TEST_TURN + 1));
	scene_close(&s);
}

static void ends(void **state)
{
	struct world_of_bits *b = bits_with_risk(3, 0, 0); /* no decision before it, and only the tail before the end */
	(void)state;
	assert_false(pick_next(b));
	assert_false(pick_next(b));
	bits_close(b);
	b = bits_open(0, 0); /* no decision at all */
	make_walk(b, 0);
	add_test(b, 0);
	begin(b);
	assert_false(pick_next(b));
	bits_close(b);
	b = bits_open(3, 0); /* no test */
	begin(b);
	assert_false(pick_next(b));
	bits_close(b);
}

/* --- where walks come from --- */

static void lineage(void **state)
{
	struct world_of_bits *b = bits_open_tailed(4, 2);
	(void)state;
	b->forced = 1u << 1;
	make_walk(b, 0);
	make_walk(b, 4);
	uint32_t own = add_condition(b, 0, 3, 10);
	add_risk(b, 0, 4, 1);
	add_risk(b, 1, 0, 1); /* nothing to be done for this one */
	add_test(b, 0);
	add_test(b, 1);
	begin(b);
	struct lineage of_test = b->s.search->lineage(b->s.self, &(struct pick){ 1, walk_at(b, 1)->choices[0] });
	assert_int_equal(of_test.test, 1);
	explore(b);
	assert_int_equal(b->picks[0].choice.id, own);
	assert_int_equal(b->lineages[0].test, 0);
	assert_int_equal(b->lineages[0].distance, 0);
	assert_int_equal(b->lineages[0].depth, 3); /* decisions 0, 1 and 2: nothing is refuted yet */
	assert_int_equal(b->picks[1].choice.step, 3);
	assert_int_equal(b->lineages[1].distance, 1);
	assert_int_equal(b->lineages[1].depth, 3);
	assert_int_equal(b->picks[2].choice.step, 2);
	assert_int_equal(b->lineages[2].distance, 2);
	assert_int_equal(b->lineages[2].depth, 2);
	/* What comes of a pick has its test and its distance, whatever is explored by then. */
	struct pick later = { make_walk(b, 8), walk_at(b, make_walk(b, 8))->choices[3] };
	later.choice.kind = CHOICE_SAFETY;
	struct lineage l = b->s.search->lineage(b->s.self, &later);
	assert_int_equal(l.test, 0);
	assert_int_equal(l.distance, 1);
	assert_int_equal(l.depth, 3);
	bits_close(b);
}

static void depth_counts_what_is_free(void **state)
{
	struct world_of_bits *b = bits_with_risk(4, 4, 3);
	(void)state;
	b->forced = 1u << 2;
	explore(b);
	struct lineage l = b->s.search->lineage(b->s.self, &(struct pick){ 0, walk_at(b, 0)->choices[3] });
	assert_int_equal(l.depth, 2); /* 0 and 1 */
	bits_close(b);
}

/* --- walks that are not whole --- */

/* Its conditions are asked; it is no test. */
static void stopped_walks(void **state)
{
	struct world_of_bits *b = bits_open(3, 0);
	(void)state;
	make_walk(b, 0);
	uint32_t id = add_condition(b, 0, 1, 10);
	walk_at(b, 0)->stopped = true;
	add_test(b, 0);
	begin(b);
	assert_true(pick_next(b));
	assert_int_equal(b->picks[0].choice.id, id);
	answer(b, &b->picks[0]);
	assert_false(pick_next(b));
	bits_close(b);
	b = bits_with_risk(6, 1, 1); /* a way does not go on from one either */
	assert_true(pick_next(b));
	uint32_t walk = make_walk(b, 1);
	walk_at(b, walk)->stopped = true;
	answer(b, &b->picks[0]);
	explore(b);
	for (size_t i = 0; i < b->count; i++)
		assert_true(b->picks[i].walk != walk);
	assert_true(b->count > 1);
	bits_close(b);
}

static void drop(struct world_of_bits *b, uint32_t walk)
{
	struct walk *w = walk_at(b, walk);
	free(w->steps);
	free(w->choices);
	w->steps = NULL;
	w->choices = NULL;
	w->steps_count = w->choices_count = 0;
	w->dropped = true;
}

/* Each walk in its turn is dropped while a search is under way, at each moment of it. */
static void dropped_walks(void **state)
{
	(void)state;
	for (uint32_t victim = 0; victim < 4; victim++)
		for (size_t when = 0; when < 12; when++) {
			struct world_of_bits *b = bits_with_risk(5, 3, 3);
			size_t since = SIZE_MAX;
			while (pick_next(b)) {
				struct pick p = b->picks[b->count - 1];
				if (b->count > when && victim < b->s.w.walks.count && !walk_at(b, victim)->dropped) {
					drop(b, victim);
					since = b->count;
				}
				answer(b, &p);
			}
			for (size_t i = since; i < b->count; i++)
				assert_true(b->picks[i].walk != victim);
			bits_close(b);
		}
}

/* --- all --- */

static void one_seed_one_order(void **state)
{
	uint32_t ids[3][PICKS_MAX];
	size_t counts[3];
	(void)state;
	for (uint64_t k = 0; k < 3; k++) {
		struct world_of_bits *b = bits_open(7, 3);
		rng_seed(&b->s.w.rng, 1 + k / 2);
		make_walk(b, 0);
		for (uint32_t i = 0; i < 100; i++)
			add_condition(b, 0, 5, 10);
		add_test(b, 0);
		begin(b);
		explore(b);
		for (size_t i = 0; i < b->count; i++)
			ids[k][i] = b->picks[i].choice.id;
		counts[k] = b->count;
		bits_close(b);
	}
	assert_int_equal(counts[0], counts[1]);
	assert_int_equal(counts[0], counts[2]);
	assert_memory_equal(ids[0], ids[1], counts[0] * sizeof ids[0][0]);
	assert_memory_not_equal(ids[0], ids[2], counts[0] * sizeof ids[0][0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions_before_branches), cmocka_unit_test(conditions_once), cmocka_unit_test(conditions_of_new_walks_at_once), cmocka_unit_test(conditions_of_a_loop),
		cmocka_unit_test(conditions_of_several_walks), cmocka_unit_test(easy_conditions_do_not_wait), cmocka_unit_test(hard_conditions_wait), cmocka_unit_test(hard_conditions_at_the_end),
		cmocka_unit_test(conditions_of_long_paths_wait), cmocka_unit_test(nearest_first), cmocka_unit_test(refuted_do_not_count), cmocka_unit_test(given_up_count), cmocka_unit_test(diverged_count),
		cmocka_unit_test(reach), cmocka_unit_test(reach_grows_with_distance), cmocka_unit_test(resumed_further), cmocka_unit_test(deepest_first), cmocka_unit_test(risks_of_a_place),
		cmocka_unit_test(end_is_a_risk), cmocka_unit_test(ends_of_many_tests), cmocka_unit_test(walks_without_risks), cmocka_unit_test(long_paths_wait), cmocka_unit_test(ways_cost_too),
		cmocka_unit_test(all_is_done_at_the_last_distance), cmocka_unit_test(questions_cost), cmocka_unit_test(late_at_its_own_distance), cmocka_unit_test(known_costs_nothing),
		cmocka_unit_test(tests_take_turns), cmocka_unit_test(ends), cmocka_unit_test(lineage), cmocka_unit_test(depth_counts_what_is_free), cmocka_unit_test(stopped_walks),
		cmocka_unit_test(dropped_walks), cmocka_unit_test(one_seed_one_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
