/* Trace files: created, saved, read back; and truncated or garbled ones, which must be refused with a message or be
 * safe to use. The same for program facts. */
#include "trace_build.h"

#include "base/fs.h"
#include "base/rng.h"
#include "trace/coverage.h"
#include "trace/dump.h"
#include "trace/facts.h"
#include "trace/predict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

enum { FUZZ_ROUNDS = 2000 };

static struct td_loaded *sample_modules(struct build *b)
{
	return (void *)((char *)b->live.header + b->live.header->modules_off);
}

static struct build sample(void)
{
	struct build b = build_new("ab");
	sample_modules(&b)[0] = (struct td_loaded){ .edges = 9, .functions = 2 };
	sample_modules(&b)[1] = (struct td_loaded){ .build = 1, .first_edge = 9, .edges = 4, .first_function = 2, .functions = 1,
		.kind = TD_LOADED_LIBRARY, .path = "/nonexistent/libgone.so" };
	b.live.header->modules = 2;
	uint32_t is = build_is(&b, 0, 'a'), sum = build_node(&b, TD_ADD, 8, build_byte(&b, 1), build_byte(&b, 0), 0);
	build_decision(&b, TD_EV_BRANCH, 1, is);
	build_event(&b, TD_EV_BRANCH, 3, 0, 0);
	build_decision(&b, TD_EV_CONCRETISE, TD_NO_SITE, sum);
	build_decision(&b, TD_EV_SWITCH, 5, sum);
	static const uint64_t elements[128] = { ['b'] = 3 };
	uint32_t array = build_array(&b, "classes", 16, elements, 128), byte = build_byte(&b, 1);
	build_decision(&b, TD_EV_BOUND, TD_NO_SITE, build_node(&b, TD_ULT, 1, byte, build_const(&b, 8, 128), 0));
	build_decision(&b, TD_EV_SWITCH, 7, build_node(&b, TD_TABLE, 16, byte, array, 0));
	((char *)b.live.header + b.live.header->cover_off)[3] = 1;
	b.live.header->lost[TD_LOST_READ] = 1;
	b.live.header->counters[TD_COUNT_STALE] = 7;
	return b;
}

/* A small trace in memory, as trace_save writes it. */
static char *saved_sample(size_t *size)
{
	char path[] = "/tmp/tandem-test-XXXXXX";
	struct err err = {0};
	struct build b = sample();
	struct trace t = build_view(&b);
	close(mkstemp(path));
	assert_true(trace_save(&t, path, &err));
	struct trace again;
	assert_true(trace_open(&again, path, &err));
	assert_int_equal(again.events_count, t.events_count);
	assert_int_equal(again.modules_count, t.modules_count);
	assert_memory_equal(again.modules, t.modules, t.modules_count * sizeof *t.modules);
	assert_true(again.edges_count > 3 && again.edges_count == t.edges_count);
	assert_memory_equal(again.edges, t.edges, t.edges_count);
	assert_true(again.edges[3] && !again.edges[2]);
	assert_int_equal(again.terms.arrays_count, 1);
	assert_int_equal(terms_element(&again.terms, 0, 'b'), 3);
	assert_memory_equal(again.terms.nodes + 1, t.terms.nodes + 1, (t.terms.count - 1) * sizeof *t.terms.nodes);
	trace_close(&again);
	build_free(&b);
	char *bytes = fs_read(path, size, &err);
	unlink(path);
	return bytes;
}

static void test_create_and_reset(void **state)
{
	(void)state;
	struct live l;
	struct trace t;
	struct err err = {0};
	assert_true(trace_create(&l, &(struct trace_request){ .flags = TD_SYM_STDIN }, &err));
	assert_int_equal(l.header->nodes_max, 1 << 24);
	assert_int_equal(l.header->args_off % 4096 + l.header->nodes_off % 4096 + l.header->events_off % 4096, 0);
	assert_true(trace_set_args(&l, 2, (char *[]){ "prog", "x" }, &err));
	assert_memory_equal((char *)l.header + l.header->args_off, "prog\0x", 7);
	l.header->events = 5;
	l.header->counters[3] = 1;
	l.header->modules = 1;
	trace_reset(&l);
	assert_int_equal(l.header->modules, 1);
	assert_true(l.header->nodes == 1 && l.header->events == 0 && l.header->counters[3] == 0);
	assert_int_equal(l.header->flags, TD_SYM_STDIN);
	assert_true(trace_open_fd(&t, l.fd, &err));
	assert_int_equal(t.terms.count, 1);
	trace_close(&t);
	trace_destroy(&l);
}

