/* Arguments and environment of a traced run: the system packs their strings one behind the other. Here each gets memory and
 * an object of its own, with an empty granule behind it, and so does the vector. */
#include "object.h"

static uint64_t text_size(const char *text)
{
	uint64_t n = 1;
	while (text[n - 1])
		n++;
	return n;
}

/* Of its slot: at least a byte longer than it. */
static uint64_t slot_size(uint64_t bytes)
{
	return (bytes / TD_GRANULE + 1) * TD_GRANULE;
}

/* As it was if there is no memory. */
char **argument_adopt(char **strings, unsigned kind)
{
	uint64_t count = 0, bytes = 0;
	for (; strings[count]; count++)
		bytes += slot_size(text_size(strings[count]));
	uint64_t vector_bytes = (count + 1) * sizeof *strings;
	char *memory = state_map(slot_size(vector_bytes) + bytes);
	if (!memory || !state_enter())
		return strings;
	char **vector = (char **)(void *)memory;
	object_add((enum td_object_kind)kind, (uint64_t)vector, vector_bytes, NULL);
	memory += slot_size(vector_bytes);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t n = text_size(strings[i]);
		vector[i] = memory;
		for (uint64_t k = 0; k < n; k++)
			memory[k] = strings[i][k];
		object_add((enum td_object_kind)kind, (uint64_t)memory, n, NULL);
		memory += slot_size(n);
	}
	state_leave();
	return vector;
}
