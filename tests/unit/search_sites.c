/* What the compiler says of branches (programs/sites.c), which features 1 to 12 of a search by weights are made of. */
#include "search_common.h"

#include "contract/facts.h"
#include "trace/facts.h"

#include <stdio.h>

static struct facts facts;

static uint32_t features(uint32_t line)
{
	for (size_t i = 0; i < facts.modules[0].places_count; i++) {
		const struct facts_place *p = &facts.modules[0].places[i];
		if (p->site->line == line && p->site->kind != TD_SITE_SELECT && strstr(facts_file(p), "sites.c"))
			return p->site->features;
	}
	fail_msg("no branch in line %u", line);
	return 0;
}

/* Of these lines, and of no others, it is said. */
static void only(enum td_feature feature, const uint32_t *lines)
{
	static const uint32_t all[] = { 9, 10, 14, 16, 18, 26, 28, 30, 31, 40, 42, 44, 46 };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		bool wanted = false;
		for (const uint32_t *line = lines; *line; line++)
			wanted |= *line == all[i];
		if ((features(all[i]) >> feature & 1) != wanted)
			fail_msg("line %u: feature %d is%s there", all[i], feature, wanted ? " not" : "");
	}
}

#define ONLY(feature, ...) only(TD_FEATURE_##feature, (const uint32_t[]){ __VA_ARGS__, 0 })

static void places(void **state)
{
	(void)state;
	ONLY(MAIN, 40, 42, 44, 46);
	ONLY(IN_LOOP, 9, 10, 14, 16, 18);
	ONLY(LOOP_CONDITION, 9, 10, 14, 16, 18);
	ONLY(LOOP_TRUE, 9, 16);
	ONLY(NESTED, 10, 14, 16, 18, 28, 30, 31);
	ONLY(CASE, 46);
}

/* Parameters are local variables. */
static void conditions(void **state)
{
	(void)state;
	ONLY(EXTERNAL, 42, 44);
	ONLY(INTEGER, 9, 10, 14, 16, 18, 30, 31, 40, 42, 44);
	ONLY(LITERAL, 30, 44);
	ONLY(POINTER, 10, 26, 44);
	ONLY(LOCAL, 9, 10, 14, 16, 26, 28, 30, 44);
	ONLY(FLOAT, 28);
}

int main(void)
{
	struct err err = {0};
	if (!facts_open(&facts, PROGRAM, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	const struct CMUnitTest tests[] = { cmocka_unit_test(places), cmocka_unit_test(conditions) };
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	facts_close(&facts);
	return failed;
}
