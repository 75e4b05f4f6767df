/* fnmatch, after POSIX; what that leaves open is as in glibc 2.36. Where the locale has an order of its own, for extended patterns, for collating
 * symbols and for text beyond ASCII in a charset of several bytes the library is asked. */
#include "model.h"

#include <fnmatch.h>
#include <langinfo.h>
#include <stdlib.h>

enum { ASK = -2, NO_BRACKET = -3 /* it has no end: the character stands for itself */ };

struct match {
	const char *end; /* of the text */
	int flags;
};

static int fold(const struct match *m, byte c)
{
	return m->flags & FNM_CASEFOLD ? MODEL(tolower)(c) : c;
}

/* ---- brackets ---- */

/* What a bracket's list is made of. */
enum item_kind {
	ITEM_RANGE,     /* from `first` to `last`: a character by itself, too */
	ITEM_CLASS,     /* of the characters that `is` holds for; of that name there may be none */
	ITEM_OTHER,     /* a collating symbol, an equivalence class, or a range to something that is no character */
	ITEM_END,       /* the list is over, */
	ITEM_MISSING    /* or the pattern is */
};

struct item {
	int first, last;
	int (*is)(int);
};

static int (*class_of(const char *name, size_t n))(int)
{
	static const struct { const char *name; int (*is)(int); } classes[] = {
		{"alnum", MODEL(isalnum)}, {"alpha", MODEL(isalpha)}, {"blank", MODEL(isblank)}, {"cntrl", MODEL(iscntrl)},
		{"digit", MODEL(isdigit)}, {"graph", MODEL(isgraph)}, {"lower", MODEL(islower)}, {"print", MODEL(isprint)},
		{"punct", MODEL(ispunct)}, {"space", MODEL(isspace)}, {"upper", MODEL(isupper)}, {"xdigit", MODEL(isxdigit)},
	};
	for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
		if (MODEL(strncmp)(name, classes[i].name, n) == 0 && !classes[i].name[n])
			return classes[i].is;
	return NULL;
}

/* Of a class's name, in front of its `:]`. NULL: it is none, and the bracket before it an ordinary character. To the library z is not a letter of names. */
static const char *name_end(const char *name)
{
	while (*name >= 'a' && *name < 'z')
		name++;
	return name[0] == ':' && name[1] == ']' ? name : NULL;
}

static int opens(const char *p, const char *kinds)
{
	return p[0] == '[' && *MODEL(strchrnul)(kinds, p[1]);
}

/* 0: there is none. */
static byte read_character(const struct match *m, const char **p)
{
	*p += **p == '\\' && !(m->flags & FNM_NOESCAPE);
	byte c = (byte)**p;
	*p += c != 0;
	return c;
}

static enum item_kind read_range(const struct match *m, const char **p, struct item *to)
{
	byte first = read_character(m, p), last = first;
	if (first && **p == '-' && (*p)[1] != ']') {
		(*p)++;
		if (!**p || opens(*p, ".=:"))
			return ITEM_OTHER;
		last = read_character(m, p);
	}
	*to = (struct item){.first = fold(m, first), .last = fold(m, last)};
	return first && last ? ITEM_RANGE : ITEM_MISSING;
}

static enum item_kind read_item(const struct match *m, const char **p, int is_first, struct item *to)
{
	const char *end;
	if (!**p)
		return ITEM_MISSING;
	if (**p == ']' && !is_first) {
		(*p)++;
		return ITEM_END;
	}
	if (opens(*p, ".="))
		return ITEM_OTHER;
	if (opens(*p, ":") && (end = name_end(*p + 2))) {
		to->is = class_of(*p + 2, (size_t)(end - *p - 2));
		*p = end + 2;
		return ITEM_CLASS;
	}
	return read_range(m, p, to);
}

