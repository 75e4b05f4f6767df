/* The file format of test cases: whatever goes in comes out again, equal contents are equal bytes, and no file, cut, garbled or made up
 * with a right checksum, does harm. */
#include "base/crc.h"
#include "base/fs.h"
#include "base/rng.h"
#include "testcase/casefile.h"
#include "testcase/casetext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_crc(void **state)
{
	(void)state;
	assert_int_equal(crc_of("123456789", 9), 0xcbf43926u);
	assert_int_equal(crc_of("", 0), 0);
	assert_int_equal(crc_of("The quick brown fox jumps over the lazy dog", 43), 0x414fa339u);
}

/* --- random test cases --- */

enum flavour { FLAVOUR_BINARY, FLAVOUR_TEXT, FLAVOUR_LINES, FLAVOURS };

static uint8_t *random_bytes(struct rng *r, struct arena *a, size_t size)
{
	uint64_t flavour = rng_below(r, FLAVOURS);
	uint8_t *b = arena_alloc(a, size + 1);
	for (size_t i = 0; i < size; i++)
		b[i] = (uint8_t)(flavour == FLAVOUR_BINARY ? rng_next(r) : flavour == FLAVOUR_TEXT ? ' ' + rng_below(r, 95) : (uint64_t)"ab\n\\\t\""[rng_below(r, 6)]);
	return b;
}

static const char *random_text(struct rng *r, struct arena *a)
{
	size_t size = rng_below(r, 20);
	uint8_t *b = random_bytes(r, a, size);
	for (size_t i = 0; i < size; i++)
		b[i] += !b[i];
	return (const char *)b;
}

static const char *const *random_texts(struct rng *r, struct arena *a, size_t least, size_t *count)
{
	*count = least + rng_below(r, 4);
	const char **texts = arena_alloc(a, (*count + 1) * sizeof *texts);
	for (size_t i = 0; i < *count; i++)
		texts[i] = random_text(r, a);
	return texts;
}

static size_t random_size(struct rng *r)
{
	return rng_below(r, 3) ? rng_below(r, 80) : rng_below(r, 700);
}

static const struct testcase_file *random_files(struct rng *r, struct arena *a, size_t *count)
{
	static const enum testcase_type types[] = { TESTCASE_DIRECTORY, TESTCASE_REGULAR, TESTCASE_LINK }; /* as they are written */
	size_t each = rng_below(r, 3);
	struct testcase_file *files = arena_alloc(a, 3 * each * sizeof *files + 1);
	for (size_t i = 0; i < 3 * each; i++) {
		struct testcase_file *f = &files[i];
		f->type = types[i / each];
		f->path = random_text(r, a);
		if (f->type == TESTCASE_LINK) {
			f->bytes = (const uint8_t *)random_text(r, a);
			f->size = strlen((const char *)f->bytes);
			continue;
		}
		f->mode = (uint32_t)rng_below(r, 010000);
		f->mtime = (int64_t)rng_next(r) >> rng_below(r, 64);
		f->mtime += f->mtime == INT64_MIN;
		if (f->type == TESTCASE_DIRECTORY)
			continue;
		f->fixed = rng_below(r, 2);
		f->size = random_size(r);
		f->bytes = f->size ? random_bytes(r, a, f->size) : NULL;
	}
	*count = 3 * each;
	return files;
}

static const struct testcase_mark *random_marks(struct rng *r, struct arena *a, size_t *count)
{
	*count = rng_below(r, 3);
	struct testcase_mark *marks = arena_alloc(a, *count * sizeof *marks + 1);
	for (size_t i = 0; i < *count; i++) {
		marks[i].name = random_text(r, a);
		marks[i].size = random_size(r);
		marks[i].bytes = marks[i].size ? random_bytes(r, a, marks[i].size) : NULL;
	}
	return marks;
}

static const char *maybe_text(struct rng *r, struct arena *a)
{
	return rng_below(r, 2) ? random_text(r, a) : NULL;
}