static void refuse(const char *bytes, size_t size, const char *wanted)
{
	struct trace t;
	struct err err = {0};
	assert_false(trace_view(&t, bytes, size, &err));
	if (!strstr(err.text, wanted))
		fail_msg("got \"%s\", wanted \"%s\"", err.text, wanted);
}

/* A module that overlaps another, leaves a gap, is too large or has no end of its name. */
static void refuse_modules(char *bytes, size_t size)
{
	struct td_loaded *m = (void *)(bytes + ((struct td_header *)(void *)bytes)->modules_off), good = m[1];
	m[1].first_edge--, refuse(bytes, size, "trace is garbled: module 1"), m[1] = good;
	m[1].first_edge++, refuse(bytes, size, "trace is garbled: module 1"), m[1] = good;
	m[1].first_function--, refuse(bytes, size, "trace is garbled: module 1"), m[1] = good;
	m[1].edges = UINT32_MAX - 8, refuse(bytes, size, "trace is garbled: module 1"), m[1] = good;
	m[1].functions = TD_MAX_EDGES - 1, refuse(bytes, size, "trace is garbled: module 1"), m[1] = good;
	m[1].kind = 2, refuse(bytes, size, "trace is garbled: module 1"), m[1] = good;
	memset(m[1].path, 'x', sizeof m[1].path), refuse(bytes, size, "trace is garbled: module 1"), m[1] = good;
	m[0].first_edge = 1, refuse(bytes, size, "trace is garbled: module 0"), m[0].first_edge = 0;
}

static void test_says_what_is_wrong(void **state)
{
	(void)state;
	size_t size;
	char *bytes = saved_sample(&size);
	struct td_header *h = (void *)bytes, good = *h;
	struct td_event *events = (void *)(bytes + h->events_off);
	refuse(bytes, 100, "only 100 bytes");
	refuse(bytes, size - 1, "truncated");
	h->version++, refuse(bytes, size, "format version"), *h = good;
	h->magic++, refuse(bytes, size, "wrong magic"), *h = good;
	h->nodes = h->nodes_max + 1, refuse(bytes, size, "more records"), *h = good;
	h->nodes_off = UINT64_MAX - 7, refuse(bytes, size, "nodes lie outside"), *h = good;
	h->arrays = h->arrays_max + 1, refuse(bytes, size, "more records"), *h = good;
	h->array_bytes = h->array_bytes_max + 1, refuse(bytes, size, "more records"), *h = good;
	h->arrays_off += 8, refuse(bytes, size - 8, "truncated"), *h = good;
	h->arrays_off = h->size, refuse(bytes, size, "arrays lie outside"), *h = good;
	h->array_bytes_off = 8, refuse(bytes, size, "elements of arrays lie outside"), *h = good;
	h->arrays = 0, refuse(bytes, size, "node"), *h = good;
	h->array_bytes--, refuse(bytes, size, "array 0"), *h = good;
	struct td_array *array = (void *)(bytes + h->arrays_off), fine = *array;
	array->count = UINT32_MAX, refuse(bytes, size, "array 0"), *array = fine;
	array->count = 0, refuse(bytes, size, "array 0"), *array = fine;
	array->offset = UINT32_MAX, refuse(bytes, size, "array 0"), *array = fine;
	array->bits = 0, refuse(bytes, size, "array 0"), *array = fine;
	array->bits = 12, refuse(bytes, size, "array 0"), *array = fine;
	array->bits = 72, refuse(bytes, size, "array 0"), *array = fine;
	array->bits = 8, refuse(bytes, size, "node"), *array = fine;
	memset(array->name, 'x', sizeof array->name), refuse(bytes, size, "array 0"), *array = fine;
	h->inputs = 0, refuse(bytes, size, "unknown input"), *h = good;
	h->foreign = TD_MAX_FOREIGN + 1, refuse(bytes, size, "functions without a model lie outside"), *h = good;
	h->foreign = 1, h->foreign_off = h->size, refuse(bytes, size, "functions without a model lie outside"), *h = good;
	h->cover_off = size, h->cover_max = 1, refuse(bytes, size, "coverage lies outside"), *h = good;
	h->cover_max = UINT32_MAX, refuse(bytes, size, "coverage lies outside"), *h = good;
	h->modules = TD_MAX_MODULES, refuse(bytes, size, "modules lie outside"), *h = good;
	h->modules = TD_MAX_MODULES + 1, refuse(bytes, size, "modules lie outside"), *h = good;
	h->modules_off = size - 8, refuse(bytes, size, "modules lie outside"), *h = good;
	refuse_modules(bytes, size);
	events[0].node = h->nodes, refuse(bytes, size, "event 0");
	free(bytes);
	struct trace t;
	struct err err = {0};
	assert_false(trace_open(&t, "/nonexistent", &err));
	assert_string_equal(err.text, "cannot open /nonexistent: No such file or directory");
}

