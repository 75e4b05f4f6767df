/* Reports of violations: garbled ones are refused or harmless, sound ones are told as people expect; addresses become places in the source,
 * for programs that the tests build with clang. */
#include "trace_build.h"

#include "base/rng.h"
#include "contract/object.h"
#include "trace/debug.h"
#include "trace/report.h"
#include "trace/symbols.h"
#include "trace/tell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

enum { FUZZ_ROUNDS = 2000 };

static struct td_report *add_report(struct build *b)
{
	struct td_header *h = b->live.header;
	struct td_report *r = (struct td_report *)(void *)((char *)h + h->reports_off) + h->reports++;
	r->violation = TD_VIOLATION_UPPER;
	r->write = 1;
	r->address = 0x5010;
	r->bytes = 4;
	r->object = (struct td_report_object){ .start = 0x4fe8, .size = 40, .number = 3, .serial = 1, .kind = TD_OBJECT_HEAP };
	r->modules_count = 1;
	r->modules[0] = (struct td_report_module){ 0x1000, 0x9000, 0x1000, "/nonexistent/lib/libgone.so" };
	r->stacks[TD_WHERE_HAPPENED] = (struct td_report_stack){ .count = 2, .frames = { 0x1235, 0xffff0000 } };
	r->stacks[TD_WHERE_MADE] = (struct td_report_stack){ .count = 1, .frames = { 0x2001 } };
	return r;
}

static void expect_headline(const struct td_report *r, const char *wanted)
{
	struct str text = {0};
	report_headline(r, &text);
	assert_string_equal(str_text(&text), wanted);
	str_free(&text);
}

static void test_headlines(void **state)
{
	(void)state;
	struct build b = build_new("ab");
	struct td_report *r = add_report(&b);
	expect_headline(r, "heap-overflow: write of 4 bytes at 0x5010, 0 bytes past the end of a 40-byte heap block");
	r->violation = TD_VIOLATION_LOWER;
	r->address = 0x4fe7;
	r->bytes = 1;
	r->write = 0;
	r->object.kind = TD_OBJECT_GLOBAL;
	strcpy(r->object.name, "table");
	expect_headline(r, "global-underflow: read of 1 byte at 0x4fe7, 1 byte before the start of a 40-byte global variable 'table'");
	r->violation = TD_VIOLATION_FREED;
	r->address = 0x4fe8;
	r->object.kind = TD_OBJECT_HEAP;
	r->object.name[0] = 0;
	r->thread = 2;
	expect_headline(r, "use-after-free: read of 1 byte at 0x4fe8, at byte 0 of a 40-byte heap block (thread 2)");
	r->thread = 0;
	r->bytes = 0;
	r->violation = TD_VIOLATION_DOUBLE_FREE;
	expect_headline(r, "double-free: block freed twice, 0x4fe8, at byte 0 of a 40-byte heap block");
	r->object.number = 0;
	r->violation = TD_VIOLATION_ASSERT;
	r->address = 0;
	strcpy(r->text, "a < \x1b[2J b");
	expect_headline(r, "assertion: assertion failed: a < \\x1b[2J b");
	build_free(&b);
}

static void test_text_and_json(void **state)
{
	(void)state;
	struct build b = build_new("ab");
	struct td_report *r = add_report(&b);
	r->terms[0] = build_byte(&b, 1);
	r->object.state = TD_OBJECT_GONE;
	struct trace t = build_view(&b);
	struct str text = {0};
	tell_text(&t, NULL, &text);
	assert_string_equal(str_text(&text),
		"==TANDEM: heap-overflow: write of 4 bytes at 0x5010, 0 bytes past the end of a 40-byte heap block\n"
		"    #0 ? (libgone.so+0x234)\n"
		"    #1 0xffff0000\n"
		"  block of 40 bytes [0x4fe8,0x5010) allocated\n"
		"    #0 ? (libgone.so+0x1000)\n"
		"  freed\n"
		"  depends on stdin[1]\n");
	json_t *all = tell_json(&t, NULL), *one = json_array_get(all, 0);
	assert_string_equal(json_string_value(json_object_get(one, "class")), "heap-overflow");
	assert_string_equal(json_string_value(json_object_get(one, "violation")), "overflow");
	assert_int_equal(json_array_size(json_object_get(one, "happened")), 2);
	assert_string_equal(json_string_value(json_object_get(json_object_get(one, "object"), "size")), "40");
	json_decref(all);
	str_clear(&text);
	tell_briefly(r, NULL, &text);
	assert_string_equal(str_text(&text), "heap-overflow in ? (libgone.so+0x234)");
	str_free(&text);
	build_free(&b);
}

