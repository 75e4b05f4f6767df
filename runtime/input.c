/* Inputs: which bytes of the program are symbolic from the start. An input is an object (standard input, a file, an argument, a
 * variable of the environment, a mark in the program) and an offset in it. What comes by descriptors is source.c's. */
#include "object.h"

#include "tandem.h"

#include <unistd.h>

enum { UNSET = 64, FIRST_UNSET = 0x81, MOST_UNSET = 1 << 16 };

static void copy_name(char *to, const char *from)
{
	unsigned i = 0;
	for (; from[i] && i + 1 < TD_NAME_SIZE; i++)
		to[i] = from[i];
	to[i] = 0;
}

int input_object(enum td_input_kind kind, uint32_t index, const char *name)
{
	struct td_header *h = td_state.header;
	if (h->inputs >= TD_MAX_INPUTS)
		return -1;
	struct td_input *in = &td_state.inputs[h->inputs];
	in->kind = kind;
	in->index = index;
	in->length = 0;
	copy_name(in->name, name);
	return (int)h->inputs++;
}

void input_mark(int object, uint64_t offset, const void *memory, uint64_t bytes)
{
	const uint8_t *m = memory;
	if (object < 0)
		return;
	for (uint64_t i = 0; i < bytes; i++) {
		uint32_t node = node_input((uint32_t)object, (uint32_t)(offset + i), m[i]);
		shadow_set_byte((uint64_t)(m + i), node ? TD_WORD(node, 0) : 0);
	}
	if (bytes && td_state.inputs[object].length < offset + bytes) /* who goes behind the end reads nothing there */
		td_state.inputs[object].length = offset + bytes;
}

/* Memory that was never set. All of it shares a few terms: what counts is that they are there. Bytes are made such as are rare
 * elsewhere: if somebody sets them unseen, their terms go. */
void input_unset(uint64_t start, uint64_t bytes)
{
	static int object = -1;
	if (!(td_state.header->flags & TD_UNINITIALISED) || td_state.header->state != TD_STATE_MAIN || bytes > MOST_UNSET)
		return;
	if (object < 0 && (object = input_object(TD_IN_UNSET, 0, "unset")) < 0)
		return;
	td_state.inputs[object].length = UNSET;
	for (uint64_t at = start; at < start + bytes; at++) {
		uint8_t value = (uint8_t)(FIRST_UNSET + at % UNSET);
		uint32_t node = node_input((uint32_t)object, (uint32_t)(at % UNSET), value);
		*(uint8_t *)at = value;
		shadow_set_byte(at, node ? TD_WORD(node, 0) : 0);
	}
}

/* A pseudo-branch: is the input longer than k bytes? */
void input_length(int object, uint64_t k, bool longer)
{
	uint64_t known = td_state.inputs[object].length;
	uint32_t length = node_make(TD_LENGTH, 64, (uint32_t)object, 0, 0, known, 0);
	uint32_t bound = node_const(64, k, 0);
	if (length && bound)
		event_add(TD_EV_LENGTH, 0, TD_NO_SITE, node_make(TD_ULT, 1, bound, length, 0, longer, 0), 0, longer);
}

/* Their NUL is symbolic too: without it the string is longer. */
static void mark_text(int object, const char *text)
{
	uint64_t bytes = 1;
	while (text[bytes - 1])
		bytes++;
	input_mark(object, 0, text, bytes);
}

static void mark_arguments(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char name[TD_NAME_SIZE] = "argv[";
		unsigned n = 5, digits = 1;
		for (int k = i; k >= 10; k /= 10)
			digits++;
		for (unsigned d = digits, k = (unsigned)i; d-- > 0; k /= 10)
			name[n + d] = (char)('0' + k % 10);
		name[n + digits] = ']';
		name[n + digits + 1] = 0;
		mark_text(input_object(TD_IN_ARG, (uint32_t)i, name), argv[i]);
	}
}

/* Those of the request, which come first. */
static void mark_environment(char **environment)
{
	uint32_t number;
	for (uint32_t i = 0; given_variable(i, &number) && environment[i]; i++) {
		char name[TD_NAME_SIZE] = "$";
		const char *value = environment[i];
		for (unsigned n = 1; *value && *value != '=' && n + 1 < sizeof name; n++)
			name[n] = *value++;
		while (*value != '=')
			value++;
		mark_text(input_object(TD_IN_ENV, number, name), value + 1);
	}
}

static int globals_object;

static void mark_global(void *address, uint64_t size)
{
	input_mark(globals_object, globals_object < 0 ? 0 : td_state.inputs[globals_object].length, address, size);
}

void input_begin(int argc, char **argv, char **environment)
{
	uint32_t flags = td_state.header->flags;
	if (!state_enter())
		return;
	source_begin();
	if (flags & TD_SYM_ARGV)
		mark_arguments(argc, argv);
	if ((flags & (TD_SYM_GIVEN | TD_CONTENTS)) == TD_SYM_GIVEN)
		mark_environment(environment);
	if (flags & TD_SYM_GLOBALS) {
		globals_object = input_object(TD_IN_GLOBAL, 0, "globals");
		module_each_initialised(mark_global);
	}
	state_leave();
}

/* ---- marks in the program ---- */

static void zero(void *memory, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		((volatile uint8_t *)memory)[i] = 0;
}

int input_next_mark(const char *name)
{
	static uint32_t count;
	return input_object(TD_IN_MARK, count++, name);
}

/* The value comes from the request, whether the run is traced or not; what it does not have is 0 if it shall be cleared, else stays. */
void __td_mark(void *memory, uint64_t bytes, const char *name, uint32_t clear)
{
	check_range(&(struct reach){(uint64_t)memory, (uint64_t)memory, bytes, true, 0, NULL, NULL, __builtin_frame_address(0), 0});
	uint64_t have = given_mark(memory, bytes);
	if (clear)
		zero((char *)memory + have, bytes - have);
	if (!state_enter())
		return;
	shadow_clear((uint64_t)memory, bytes);
	input_mark(input_next_mark(name ? name : "mark"), 0, memory, bytes);
	state_leave();
}

TD_EXPORT void tandem_symbolic(void *memory, size_t bytes, const char *name)
{
	__td_mark(memory, bytes, name, 0);
}

/* A byte that is 1 if the condition holds. */
void __td_assume(const void *holds)
{
	bool value = *(const uint8_t *)holds;
	if (state_enter()) {
		uint32_t word = shadow_byte((uint64_t)holds), node = word ? node_extract(TD_WORD_NODE(word), 8 * TD_WORD_BYTE(word), 1) : 0;
		if (node)
			event_add(TD_EV_ASSUME, 0, TD_NO_SITE, node, 0, value);
		state_leave();
	}
	if (!value)
		tandem_stop();
}

TD_EXPORT void tandem_stop(void)
{
	if (td_state.live)
		td_state.header->state = TD_STATE_EXITED;
	_exit(0);
}