static char heard[3][300];
static unsigned heard_count;

static void hear(void *context, const char *text)
{
	(void)context;
	snprintf(heard[heard_count++ % 3], sizeof heard[0], "%s", text);
}

/* Everything a host does with a trace, so that the sanitizers see all of it. */
static void use(const struct trace *t)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct content c = build_content("xy");
	struct assignment in = build_input(&c);
	struct facts none = {0};
	facts_learn(&none, t, hear, NULL);
	dump_text(t, &none, out, NULL);
	dump_json(t, &none, out, NULL);
	facts_close(&none);
	terms_verify(&t->terms, NULL);
	predict_compare(t, t, &in);
	predict_self(t);
	fclose(out);
	free(text);
}

static void test_fuzz(void **state)
{
	(void)state;
	size_t size, accepted = 0;
	char *good = saved_sample(&size);
	struct rng rng;
	rng_seed(&rng, 7);
	for (int i = 0; i < FUZZ_ROUNDS; i++) {
		size_t cut = i % 2 ? size : rng_below(&rng, size + 1);
		char *bytes = malloc(cut ? cut : 1); /* of its exact size, so that reading past it is seen */
		memcpy(bytes, good, cut);
		for (uint64_t flips = i % 2 ? 1 + rng_below(&rng, 4) : 0; flips--;) {
			bool data = rng_below(&rng, 2);
			size_t at = data ? TD_HEADER_SIZE + rng_below(&rng, cut - TD_HEADER_SIZE) : rng_below(&rng, 160);
			bytes[at] = (char)rng_next(&rng);
		}
		struct trace t;
		struct err err = {0};
		if (trace_view(&t, bytes, cut, &err)) {
			accepted++;
			use(&t);
		} else {
			assert_true(err.text[0]);
		}
		free(bytes);
	}
	assert_true(accepted > 50 && accepted < FUZZ_ROUNDS - 1000);
	free(good);
}

/* --- dump --- */

static char *dumped(bool (*dump)(const struct trace *, const struct facts *, FILE *, struct err *), const struct trace *t,
                    const struct facts *f)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	assert_true(dump(t, f, out, NULL));
	fclose(out);
	return text;
}

/* One file with one function, a branch on line 12 and a switch with one case on line 20. */
struct sample_block {
	struct td_facts head;
	struct td_site sites[2];
	struct td_function_facts function;
	uint64_t cases[1];
	char strings[16];
};

static struct sample_block sample_block(int32_t link)
{
	static const char strings[16] = "\0main\0a.c\0i32";
	struct sample_block b = {
		.head = { .magic = TD_FACTS_MAGIC, .version = TD_FACTS_VERSION, .size = sizeof b, .edges_link = link, .edges = 4,
			.source = 6, .sites = { offsetof(struct sample_block, sites), 2 },
			.functions = { offsetof(struct sample_block, function), 1 }, .arcs = { sizeof b, 0 }, .calls = { sizeof b, 0 },
			.loops = { sizeof b, 0 }, .uses = { sizeof b, 0 }, .flows = { sizeof b, 0 }, .shapes = { sizeof b, 0 }, .taken = { sizeof b, 0 },
			.cases = { offsetof(struct sample_block, cases), 1 },
			.strings = { offsetof(struct sample_block, strings), 16 } },
		.sites = { { .first_edge = 0, .edges = 2, .file = 6, .line = 12, .column = 7, .behind = UINT32_MAX },
			{ .first_edge = 2, .edges = 2, .file = 6, .line = 20, .column = 3, .kind = TD_SITE_SWITCH, .behind = 1 } },
		.function = { .name = 1, .file = 6, .type = 10, .sites = 2 },
		.cases = { 42 },
	};
	memcpy(b.strings, strings, sizeof strings);
	return b;
}