/* Saved and read again, a report is the same. */
static void test_saved(void **state)
{
	(void)state;
	char path[] = "/tmp/tandem-test-XXXXXX";
	struct err err = {0};
	struct build b = build_new("ab");
	add_report(&b);
	add_report(&b);
	struct trace t = build_view(&b), again;
	close(mkstemp(path));
	assert_true(trace_save(&t, path, &err));
	assert_true(trace_open(&again, path, &err));
	assert_int_equal(again.reports_count, 2);
	assert_memory_equal(again.reports, t.reports, 2 * sizeof *t.reports);
	trace_close(&again);
	assert_int_equal(truncate(path, (off_t)(TD_HEADER_SIZE + sizeof(struct td_report))), 0);
	assert_false(trace_open(&again, path, &err));
	assert_non_null(strstr(err.text, "truncated"));
	unlink(path);
	trace_reset(&b.live);
	assert_int_equal(b.live.header->reports, 0);
	build_free(&b);
}

static void refuse(struct build *b, const char *wanted)
{
	struct trace t;
	struct err err = {0};
	assert_false(trace_view(&t, b->live.header, b->live.size, &err));
	if (!strstr(err.text, wanted))
		fail_msg("got \"%s\", wanted \"%s\"", err.text, wanted);
}

static void test_says_what_is_wrong(void **state)
{
	(void)state;
	struct build b = build_new("ab");
	struct td_report *r = add_report(&b), good = *r;
	struct td_header *h = b.live.header, fine = *h;
	h->reports = TD_MAX_REPORTS + 1, refuse(&b, "reports lie outside"), *h = fine;
	h->reports_off = h->size, refuse(&b, "reports lie outside"), *h = fine;
	h->reports_off = 8, refuse(&b, "reports lie outside"), *h = fine;
	h->reports = 2, refuse(&b, "report 1"), *h = fine;
	r->violation = TD_VIOLATIONS, refuse(&b, "report 0"), *r = good;
	r->violation = TD_NO_VIOLATION, refuse(&b, "report 0"), *r = good;
	r->events = 1, refuse(&b, "report 0"), *r = good;
	r->terms[3] = 1, refuse(&b, "report 0"), *r = good;
	r->object.kind = TD_OBJECT_KINDS, refuse(&b, "report 0"), *r = good;
	r->object.state = 2, refuse(&b, "report 0"), *r = good;
	memset(r->object.name, 'x', sizeof r->object.name), refuse(&b, "report 0"), *r = good;
	memset(r->text, 'x', sizeof r->text), refuse(&b, "report 0"), *r = good;
	memset(r->modules[0].path, 'x', sizeof r->modules[0].path), refuse(&b, "report 0"), *r = good;
	r->modules_count = TD_REPORT_MODULES + 1, refuse(&b, "report 0"), *r = good;
	r->modules[0].end = 1, refuse(&b, "report 0"), *r = good;
	r->stacks[TD_WHERE_GONE].count = TD_REPORT_FRAMES + 1, refuse(&b, "report 0"), *r = good;
	build_view(&b);
	build_free(&b);
}

static void test_fuzz(void **state)
{
	(void)state;
	struct build b = build_new("ab");
	struct td_report *r = add_report(&b), good = *r;
	struct rng rng;
	rng_seed(&rng, 5);
	for (int i = 0; i < FUZZ_ROUNDS; i++) {
		struct trace t;
		struct str text = {0};
		*r = good;
		if (i % 2) /* a path of something that is there */
			strcpy(r->modules[0].path, i % 4 == 1 ? "/proc/self/exe" : "/dev/zero");
		for (int k = 0; k < 1 + i % 4; k++)
			((char *)r)[rng_below(&rng, offsetof(struct td_report, modules) + 64)] = (char)rng_next(&rng);
		if (!trace_view(&t, b.live.header, b.live.size, NULL))
			continue;
		tell_text(&t, NULL, &text);
		json_decref(tell_json(&t, NULL));
		assert_true(strlen(str_text(&text)) > 20);
		str_free(&text);
	}
	build_free(&b);
}

/* --- programs --- */

static char directory[] = "/tmp/tandem-test-XXXXXX";

static const char *build_program(const char *source, const char *flags)
{
	static char path[64];
	char command[512];
	snprintf(path, sizeof path, "%s/p.c", directory);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(source, f);
	fclose(f);
	snprintf(path, sizeof path, "%s/p", directory);
	snprintf(command, sizeof command, "cd %s && clang-19 -w -no-pie %s p.c -o p", directory, flags);
	assert_int_equal(system(command), 0);
	return path;
}

static uint64_t address_of(const char *symbol)
{
	char command[256];
	uint64_t address = 0;
	snprintf(command, sizeof command, "nm %s/p | awk '$3 == \"%s\" { print $1 }'", directory, symbol);
	FILE *f = popen(command, "r");
	assert_int_equal(fscanf(f, "%lx", &address), 1);
	pclose(f);
	return address;
}