/* From behind the bracket's start: 0 if it matches, and goes on at *rest. Whether an item does is no branch: that is settled for all of them at the end. */
static int bracket(const struct match *m, const char *p, byte at, const char **rest)
{
	int negated = *p == '!' || (*p == '^' && !getenv("POSIXLY_CORRECT")), folded = fold(m, at), found = 0;
	const char *list = p + negated;
	for (p = list;;) {
		struct item item;
		switch (read_item(m, &p, p == list, &item)) {
		case ITEM_RANGE:
			found |= (item.first <= folded) & (folded <= item.last);
			break;
		case ITEM_CLASS:
			if (!item.is && !found)
				return FNM_NOMATCH;
			found |= item.is && item.is(at) != 0;
			break;
		case ITEM_OTHER: return ASK;
		case ITEM_END: *rest = p; return found != negated ? 0 : FNM_NOMATCH;
		case ITEM_MISSING: return NO_BRACKET;
		}
	}
}

/* ---- patterns ---- */

static int match(const struct match *m, const char *p, const char *n, int no_period);

/* Behind a star. */
static int star(const struct match *m, const char *p, const char *n, int no_period)
{
	int path = m->flags & FNM_PATHNAME;
	const char *end = n;
	if (n < m->end && *n == '.' && no_period)
		return FNM_NOMATCH;
	for (; *p == '?' || *p == '*'; p++) {
		if (*p == '*')
			continue;
		if (n == m->end || (*n == '/' && path))
			return FNM_NOMATCH;
		n++;
	}
	for (end = n; end < m->end && !(path && *end == '/');)
		end++;
	if (!*p)
		return !path || m->flags & FNM_LEADING_DIR || end == m->end ? 0 : FNM_NOMATCH;
	if (*p == '/' && path)
		return end < m->end ? match(m, p + 1, end + 1, m->flags & FNM_PERIOD) : FNM_NOMATCH;
	int escaped = *p == '\\' && !(m->flags & FNM_NOESCAPE), first = fold(m, (byte)p[escaped]);
	for (; n < end; n++, no_period = 0) {
		if ((*p == '[' && !escaped) || fold(m, (byte)*n) == first) {
			int found = match(m, p, n, path ? no_period : 0);
			if (found != FNM_NOMATCH)
				return found;
		}
	}
	return FNM_NOMATCH;
}

static int match(const struct match *m, const char *p, const char *n, int no_period)
{
	int path = m->flags & FNM_PATHNAME, next_no_period;
	byte c;
	for (; (c = (byte)*p++); no_period = next_no_period, n++) {
		next_no_period = 0;
		int here = n < m->end, is_hidden = here && *n == '.' && no_period, found;
		switch (c) {
		case '?':
			if (!here || (*n == '/' && path) || is_hidden)
				return FNM_NOMATCH;
			continue;
		case '*':
			return star(m, p, n, no_period);
		case '[':
			if (!here || is_hidden || (*n == '/' && path))
				return FNM_NOMATCH;
			found = bracket(m, p, (byte)*n, &p);
			if (found == 0)
				continue;
			if (found != NO_BRACKET)
				return found;
			break;
		case '\\':
			if (m->flags & FNM_NOESCAPE)
				break;
			c = (byte)*p++;
			if (!c)
				return FNM_NOMATCH;
			break;
		case '/':
			next_no_period = (m->flags & (FNM_PATHNAME | FNM_PERIOD)) == (FNM_PATHNAME | FNM_PERIOD);
			break;
		}
		if (!here || fold(m, c) != fold(m, (byte)*n))
			return FNM_NOMATCH;
	}
	return n == m->end || (m->flags & FNM_LEADING_DIR && *n == '/') ? 0 : FNM_NOMATCH;
}

static int is_ascii(const char *s)
{
	byte all = 0;
	while (*s)
		all |= (byte)*s++;
	return all < 0x80;
}

int MODEL(fnmatch)(const char *pattern, const char *text, int flags)
{
	struct match m = {text + MODEL(strlen)(text), flags};
	if (flags & FNM_EXTMATCH || nl_langinfo(_NL_COLLATE_NRULES) || (MB_CUR_MAX > 1 && !(is_ascii(pattern) && is_ascii(text))))
		return fnmatch(pattern, text, flags);
	int found = match(&m, pattern, text, flags & FNM_PERIOD);
	return found == ASK ? fnmatch(pattern, text, flags) : found;
}