/* Two blocks with padding between them; the second comes first in the edge section, which lies before
 * the facts, so that the links are negative. */
static struct facts_section sample_section(char *bytes, size_t size)
{
	size_t second = sizeof(struct sample_block) + 16, field = offsetof(struct td_facts, edges_link);
	struct sample_block a = sample_block(0x1005 - (0x4000 + (int32_t)field));
	struct sample_block b = sample_block(0x1001 - (0x4000 + (int32_t)(second + field)));
	memset(bytes, 0, size);
	memcpy(bytes, &a, sizeof a);
	memcpy(bytes + second, &b, sizeof b);
	return (struct facts_section){ .bytes = bytes, .size = size, .address = 0x4000, .edges_address = 0x1000, .edges_size = 9 };
}

enum { SECTION_SIZE = 2 * sizeof(struct sample_block) + 24 };

static void test_facts(void **state)
{
	(void)state;
	char bytes[SECTION_SIZE];
	struct facts f;
	struct err err = {0};
	struct facts_section s = sample_section(bytes, sizeof bytes);
	assert_true(facts_parse(&f, &s, &err));
	assert_true(f.modules_count == 1 && f.modules[0].blocks_count == 2 && f.modules[0].places_count == 4);
	assert_null(facts_find(&f, 0));
	assert_null(facts_find(&f, 9));
	assert_int_equal(facts_find(&f, 1)->site->line, 12);
	assert_int_equal(facts_find(&f, 4)->site->line, 20);
	assert_ptr_equal(facts_find(&f, 4)->block, &f.modules[0].blocks[1]);
	assert_ptr_equal(facts_find(&f, 6)->block, &f.modules[0].blocks[0]);
	assert_string_equal(facts_function(facts_find(&f, 6)), "main");
	assert_string_equal(facts_file(facts_find(&f, 6)), "a.c");
	facts_close(&f);
	assert_false(facts_open(&f, "/proc/self/exe", &err));
	assert_string_equal(err.text, "/proc/self/exe was not built with tandem cc");
}

/* The numbers of a library come from the trace. Its file is not there, or is not what was loaded: no names then. */
static void test_modules(void **state)
{
	(void)state;
	char bytes[SECTION_SIZE];
	struct facts f;
	struct facts_section s = sample_section(bytes, sizeof bytes);
	struct build b = sample();
	struct td_loaded *m = sample_modules(&b);
	assert_true(facts_parse(&f, &s, NULL));
	m[0].build = f.modules[0].build;
	m[0].functions = m[1].first_function = f.modules[0].functions;
	struct trace t = build_view(&b);
	heard_count = 0;
	facts_learn(&f, &t, hear, NULL);
	assert_int_equal(heard_count, 1);
	assert_string_equal(heard[0], "branches in /nonexistent/libgone.so have no names: No such file or directory");
	assert_int_equal(f.edges, 13);
	assert_int_equal(facts_find(&f, 1)->site->line, 12);
	assert_null(facts_find(&f, 9));
	assert_ptr_equal(facts_module(&f, 8), &f.modules[0]);
	assert_ptr_equal(facts_module(&f, 9), &f.modules[1]);
	assert_ptr_equal(facts_module(&f, 12), &f.modules[1]);
	assert_null(facts_module(&f, 13));
	facts_learn(&f, &t, hear, NULL);
	assert_int_equal(heard_count, 1); /* once */
	strcpy(m[1].path, "/proc/self/exe");
	facts_learn(&f, &t, hear, NULL);
	assert_string_equal(heard[1], "branches in /proc/self/exe have no names: the file is not the one that was loaded");
	m[1].path[0] = 0;
	facts_learn(&f, &t, hear, NULL);
	assert_string_equal(heard[2], "branches in a shared library have no names: its path is not known");
	m[0].build++; /* the program itself was built anew meanwhile */
	facts_learn(&f, &t, hear, NULL);
	assert_null(facts_find(&f, 1));
	assert_int_equal(heard_count, 4);
	facts_close(&f);
	build_free(&b);
}