static struct casefile random_case(struct rng *r, struct arena *a)
{
	struct casefile c = { .kind = (enum casefile_kind)rng_below(r, CASE_KINDS), .purpose = maybe_text(r, a), .program = maybe_text(r, a) };
	struct testcase *t = &c.input;
	c.build = rng_below(r, 2) ? rng_next(r) : 0;
	c.parent = rng_below(r, 2) ? rng_next(r) : 0;
	c.path = rng_below(r, 2) ? rng_next(r) : 0;
	c.bug = maybe_text(r, a);
	c.place = maybe_text(r, a);
	c.frames = random_texts(r, a, 0, &c.frames_count);
	c.end = (enum casefile_end)rng_below(r, CASE_ENDS);
	c.code = c.end == CASE_END_EXIT ? (int)rng_below(r, 256) : c.end == CASE_END_SIGNAL ? 1 + (int)rng_below(r, 64) : 0;
	if (rng_below(r, 2))
		c.out = (struct casefile_sum){ true, (uint32_t)rng_next(r), rng_next(r) };
	t->args = random_texts(r, a, 1, &t->args_count);
	t->env = random_texts(r, a, 0, &t->env_count);
	t->directory = maybe_text(r, a);
	t->umask = rng_below(r, 2) ? TESTCASE_UMASK | (uint32_t)rng_below(r, 01000) : 0;
	t->input = (enum testcase_stdin)rng_below(r, 4);
	t->size = t->input == TESTCASE_FILE || t->input == TESTCASE_PIPE ? random_size(r) : 0;
	t->bytes = t->size ? random_bytes(r, a, t->size) : NULL;
	t->files = random_files(r, a, &t->files_count);
	t->marks = random_marks(r, a, &t->marks_count);
	return c;
}

static void same_text(const char *a, const char *b)
{
	assert_int_equal(!a, !b);
	if (a)
		assert_string_equal(a, b);
}

static void same_bytes(const void *a, size_t n, const void *b, size_t m)
{
	assert_int_equal(n, m);
	if (n)
		assert_memory_equal(a, b, n);
}

static void same_texts(const char *const *a, size_t n, const char *const *b, size_t m)
{
	assert_int_equal(n, m);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(a[i], b[i]);
}

static void same_input(const struct testcase *a, const struct testcase *b)
{
	same_texts(a->args, a->args_count, b->args, b->args_count);
	same_texts(a->env, a->env_count, b->env, b->env_count);
	same_bytes(a->bytes, a->size, b->bytes, b->size);
	same_text(a->directory, b->directory);
	assert_int_equal(a->umask, b->umask);
	assert_int_equal(a->input, b->input);
	assert_int_equal(a->files_count, b->files_count);
	for (size_t i = 0; i < a->files_count; i++) {
		const struct testcase_file *f = &a->files[i], *g = &b->files[i];
		assert_string_equal(f->path, g->path);
		same_bytes(f->bytes, f->size, g->bytes, g->size);
		assert_int_equal(f->type, g->type);
		assert_int_equal(f->mode, g->mode);
		assert_int_equal(f->mtime, g->mtime);
		assert_int_equal(f->fixed, g->fixed);
	}
	assert_int_equal(a->marks_count, b->marks_count);
	for (size_t i = 0; i < a->marks_count; i++) {
		assert_string_equal(a->marks[i].name, b->marks[i].name);
		same_bytes(a->marks[i].bytes, a->marks[i].size, b->marks[i].bytes, b->marks[i].size);
	}
	assert_int_equal(testcase_hash(a), testcase_hash(b));
}

static void same_case(const struct casefile *a, const struct casefile *b)
{
	same_input(&a->input, &b->input);
	assert_int_equal(a->kind, b->kind);
	same_text(a->purpose, b->purpose);
	same_text(a->program, b->program);
	assert_int_equal(a->build, b->build);
	assert_int_equal(a->parent, b->parent);
	same_text(a->bug, b->bug);
	same_text(a->place, b->place);
	same_texts(a->frames, a->frames_count, b->frames, b->frames_count);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->code, b->code);
	assert_int_equal(a->out.known, b->out.known);
	assert_int_equal(a->out.crc, b->out.crc);
	assert_int_equal(a->out.size, b->out.size);
	assert_int_equal(a->path, b->path);
}

static void test_round_trip(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	struct rng r;
	rng_seed(&r, 1);
	for (int i = 0; i < 3000; i++) {
		struct casefile c = random_case(&r, a), back;
		struct str text = {0}, again = {0};
		struct err err = {0};
		casefile_print(&c, &text);
		if (!casefile_parse(&back, text.text, text.length, a, &err))
			fail_msg("case %d: %s\n%s", i, err.text, text.text);
		same_case(&c, &back);
		casefile_print(&back, &again);
		assert_string_equal(text.text, again.text);
		for (const char *k = text.text; *k; k++)
			assert_true(*k == '\n' || (*k >= ' ' && *k <= '~'));
		struct testcase copy = testcase_copy(&c.input, a);
		same_input(&c.input, &copy);
		str_free(&text);
		str_free(&again);
		arena_reset(a);
	}
	arena_free(a);
}