static void test_places(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	struct debug_place places[8];
	struct debug *d = debug_open(build_program(
		"volatile int x;\n"
		"static inline __attribute__((always_inline)) void inner(void) { x = 1; }\n"
		"void outer(void) {\n"
		"	inner();\n"
		"}\n"
		"int main(void) { outer(); return 0; }\n", "-O1 -g -fno-inline-functions"));
	assert_non_null(d);
	uint64_t outer = address_of("outer");
	assert_string_equal(debug_symbol(d, outer), "outer");
	assert_true(debug_has_symbol(d, "main") && !debug_has_symbol(d, "mai") && !debug_symbol(d, 1));
	size_t inlined = 0;
	for (uint64_t at = outer; at < outer + 8 && !inlined; at++)
		inlined = debug_find(d, at, places, 8, a) == 2;
	assert_true(inlined);
	assert_string_equal(places[0].function, "inner");
	assert_int_equal(places[0].line, 2);
	assert_string_equal(places[1].function, "outer");
	assert_int_equal(places[1].line, 4);
	char file[64];
	snprintf(file, sizeof file, "%s/p.c", directory);
	assert_string_equal(places[0].file, file);
	assert_string_equal(places[1].file, file);
	assert_int_equal(debug_find(d, 1, places, 8, a), 0);
	assert_int_equal(debug_find(d, outer, places, 0, a), 0);
	debug_close(d);
	assert_null(debug_open("/dev/zero"));
	assert_null(debug_open("/nonexistent"));
	char source[64];
	snprintf(source, sizeof source, "%s/p.c", directory);
	assert_null(debug_open(source));
	arena_free(a);
}

/* One frame per symbol; what symbols_stack makes of it, as "a<b<c". */
static void expect_stack(const char *path, const char *const *symbols, const char *wanted)
{
	static struct td_report r;
	struct arena *a = arena_new();
	struct symbols *s = symbols_open(NULL);
	struct str text = {0};
	r = (struct td_report){ .modules_count = 1, .modules[0] = { .start = 1, .end = UINT64_MAX } };
	strcpy(r.modules[0].path, path);
	for (; *symbols; symbols++)
		r.stacks[0].frames[r.stacks[0].count++] = address_of(*symbols) + 2;
	struct symbols_frames f = symbols_stack(s, &r, TD_WHERE_HAPPENED, a);
	for (size_t i = 0; i < f.count; i++)
		str_printf(&text, "%s%s", i ? "<" : "", f.at[i].function);
	assert_string_equal(str_text(&text), wanted);
	str_free(&text);
	symbols_close(s);
	arena_free(a);
}

#define STACK(...) (const char *const[]){ __VA_ARGS__, NULL }

/* The parts of a traced function are one function. */
static void test_sides(void **state)
{
	(void)state;
	const char *p = build_program(
		"#define F(name, symbol) __attribute__((used)) void name(void) __asm__(symbol); void name(void) { __asm__(\"nop; nop; nop; nop\"); }\n"
		"F(a, \"work\") F(b, \"work.td.t\") F(c, \"work.td.c\") F(d, \"work.td.s\") F(e, \"caller.td.c\") F(f, \"caller.td.s\")\n"
		"F(g, \"td.thunk.3\") F(h, \"__td_start\") F(i, \"__td_main.td.c\") F(j, \"__td_main.td.t\") F(k, \"plain\")\n"
		"__attribute__((section(\"__td_code\"))) F(l, \"object_find\")\n"
		"int main(void) { return 0; }\n", "-O0 -g0");
	expect_stack(p, STACK("work.td.s", "work.td.c", "caller.td.s", "caller.td.c", "__td_main.td.c", "__td_main.td.t", "plain"), "work<caller<main");
	expect_stack(p, STACK("object_find", "work.td.s", "work.td.t", "caller.td.c"), "work<caller");
	expect_stack(p, STACK("work.td.c", "work.td.c", "work.td.s", "work.td.t", "work.td.s", "work.td.c", "plain"), "work<work<work<work<plain");
	expect_stack(p, STACK("work.td.c", "work", "td.thunk.3", "plain", "__td_start"), "work<plain");
}

static void test_models(void **state)
{
	(void)state;
	const char *p = build_program(
		"__attribute__((used)) static void helper(void) { __asm__(\"nop; nop; nop; nop\"); }\n"
		"__attribute__((used)) void __td_m_strlen(void) { __asm__(\"nop; nop; nop; nop\"); }\n"
		"__attribute__((used)) void __td_m_strdup(void) { __asm__(\"nop; nop; nop; nop\"); }\n"
		"int main(void) { return 0; }\n", "-O0 -g");
	expect_stack(p, STACK("helper", "__td_m_strlen"), "strlen");
	expect_stack(p, STACK("__td_m_strlen", "helper", "__td_m_strdup"), "strdup");
}

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	(void)state;
	char path[64];
	snprintf(path, sizeof path, "%s/p.c", directory);
	unlink(path);
	snprintf(path, sizeof path, "%s/p", directory);
	unlink(path);
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headlines), cmocka_unit_test(test_text_and_json), cmocka_unit_test(test_saved),
		cmocka_unit_test(test_says_what_is_wrong), cmocka_unit_test(test_fuzz), cmocka_unit_test(test_places), cmocka_unit_test(test_sides),
		cmocka_unit_test(test_models),
	};
	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
