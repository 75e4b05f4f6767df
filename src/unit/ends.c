/* See ends.h. A function that is given two pointers goes from one to the other, and would leave the first one's object if the second led anywhere else: nobody calls it so. What is matched wrongly is tested with fewer pointers, and nothing is called a fault that is none.
 * What is left of the name without the word for an end is looked for at the beginning of the others' names, then any pointer of the type will do, the nearest in front. Where the word does not stand by itself (bufend, and delim), what is left has to be another's whole name. */
#include "unit/ends.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define STEM_MAX 32

static const char *const words[] = { "end", "endp", "lim", "limit", "stop", "bound" };

/* A word is a name, or has an underscore in front of it, or begins with a capital letter behind a small one. */
static bool is_word(const char *name, size_t at)
{
	return !at || name[at - 1] == '_' || (isupper((unsigned char)name[at]) && !isupper((unsigned char)name[at - 1]));
}

/* Without the word, and the underscore in front of it; false: there is none. *loose: what is left and the word are not told apart, as in bufend, and in delim. */
static bool stem_of(const char *name, char stem[STEM_MAX], bool *loose)
{
	size_t n = strlen(name);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t m = strlen(words[i]);
		if (n < m || n - m >= STEM_MAX || strcasecmp(name + n - m, words[i]) != 0)
			continue;
		n -= m;
		*loose = !is_word(name, n);
		n -= n && name[n - 1] == '_';
		memcpy(stem, name, n);
		stem[n] = 0;
		return true;
	}
	return false;
}

static bool is_end(const char *name)
{
	char stem[STEM_MAX];
	bool loose;
	return stem_of(name, stem, &loose) && !loose;
}

/* Of pointers to what `of` is, or to such pointers. */
static bool leads_to(const struct type *t, const struct type *of, bool indirect)
{
	if (indirect)
		return t->kind == TYPE_POINTER && leads_to(t->of, of, false);
	return t->kind == TYPE_POINTER && types_same(t->of, of);
}

struct wish {
	const struct type *of;
	const char *stem;
	bool whole;         /* it is all of the name */
	bool indirect;
};

static bool is_begin(const struct type_member *m, const struct wish *w)
{
	return leads_to(m->type, w->of, w->indirect) && !is_end(m->name) && (w->whole ? strcmp(m->name, w->stem) == 0 : strncmp(m->name, w->stem, strlen(w->stem)) == 0);
}

/* The nearest in front, else the nearest behind. */
static size_t nearest(const struct type_member *members, size_t count, size_t pointer, const struct wish *w)
{
	for (size_t i = pointer; i-- > 0;)
		if (is_begin(&members[i], w))
			return i;
	for (size_t i = pointer + 1; i < count; i++)
		if (is_begin(&members[i], w))
			return i;
	return count;
}

bool end_find(const struct type_member *members, size_t count, size_t pointer, struct end *out)
{
	const struct type *t = members[pointer].type;
	char stem[STEM_MAX];
	bool loose;
	if (t->kind != TYPE_POINTER || !t->of->size || !stem_of(members[pointer].name, stem, &loose))
		return false;
	*out = (struct end){ count, false };
	for (int indirect = 0; indirect < 2 && *stem && out->begin == count; indirect++)
		*out = (struct end){ nearest(members, count, pointer, &(struct wish){ t->of, stem, loose, indirect }), indirect };
	if (out->begin == count && !loose)
		*out = (struct end){ nearest(members, count, pointer, &(struct wish){ .of = t->of, .stem = "" }), false };
	return out->begin < count;
}