/* --- files that are not sound --- */

static void put_sum(struct str *text)
{
	str_printf(text, "end %08x\n", crc_of(text->text, text->length));
}

static bool parse(const char *bytes, size_t size, struct err *err)
{
	struct arena *a = arena_new();
	struct casefile c;
	struct str text = {0};
	char *exact = memcpy(malloc(size + 1), bytes, size); /* with a NUL and not a byte more, so that ASan sees a step too far */
	exact[size] = '\0';
	*err = (struct err){0};
	bool ok = casefile_parse(&c, exact, size, a, err);
	free(exact);
	if (ok) { /* what was read must be of use */
		casefile_print(&c, &text);
		struct casefile back;
		assert_true(casefile_parse(&back, text.text, text.length, a, NULL));
	}
	assert_int_equal(ok, !err->text[0]);
	str_free(&text);
	arena_free(a);
	return ok;
}

static void test_cut_short(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	struct rng r;
	struct err err;
	rng_seed(&r, 2);
	for (int i = 0; i < 10; i++) {
		struct casefile c = random_case(&r, a);
		struct str text = {0};
		casefile_print(&c, &text);
		for (size_t n = 0; n < text.length; n++)
			assert_false(parse(text.text, n, &err));
		assert_true(parse(text.text, text.length, &err));
		str_free(&text);
	}
	arena_free(a);
}

static void mutate(struct rng *r, struct str *text)
{
	static const char *const words[] = { "\n", "|", " \"", "\\", "size 99999999999999999999", "\nfile \"x\" mode 0644 mtime 1 size 4 base64\n|AAAA\n", "\\x0",
		                             "-", "\nstdin pipe size 1\n", "=", "\nlater 1\n|x\n", "18446744073709551615", "\nkind bug\n" };
	size_t at = rng_below(r, text->length), n;
	switch (rng_below(r, 4)) {
	case 0:
		text->text[at] = (char)rng_next(r);
		break;
	case 1:
		text->text[at] = (char)(' ' + rng_below(r, 95));
		break;
	case 2:
		n = 1 + rng_below(r, 30);
		n = n < text->length - at ? n : text->length - at - 1;
		memmove(text->text + at, text->text + at + n, text->length - at - n + 1);
		text->length -= n;
		break;
	default: {
		struct str tail = {0};
		str_add(&tail, text->text + at);
		text->length = at;
		str_add(text, words[rng_below(r, sizeof words / sizeof *words)]);
		str_add_bytes(text, str_text(&tail), tail.length);
		str_free(&tail);
	}
	}
}

/* Half of them with a checksum that is right, so that it is not what saves us. */
static void test_garbled(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	struct rng r;
	struct err err;
	int good = 0, signed_ones = 0;
	rng_seed(&r, 3);
	for (int i = 0; i < 10000; i++) {
		struct casefile c = random_case(&r, a);
		struct str text = {0};
		casefile_print(&c, &text);
		bool with_sum = i % 2;
		if (with_sum)
			text.text[text.length -= 13] = '\0';
		for (uint64_t k = 1 + rng_below(&r, 4); k && text.length > 20; k--)
			mutate(&r, &text);
		if (with_sum)
			put_sum(&text);
		bool ok = parse(text.text, text.length, &err);
		good += ok && with_sum;
		signed_ones += with_sum;
		str_free(&text);
		arena_reset(a);
	}
	assert_in_range(good, signed_ones / 100, signed_ones - signed_ones / 10); /* both sides were seen */
	arena_free(a);
}

#define HEAD "tandem test case 1\n"

static void refused(const char *body, const char *why)
{
	struct str text = {0};
	struct err err;
	str_add(&text, body);
	put_sum(&text);
	assert_false(parse(text.text, text.length, &err));
	if (!strstr(err.text, why))
		fail_msg("says '%s', not '%s'", err.text, why);
	str_free(&text);
}

