/* The turns in which auto asks a cgs of its own: what that is told, what is passed over, when a turn is over. No other turn takes choices that are not new, of walks that no search has begun
 * with: so whoever picks one of these is that cgs. */
#include "search_common.h"

enum {
	NEVER = 500,       /* rounds without a pick: there will be none */
	LENGTHS = 5,       /* of contexts */
	IMPOSSIBLE = 8,    /* questions that use one up */
	LOOKS = 1 << 16,   /* of a turn */
	TURNS = 3
};

/* A walk of equal decisions that only contexts lead to. */
static uint32_t apart(struct scene *s, uint32_t id, uint32_t edge, uint32_t count)
{
	uint32_t *edges = malloc((count + 1) * sizeof *edges);
	for (uint32_t i = 0; i < count; i++)
		edges[i] = edge;
	edges[count] = WALK_NO_EDGE;
	uint32_t walk = scene_walk(s, id, edges);
	for (uint32_t i = 0; i < count; i++)
		s->w.walks.at[walk].choices[i].is_new = 0;
	free(edges);
	return walk;
}

/* Its length is then one of those that tell what is usual. */
static uint32_t usual(struct scene *s, uint32_t walk)
{
	s->search->meet(s->self, walk);
	return walk;
}

/* How many rounds it takes to the next pick. Whoever wants to start over gets a walk with nothing in it. */
static unsigned rounds_to(struct scene *s, struct pick *p)
{
	uint32_t nothing = apart(s, 0, 0, 0);
	unsigned n = 0;
	for (; n < NEVER && s->search->choose(s->self, p) != SEARCH_TRY; n++)
		s->search->begin(s->self, nothing, 0);
	return n;
}

/* The run went where one went before. */
static void lead_back(struct scene *s, const struct pick *p)
{
	s->states[p->choice.id] = CHOICE_TAKEN;
	s->search->learn(s->self, p, &(struct result){ .kind = RESULT_WALK, .walk = p->walk });
}

/* How many of a walk's choices are picked, each leading back; of none of the others any is, and they come in order. */
static unsigned picked_of(struct scene *s, uint32_t walk)
{
	struct pick p;
	unsigned n = 0;
	for (; rounds_to(s, &p) < NEVER; n++) {
		assert_int_equal(p.walk, walk);
		assert_int_equal(p.choice.step, n);
		lead_back(s, &p);
	}
	return n;
}

/* --- what it is told --- */

/* A run uses its context up: then it is one choice for each length. */
static void told_of_runs(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, "auto");
	assert_int_equal(picked_of(&s, usual(&s, apart(&s, 0, 2, 20))), LENGTHS);
	scene_close(&s);
}

/* So do some refusals. Those of other turns, one behind each of its own, do not count. */
static void told_of_refusals(void **state)
{
	struct scene s;
	struct pick p;
	unsigned own = 0, others = 0;
	(void)state;
	scene_open(&s, "auto");
	uint32_t walk = usual(&s, apart(&s, 0, 2, 100));
	while (rounds_to(&s, &p) < NEVER) {
		*(p.walk == walk ? &own : &others) += 1;
		scene_refute(&s, &p);
		if (p.walk == walk)
			s.search->begin(s.self, apart(&s, 200 + own, 4, 1), 0);
	}
	assert_int_equal(own, LENGTHS * IMPOSSIBLE);
	assert_int_equal(others, own);
	scene_close(&s);
}

/* What it has been through is done with; what came since is not. */
static void goes_on_with_new_walks(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, "auto");
	assert_int_equal(picked_of(&s, usual(&s, apart(&s, 0, 2, 20))), LENGTHS);
	assert_int_equal(picked_of(&s, usual(&s, apart(&s, 100, 6, 20))), LENGTHS);
	scene_close(&s);
}

/* --- what is passed over --- */

/* That leaves the context to others, who come later. (Only here has nobody met the walk: it would wait until nothing else is left.) */
static void passes_over_stopped(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, "auto");
	uint32_t slow = apart(&s, 0, 2, 20);
	s.w.walks.at[slow].stopped = true;
	assert_int_equal(picked_of(&s, usual(&s, apart(&s, 100, 2, 20))), LENGTHS);
	scene_close(&s);
}

