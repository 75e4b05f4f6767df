/* See sizes.h. A name that has the pointer's in it is believed wherever it is; a bare word for a size only next to a pointer to characters or numbers, or where there is no other. What is matched wrongly is tested with fewer values, and nothing is called a fault that is none. */
#include "unit/sizes.h"

#include <string.h>

static const char *const words[] = { "len", "length", "size", "sz", "count", "cnt", "n", "num", "nbytes", "bytes", "nmemb", "nelem", "nelems", "elems", "items", "max", "cap", "capacity", "alloc", "allocated", "limit", "used" };

static bool is_word(const char *text)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], text) == 0)
			return true;
	return false;
}

static bool ends_in_word(const char *text)
{
	size_t n = strlen(text);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t m = strlen(words[i]);
		if (m > 1 && n > m && strcmp(text + n - m, words[i]) == 0)
			return true;
	}
	return false;
}

/* buf_len, buflen, len_buf, nbuf; lines of line */
static bool is_made_of(const char *name, const char *pointer)
{
	size_t n = strlen(pointer), m = strlen(name);
	if (!n || m <= n)
		return false;
	if (strncmp(name, pointer, n) == 0)
		return is_word(name + n + (name[n] == '_')) || strcmp(name + n, "s") == 0;
	if (strcmp(name + m - n, pointer) != 0)
		return false;
	size_t front = m - n - (m > n + 1 && name[m - n - 1] == '_');
	char word[16];
	if (front >= sizeof word)
		return false;
	memcpy(word, name, front);
	word[front] = 0;
	return is_word(word);
}

static bool has_elements(const struct type *t)
{
	if (t->kind != TYPE_POINTER)
		return false;
	switch (t->of->kind) {
	case TYPE_SIGNED: case TYPE_UNSIGNED: case TYPE_CHAR: case TYPE_BOOL: case TYPE_ENUM: case TYPE_FLOAT: case TYPE_POINTER: return true;
	default: return false;
	}
}

static size_t only_one(const struct type_member *members, size_t count)
{
	size_t found = count;
	for (size_t i = 0; i < count; i++)
		if (has_elements(members[i].type)) {
			if (found < count)
				return count;
			found = i;
		}
	return found;
}

size_t sizes_pointer(const struct type_member *members, size_t count, size_t integer)
{
	const char *name = members[integer].name;
	for (size_t i = 0; i < count; i++)
		if (members[i].type->kind == TYPE_POINTER && is_made_of(name, members[i].name))
			return i;
	if (!is_word(name) && !ends_in_word(name))
		return count;
	return integer && has_elements(members[integer - 1].type) ? integer - 1 : only_one(members, count);
}
