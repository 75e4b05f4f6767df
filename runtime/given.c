/* What this run is given, from the request in the shared file (contract/trace.h): to be copied before the program runs, which may write
 * there. */
#include "state.h"

#include <unistd.h>

static char *place; /* of what comes next */

static char *end_of_area(void)
{
	const struct td_header *h = td_state.header;
	return (char *)td_state.header + h->args_off + h->args_size;
}

static char *next_text(void)
{
	static char none[] = "";
	char *start = place, *end = end_of_area();
	while (place < end && *place)
		place++;
	if (place == end)
		return none;
	place++;
	return start;
}

void given_begin(void)
{
	place = (char *)td_state.header + td_state.header->args_off;
}

/* The next so many strings, with a null behind them. */
static char **vector(uint32_t count)
{
	char **strings = state_map((count + 1ull) * sizeof *strings);
	for (uint32_t i = 0; i < count && strings; i++)
		strings[i] = next_text();
	return strings;
}

char **given_arguments(int *argc)
{
	char **argv = vector(td_state.header->argc);
	if (!argv)
		_exit(6);
	*argc = (int)td_state.header->argc;
	return argv;
}

void given_skip_arguments(void)
{
	for (uint32_t i = 0; i < td_state.header->argc; i++)
		next_text();
}

const char *given_file(void)
{
	return next_text();
}

void given_skip_files(void)
{
	for (uint32_t i = 0; i < td_state.header->files; i++)
		given_file();
}

/* A variable of the request, which may be a name alone, and one of the environment. */
static bool same_name(const char *x, const char *y)
{
	while (*x && *x == *y && *x != '=')
		x++, y++;
	return (*x == '=' || !*x) && *y == '=';
}

static bool is_set(const char *variable)
{
	while (*variable && *variable != '=')
		variable++;
	return *variable;
}

static uint32_t *numbers, set_count; /* which of the request the first ones are */

/* The environment with the variables of the request in it; those come first, in their order. A name alone is a variable that is not there. */
char **given_environment(char **old)
{
	uint32_t given = td_state.header->env;
	uint64_t count = 0;
	while (old && old[count])
		count++;
	char **all = given ? state_map((2ull * given + count + 1) * sizeof *all) : NULL;
	numbers = all ? state_map(given * sizeof *numbers) : NULL;
	if (!numbers) {
		for (uint32_t i = 0; i < given; i++)
			next_text();
		return old;
	}
	char **texts = all + given + count + 1;
	for (uint32_t i = 0; i < given; i++) {
		texts[i] = next_text();
		if (is_set(texts[i])) {
			all[set_count] = texts[i];
			numbers[set_count++] = i;
		}
	}
	uint64_t n = set_count;
	for (uint64_t k = 0; k < count; k++) {
		bool is_new = true;
		for (uint32_t i = 0; i < given && is_new; i++)
			is_new = !same_name(texts[i], old[k]);
		if (is_new)
			all[n++] = old[k];
	}
	return all;
}

bool given_variable(uint32_t place_in_environment, uint32_t *number)
{
	if (place_in_environment >= set_count)
		return false;
	*number = numbers[place_in_environment];
	return true;
}

/* The value of the next mark: its bytes, at most so many, go there. How many there were; behind the last mark: none. */
uint64_t given_mark(void *to, uint64_t bytes)
{
	static uint32_t taken;
	char *end = td_state.header && taken < td_state.header->marks ? end_of_area() : place;
	uint32_t size;
	if (!place || (uint64_t)(end - place) < sizeof size)
		return 0;
	__builtin_memcpy(&size, place, sizeof size);
	place += sizeof size;
	taken++;
	if (size > (uint64_t)(end - place))
		size = (uint32_t)(end - place);
	uint64_t n = size < bytes ? size : bytes;
	for (uint64_t i = 0; i < n; i++)
		((char *)to)[i] = place[i];
	place += size;
	return n;
}