static void passes_over_dear(void **state)
{
	struct scene s;
	(void)state;
	scene_open(&s, "auto");
	usual(&s, apart(&s, 0, 2, 20 << 6));
	usual(&s, apart(&s, 2000, 2, 0));
	assert_int_equal(picked_of(&s, usual(&s, apart(&s, 3000, 2, 20))), LENGTHS);
	scene_close(&s);
}

/* --- when a turn is over --- */

/* With a limit it stops in between, and goes on from there. */
static void cgs_in_parts(void **state)
{
	enum { COUNT = 20, MOST = 4 };
	struct scene s;
	struct pick p;
	unsigned parts = 0;
	(void)state;
	scene_open(&s, "cgs");
	void *c = search_cgs.open(&s.w, &(struct strategy){ .option = MOST });
	uint32_t walk = apart(&s, 0, 2, COUNT);
	for (uint32_t i = 0; i < COUNT - 1; i++)
		s.states[i] = CHOICE_REFUTED;
	scene_begin(&s, walk);
	assert_int_equal(s.search->choose(s.self, &p), SEARCH_TRY); /* without one it does not */
	for (; search_cgs.choose(c, &p) == SEARCH_NOTHING; parts++)
		assert_true(parts < COUNT);
	assert_in_range(parts, 2, COUNT / MOST * 2);
	assert_int_equal(p.choice.id, COUNT - 1);
	search_cgs.close(c);
	scene_close(&s);
}

/* Rounds to the pick of a choice behind TURNS decisions, which have `count` choices each that were all answered. */
static unsigned rounds_behind(uint32_t count)
{
	struct scene s;
	struct pick p;
	scene_open(&s, "auto");
	uint32_t walk = apart(&s, 0, 2, TURNS * count + 1);
	struct walk_choice *choices = s.w.walks.at[walk].choices;
	for (uint32_t i = 0; i < TURNS * count; i++) {
		choices[i].id = 0;
		choices[i].step = i / count;
	}
	choices[TURNS * count].id = 1;
	s.states[0] = CHOICE_REFUTED;
	usual(&s, walk);
	unsigned n = rounds_to(&s, &p);
	assert_true(n < NEVER);
	assert_int_equal(p.choice.id, 1);
	scene_close(&s);
	return n;
}

/* One seed has its turns in one order: the turn that finds it comes by as many rounds later as there were turns before that looked at too much. */
static void looks_are_limited(void **state)
{
	(void)state;
	assert_true(rounds_behind(LOOKS + 1) >= rounds_behind(1) + TURNS);
}

/* Likewise behind a stopped walk, of which all is passed over. */
static unsigned rounds_beside(uint32_t count)
{
	struct scene s;
	struct pick p;
	uint8_t *states = calloc(count + 2, 1);
	scene_open(&s, "auto");
	s.w.states = states;
	uint32_t slow = apart(&s, 0, 2, count), walk = apart(&s, count, 2, count + 1);
	s.w.walks.at[slow].stopped = true;
	for (uint32_t i = 0; i < count; i++)
		s.w.walks.at[walk].choices[i].id = count;
	s.w.walks.at[walk].choices[count].id = count + 1;
	states[count] = CHOICE_REFUTED;
	usual(&s, walk);
	unsigned n = rounds_to(&s, &p);
	assert_true(n < NEVER);
	assert_int_equal(p.choice.id, count + 1);
	scene_close(&s);
	free(states);
	return n;
}

static void what_is_passed_over_is_limited(void **state)
{
	(void)state;
	assert_true(rounds_beside(TURNS * (LOOKS + 1)) >= rounds_beside(1) + TURNS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(told_of_runs), cmocka_unit_test(told_of_refusals), cmocka_unit_test(goes_on_with_new_walks), cmocka_unit_test(passes_over_stopped), cmocka_unit_test(passes_over_dear),
		cmocka_unit_test(cgs_in_parts), cmocka_unit_test(looks_are_limited), cmocka_unit_test(what_is_passed_over_is_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
