/* How a model is tested. A test calls it on the input and hands every result to give(). The file is compiled twice and linked into one program:
 *
 *   by tandem-cc: calls go to the models, and give() takes a branch on each bit, so that the conditions of one run have to foretell all
 *   that the model gives in others;
 *   by clang-19 with -DLIBRARY: calls go to glibc, on the same input, read once more, when the other part is done. What the two gave
 *   is compared; a difference is told, and ends the program by abort().
 *
 * The program's name says which test is run: it is known by that to both sides without being an input. See tests/suites/models.sh for the
 * comment lines that give the inputs. Rules for a test: sizes and offsets that come from the input are masked, so that every input is a
 * legal call; strings are made by piece(), in blocks of their exact size; pointers are given as offsets; of a comparison the sign. */
#ifndef TANDEM_TESTS_MODELS_HARNESS_H
#define TANDEM_TESTS_MODELS_HARNESS_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_ROOM = 96, GIVEN_MOST = 4096 };

struct test {
	const char *name;
	void (*run)(void);
	void (*before)(void); /* on both sides, before anything is read; or null */
};

struct given {
	unsigned count;
	uint64_t values[GIVEN_MOST];
};

extern struct given given_by_model, given_by_library;
extern const struct test __start_model_tests[], __stop_model_tests[], __start_library_tests[], __stop_library_tests[];

#ifdef LIBRARY
#define SECTION "library_tests"
#define GIVEN given_by_library
#else
#define SECTION "model_tests"
#define GIVEN given_by_model
#endif

#define TEST_ROW(id, text, first) \
	static void test_##id(void); \
	static const struct test row_##id __attribute__((used, section(SECTION))) = {text, test_##id, first}; \
	static void test_##id(void)

/* TEST(strcmp) { ... }: the model's name. TEST_OF(strcmp, utf8, in_utf8): a further one, after a call of in_utf8(). */
#define TEST(model) TEST_ROW(model, #model, NULL)
#define TEST_OF(model, variant, first) TEST_ROW(model##_##variant, #model "." #variant, first)

/* The input: zeros behind its end. */
static unsigned char in[INPUT_ROOM];
static size_t in_size;

static inline void give(uint64_t v)
{
#ifndef LIBRARY
	for (unsigned i = 0; i < 64; i++)
		if (v >> i & 1)
			__asm__ volatile("");
#endif
	if (GIVEN.count < GIVEN_MOST)
		GIVEN.values[GIVEN.count++] = v;
}

/* A branch for each byte, of which all 256 values are told apart. */
static inline void give_bytes(const void *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned v = ((const unsigned char *)at)[i];
#ifndef LIBRARY
		for (unsigned k = 0; k < 8; k++)
			if (v >> k & 1)
				__asm__ volatile("");
#endif
		if (GIVEN.count < GIVEN_MOST)
			GIVEN.values[GIVEN.count++] = v;
	}
}

static inline void give_sign(int v)
{
	give((uint64_t)((v > 0) - (v < 0)));
}

static inline void give_at(const void *pointer, const void *base)
{
	give(pointer ? (uint64_t)((const char *)pointer - (const char *)base) : UINT64_MAX);
}

/* Only what the standard promises of a truth value. */
static inline void give_truth(int v)
{
	give(v != 0);
}

/* A block of its own of size + 1 bytes: part of the input, and a NUL. Never freed. */
static inline char *piece(size_t at, size_t size)
{
	char *block = malloc(size + 1);
	if (!block)
		_exit(3);
	for (size_t i = 0; i < size; i++)
		block[i] = (char)in[at + i];
	block[size] = 0;
	return block;
}

/* Without the NUL: nothing behind it may be touched. */
static inline void *block(size_t at, size_t size)
{
	unsigned char *made = malloc(size ? size : 1);
	if (!made)
		_exit(3);
	for (size_t i = 0; i < size; i++)
		made[i] = in[at + i];
	return made;
}

#ifdef STREAM /* the test reads standard input itself */
static void take_input(void) {}
#else
static void take_input(void)
{
	ssize_t got;
	while (in_size < sizeof in && (got = read(0, in + in_size, sizeof in - in_size)) > 0)
		in_size += (size_t)got;
}
#endif

#ifdef LIBRARY

struct given given_by_model, given_by_library;

static const char *own_name(void)
{
	return program_invocation_short_name;
}

static const struct test *find(const struct test *first, const struct test *end)
{
	for (; first < end; first++)
		if (strcmp(first->name, own_name()) == 0)
			return first;
	fprintf(stderr, "no test '%s'\n", own_name());
	abort();
}

const struct test *harness_find(void)
{
	return find(__start_model_tests, __stop_model_tests);
}

void harness_list(void)
{
	for (const struct test *t = __start_library_tests; t < __stop_library_tests; t++)
		puts(t->name);
}

void harness_compare(void)
{
	const struct test *t = find(__start_library_tests, __stop_library_tests);
	const struct given *m = &given_by_model, *l = &given_by_library;
	unsigned i = 0;
	if (t->before)
		t->before();
	rewind(stdin);
	lseek(0, 0, SEEK_SET);
	errno = 0;
	take_input();
	t->run();
	while (i < m->count && i < l->count && m->values[i] == l->values[i])
		i++;
	if (i == m->count && i == l->count)
		return;
	fprintf(stderr, "%s: value %u of %u is %#jx, the library's of %u %#jx\n", t->name, i, m->count, (uintmax_t)m->values[i], l->count,
	        (uintmax_t)l->values[i]);
	abort();
}

#else

const struct test *harness_find(void);
void harness_list(void);
void harness_compare(void);

int main(int argc, char **argv)
{
	if (argc > 1) {
		harness_list();
		return 0;
	}
	(void)argv;
	const struct test *t = harness_find();
	if (t->before)
		t->before();
	errno = 0;
	take_input();
	t->run();
	harness_compare();
	return 0;
}

#endif
#endif
