/* fnmatch, after the library's own (posix/fnmatch_loop.c of glibc 2.36), whose corners are the ones that programs rely on. Where the locale has an order of its
 * own, for extended patterns, for collating symbols and for text beyond ASCII in a charset of several bytes the library is asked. */
#include "model.h"

#include <fnmatch.h>
#include <langinfo.h>
#include <stdlib.h>

enum { ASK = -2, CLASS_ROOM = 16 };

struct match {
	const char *end; /* of the text */
	int flags;
};

static int fold(const struct match *m, byte c)
{
	return m->flags & FNM_CASEFOLD ? MODEL(tolower)(c) : c;
}

/* Is the character of the class? -1: there is no such class. */
static int is_of_class(const char *name, int c)
{
	static const struct { const char *name; int (*is)(int); } classes[] = {
		{"alnum", MODEL(isalnum)}, {"alpha", MODEL(isalpha)}, {"blank", MODEL(isblank)}, {"cntrl", MODEL(iscntrl)},
		{"digit", MODEL(isdigit)}, {"graph", MODEL(isgraph)}, {"lower", MODEL(islower)}, {"print", MODEL(isprint)},
		{"punct", MODEL(ispunct)}, {"space", MODEL(isspace)}, {"upper", MODEL(isupper)}, {"xdigit", MODEL(isxdigit)},
	};
	for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
		if (MODEL(strcmp)(name, classes[i].name) == 0)
			return classes[i].is(c) != 0;
	return -1;
}

/* [:name:], from the colon on: its end, or null if it is no name. */
static const char *class_name(const char *p, char name[CLASS_ROOM])
{
	for (unsigned n = 0; n < CLASS_ROOM - 1; n++) {
		char c = *++p;
		if (c == ':' && p[1] == ']') {
			name[n] = 0;
			return p + 2;
		}
		if (c < 'a' || c >= 'z')
			return NULL;
		name[n] = c;
	}
	return NULL;
}

/* Behind the bracket's end; null: it has none. */
static const char *skip(const struct match *m, const char *p)
{
	char c, name[CLASS_ROOM];
	do {
		c = *p++;
		if (!c)
			return NULL;
		if (!(m->flags & FNM_NOESCAPE) && c == '\\') {
			if (!*p++)
				return NULL;
			c = 0;
		} else if (c == '[' && *p == ':') {
			const char *end = class_name(p, name);
			p = end ? end : p;
		}
	} while (c != ']');
	return p;
}

/* From behind the bracket's start. 0: it matches and goes on at *rest; 2: the bracket has no end and stands for itself. */
static int bracket(const struct match *m, const char *p, byte at, const char **rest)
{
	int negated = *p == '!' || (*p == '^' && !getenv("POSIXLY_CORRECT")), f = fold(m, at);
	char name[CLASS_ROOM];
	const char *end;
	p += negated;
	byte c = (byte)*p++;
	do {
		int first = c;
		if (!(m->flags & FNM_NOESCAPE) && c == '\\') {
			if (!*p)
				return FNM_NOMATCH;
			first = fold(m, (byte)*p++);
		} else if (c == '[' && *p == ':' && (end = class_name(p, name))) {
			int is = is_of_class(name, at);
			if (is < 0)
				return FNM_NOMATCH;
			p = end;
			if (is)
				goto matched;
			c = (byte)*p++;
			continue;
		} else if (c == '[' && (*p == '=' || *p == '.')) {
			return ASK;
		} else if (!c) {
			return 2;
		} else {
			first = fold(m, c);
		}
		int is_range = *p == '-' && p[1] && p[1] != ']';
		if (!is_range && first == f)
			goto matched;
		c = (byte)*p++;
		if (is_range) {
			byte last = (byte)*p++;
			if (last == '[' && *p == '.')
				return ASK;
			if (!(m->flags & FNM_NOESCAPE) && last == '\\')
				last = (byte)*p++;
			if (!last)
				return FNM_NOMATCH;
			if (first <= f && f <= last)
				goto matched;
			c = (byte)*p++;
		}
	} while (c != ']');
	*rest = p;
	return negated ? 0 : FNM_NOMATCH;
matched:
	*rest = skip(m, p);
	return !*rest || negated ? FNM_NOMATCH : 0;
}

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
			if (found != 2)
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