/* Numbers of functions lead to their names by the links of the blocks. */
static void test_functions(void **state)
{
	(void)state;
	char bytes[SECTION_SIZE];
	struct facts f;
	const struct facts_block *block;
	struct facts_section s = sample_section(bytes, sizeof bytes);
	size_t second = sizeof(struct sample_block) + 16, field = offsetof(struct td_facts, functions_link);
	struct td_facts *a = (void *)bytes, *b = (void *)(bytes + second);
	s.functions_address = 0x2000;
	s.functions_size = 3 * sizeof(struct td_function);
	a->functions_link = 0x2000 + 2 * (int32_t)sizeof(struct td_function) - (0x4000 + (int32_t)field);
	b->functions_link = 0x2000 - (0x4000 + (int32_t)(second + field));
	assert_true(facts_parse(&f, &s, NULL));
	assert_non_null(facts_callee(&f, 0, &block));
	assert_ptr_equal(block, &f.modules[0].blocks[1]);
	assert_null(facts_callee(&f, 1, &block));
	assert_non_null(facts_callee(&f, 2, &block));
	assert_ptr_equal(block, &f.modules[0].blocks[0]);
	assert_null(facts_callee(&f, 3, &block));
	facts_close(&f);
	a->functions_link++; /* between two records */
	assert_false(facts_parse(&f, &s, NULL));
}

/* The build changes with every word of every header, so with all that decides about names. */
static void test_build(void **state)
{
	(void)state;
	char bytes[SECTION_SIZE];
	struct facts f;
	struct facts_section s = sample_section(bytes, sizeof bytes);
	assert_true(facts_parse(&f, &s, NULL));
	uint64_t build = f.modules[0].build;
	facts_close(&f);
	((struct td_facts *)(void *)bytes)->hash++;
	assert_true(facts_parse(&f, &s, NULL));
	assert_true(f.modules[0].build != build);
	facts_close(&f);
	((struct td_facts *)(void *)bytes)->hash--;
	((struct td_facts *)(void *)bytes)->edges_link--;
	assert_true(facts_parse(&f, &s, NULL));
	assert_true(f.modules[0].build != build);
	facts_close(&f);
}

static void test_garbled_facts(void **state)
{
	(void)state;
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < FUZZ_ROUNDS; i++) {
		char bytes[SECTION_SIZE];
		struct facts_section s = sample_section(bytes, sizeof bytes);
		struct facts f;
		struct err err = {0};
		s.size = i % 2 ? s.size : rng_below(&rng, s.size);
		for (int k = 0; k < i % 3; k++)
			bytes[rng_below(&rng, sizeof bytes)] = (char)rng_next(&rng);
		if (!facts_parse(&f, &s, &err)) {
			assert_non_null(strstr(err.text, "garbled"));
			continue;
		}
		for (uint32_t edge = 0; edge < 12; edge++) {
			const struct facts_place *p = facts_find(&f, edge);
			assert_true(!p || strlen(facts_function(p)) + strlen(facts_file(p)) < 32);
		}
		facts_close(&f);
	}
}

/* The switch of each block is behind the taken side of its branch (sample_block). */
static void test_told_edges(void **state)
{
	(void)state;
	char bytes[SECTION_SIZE];
	struct facts f;
	struct facts_section s = sample_section(bytes, sizeof bytes);
	struct td_site *sites = ((struct sample_block *)(void *)bytes)->sites;
	assert_true(facts_parse(&f, &s, NULL));
	static const struct { uint8_t before[9], behind[9]; } runs[] = {
		{ { 0 }, { 0 } },
		{ { 0, 1 }, { 0, 1 } },                                     /* the branch says nothing of the switch */
		{ { 0, 0, 0, 1 }, { 0, 0, 1, 1 } },                         /* either side of the switch does of the branch */
		{ { 0, 0, 0, 0, 1 }, { 0, 0, 1, 0, 1 } },
		{ { 0, 0, 0, 0, 0, 0, 0, 0, 1 }, { 0, 0, 0, 0, 0, 0, 1, 0, 1 } }, /* of its own block */
	};
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct trace t = { .edges = runs[i].before, .edges_count = 9 };
		uint8_t *taken = coverage_taken(&t, &f);
		assert_memory_equal(taken, runs[i].behind, 9);
		struct coverage c = {0};
		uint32_t count = 0;
		for (unsigned k = 0; k < 9; k++)
			count += runs[i].behind[k];
		assert_int_equal(coverage_add(&c, taken, 9), count);
		coverage_free(&c);
		free(taken);
	}
	uint8_t few[8] = { 0, 0, 0, 0, 0, 0, 0, 1 };
	coverage_complete(few, 6, &f); /* what is not told of stays as it is */
	assert_int_equal(few[6], 0);
	facts_close(&f);
	sites[0].behind = 2; /* and on; in a circle, which no compiler writes */
	assert_true(facts_parse(&f, &s, NULL));
	uint8_t circle[9] = { 0, 0, 0, 0, 0, 0, 0, 0, 1 };
	coverage_complete(circle, 9, &f);
	assert_memory_equal(circle, ((uint8_t[9]){ 0, 0, 0, 0, 0, 0, 1, 1, 1 }), 9);
	facts_close(&f);
	sites[0].behind = 4;
	assert_false(facts_parse(&f, &s, NULL));
}