static void test_refused(void **state)
{
	(void)state;
	struct err err;
	assert_false(parse("", 0, &err));
	assert_non_null(strstr(err.text, "no test case"));
	refused("hello\n", "no test case");
	refused("tandem test case x\n", "first line");
	refused("tandem test case 2\narg \"x\"\n", "version 2");
	refused(HEAD, "no arguments");
	refused(HEAD "arg \"a\\x00b\"\n", "line 2 is garbled: arg");
	refused(HEAD "arg \"a\"\nkind seed\nkind bug\n", "line 4 is garbled: kind bug");
	refused(HEAD "arg \"a\"\nstdin file size 3 text\n|ab\\\n", "line 3 is garbled");
	refused(HEAD "arg \"a\"\nstdin file size 2 text\n|abc\\\n", "line 3 is garbled");
	refused(HEAD "arg \"a\"\nstdin file size 2 text\n|ab\n", "line 3 is garbled");
	refused(HEAD "arg \"a\"\nstdin file size 99999999999 text\n|ab\n", "line 3 is garbled");
	refused(HEAD "arg \"a\"\nstdin null size 1 text\n|a\\\n", "line 3 is garbled");
	refused(HEAD "arg \"a\"\nmark \"m\" size 1 base64\n|AB==\n", "line 3 is garbled"); /* bits that do not belong to it */
	refused(HEAD "arg \"a\"\numask 1000\n", "line 3 is garbled");
	refused(HEAD "arg \"a\"\nexpect exit 256\n", "line 3 is garbled");
	refused(HEAD "arg \"a\"\nexpect signal SIGNONE\n", "line 3 is garbled");
	refused(HEAD "arg \"a\"\n|x\n", "line 3 is garbled");
	refused(HEAD "arg \"a\n", "line 2 is garbled");
	refused(HEAD "arg \"\xc3\xa4\"\n", "no ASCII");
	assert_false(parse(HEAD "arg \"a\"\nend 00000000\n", strlen(HEAD) + 21, &err));
	assert_non_null(strstr(err.text, "changed or damaged"));
}

/* What a later version has added goes through this one. */
static void test_unknown_is_kept(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	struct casefile c;
	struct str text = {0}, again = {0};
	str_add(&text, HEAD "later \"f\" 3\narg \"a\"\nobject 1 size 3 text\n|abc\\\n|\nkind path\n");
	put_sum(&text);
	assert_true(casefile_parse(&c, text.text, text.length, a, NULL));
	assert_int_equal(c.kind, CASE_PATH);
	assert_string_equal(c.unknown, "later \"f\" 3\nobject 1 size 3 text\n|abc\\\n|\n");
	casefile_print(&c, &again);
	assert_non_null(strstr(again.text, c.unknown));
	str_free(&text);
	str_free(&again);
	arena_free(a);
}

/* Readable where it can be, never much larger than what is in it. */
static void test_bodies(void **state)
{
	(void)state;
	struct arena *a = arena_new();
	struct str out = {0};
	static uint8_t big[1 << 20];
	struct rng r;
	rng_seed(&r, 4);
	casetext_put_body("one\n\ttwo\\", 9, &out);
	assert_string_equal(out.text, " size 9 text\n|one\n|\\ttwo\\\\\\\n");
	str_clear(&out);
	for (size_t i = 0; i < sizeof big; i++)
		big[i] = (uint8_t)rng_next(&r);
	casetext_put_body(big, sizeof big, &out);
	assert_true(out.length < sizeof big * 7 / 5);
	struct casetext t = { out.text, out.text + out.length };
	const uint8_t *bytes;
	size_t size;
	assert_true(casetext_body(&t, a, &bytes, &size));
	same_bytes(big, sizeof big, bytes, size);
	str_free(&out);
	arena_free(a);
}

static void test_written_and_read(void **state)
{
	(void)state;
	char folder[] = "/tmp/tandem-test-XXXXXX", path[64];
	struct arena *a = arena_new();
	const char *const args[] = { "p" };
	struct casefile c = { .input = { .args = args, .args_count = 1, .bytes = (const uint8_t *)"a\0b", .size = 3 } }, back;
	struct err err = {0};
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/x" CASEFILE_SUFFIX, folder);
	assert_true(casefile_write(path, &c, &err));
	assert_true(casefile_read(&back, path, a, &err));
	same_case(&c, &back);
	assert_true(fs_write(path, "garbage", 7, &err));
	assert_false(casefile_read(&back, path, a, &err));
	assert_non_null(strstr(err.text, "x.tcase: it is no test case"));
	unlink(path);
	assert_false(casefile_read(&back, path, a, &err));
	rmdir(folder);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crc), cmocka_unit_test(test_round_trip), cmocka_unit_test(test_cut_short), cmocka_unit_test(test_garbled),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_unknown_is_kept), cmocka_unit_test(test_bodies),
		cmocka_unit_test(test_written_and_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