static void test_dump(void **state)
{
	(void)state;
	char bytes[SECTION_SIZE];
	struct build b = sample();
	struct trace t = build_view(&b);
	struct facts f;
	struct facts_section s = sample_section(bytes, sizeof bytes);
	assert_true(facts_parse(&f, &s, NULL));
	char *text = dumped(dump_text, &t, &f);
	static const char wanted[] =
		"a.c:12:7 main                     taken      stdin[0] == 'a'\n"
		"a.c:20:3 main                     not taken  (concrete)\n"
		"-                                 lost       address of a read: stdin[1] + stdin[0] = -61\n"
		"a.c:12:7 main                     switch     stdin[1] + stdin[0] = -61\n"
		"-                                 bound      stdin[1] <u 128\n"
		"a.c:20:3 main                     switch     classes[stdin[1]] = 3\n"
		"\n6 events, 11 terms, 1 inputs, 1 symbolic branches, 1 arrays\n"
		"         2  branch\n         2  switch\n         1  concretise\n         1  bound\n"
		"lost            1  address of a read\n"
		"counted         7  shadows dropped because memory had changed\n";
	assert_string_equal(text, wanted);
	free(text);
	text = dumped(dump_json, &t, &f);
	json_t *json = json_loads(text, 0, NULL);
	assert_non_null(json);
	assert_int_equal(json_array_size(json_object_get(json, "events")), 6);
	const json_t *array = json_array_get(json_object_get(json, "arrays"), 0);
	assert_string_equal(json_string_value(json_object_get(array, "name")), "classes");
	assert_int_equal(json_integer_value(json_object_get(array, "count")), 128);
	const json_t *first = json_array_get(json_object_get(json, "events"), 0);
	assert_string_equal(json_string_value(json_object_get(first, "text")), "stdin[0] == 'a'");
	assert_int_equal(json_integer_value(json_object_get(first, "line")), 12);
	json_decref(json);
	free(text);
	build_event(&b, TD_EV_BRANCH, 9, 0, 1);
	build_event(&b, TD_EV_BRANCH, 20, 0, 1);
	build_event(&b, TD_EV_CALL, 7, 0, 0);
	t = build_view(&b);
	facts_learn(&f, &t, hear, NULL);
	text = dumped(dump_text, &t, &f);
	assert_non_null(strstr(text, "\n? libgone.so                      taken      (concrete)\nsite 20   "));
	free(text);
	text = dumped(dump_json, &t, &f);
	json = json_loads(text, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(json, "modules")), 2);
	const json_t *gone = json_array_get(json_object_get(json, "modules"), 1);
	assert_string_equal(json_string_value(json_object_get(gone, "path")), "/nonexistent/libgone.so");
	assert_non_null(json_object_get(gone, "note"));
	const json_t *third_last = json_array_get(json_object_get(json, "events"), t.events_count - 3);
	assert_int_equal(json_integer_value(json_object_get(third_last, "module")), 1);
	json_decref(json);
	free(text);
	FILE *full = fopen("/dev/full", "w");
	struct err err = {0};
	assert_false(dump_text(&t, &f, full, &err));
	assert_string_equal(err.text, "cannot write the dump: No space left on device");
	fclose(full);
	facts_close(&f);
	build_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_create_and_reset), cmocka_unit_test(test_says_what_is_wrong), cmocka_unit_test(test_fuzz),
		cmocka_unit_test(test_facts), cmocka_unit_test(test_modules),
		cmocka_unit_test(test_functions), cmocka_unit_test(test_build), cmocka_unit_test(test_garbled_facts), cmocka_unit_test(test_told_edges),
		cmocka_unit_test(test_dump),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
