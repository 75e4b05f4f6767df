// A JSON checker: recursion, strings with escapes and \u, numbers, literals, depth; says what it saw or where it went wrong.
// stdin: {"a":[1,-2.5e3,true],"b\\u00e9":{"c":null},"d":"x\\n"}
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct reader { const unsigned char *at, *end; unsigned depth, deepest, values; };

static int value(struct reader *r);

static void blank(struct reader *r)
{
	while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
		r->at++;
}

static int peek(const struct reader *r) { return r->at < r->end ? *r->at : -1; }
static int take(struct reader *r, int c) { return peek(r) == c ? (r->at++, 1) : 0; }

static int hex4(struct reader *r)
{
	unsigned v = 0;
	for (int i = 0; i < 4; i++, r->at++) {
		int c = peek(r);
		if (c < 0 || !isxdigit(c))
			return -1;
		v = v << 4 | (unsigned)(isdigit(c) ? c - '0' : (c | 32) - 'a' + 10);
	}
	return (int)v;
}

static int string(struct reader *r)
{
	if (!take(r, '"'))
		return 0;
	for (;;) {
		int c = peek(r);
		if (c < 32)
			return 0;
		r->at++;
		if (c == '"')
			return 1;
		if (c != '\\')
			continue;
		c = peek(r);
		r->at++;
		if (c == 'u') {
			int unit = hex4(r);
			if (unit < 0 || (unit >= 0xd800 && unit < 0xe000))
				return 0;
		} else if (c < 0 || !strchr("\"\\/bfnrt", c) || c == 0) {
			return 0;
		}
	}
}

static int digits(struct reader *r)
{
	const unsigned char *start = r->at;
	while (peek(r) >= '0' && peek(r) <= '9')
		r->at++;
	return r->at > start;
}

static int number(struct reader *r)
{
	take(r, '-');
	if (!take(r, '0') && !digits(r))
		return 0;
	if (take(r, '.') && !digits(r))
		return 0;
	if ((peek(r) | 32) == 'e') {
		r->at++;
		if (!take(r, '+'))
			take(r, '-');
		return digits(r);
	}
	return 1;
}

static int literal(struct reader *r, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
		return 0;
	r->at += n;
	return 1;
}

static int list(struct reader *r, int open, int close)
{
	if (!take(r, open) || r->depth == 20)
		return 0;
	if (++r->depth > r->deepest)
		r->deepest = r->depth;
	blank(r);
	if (!take(r, close)) {
		do {
			blank(r);
			if (open == '{' && !(string(r) && (blank(r), take(r, ':'))))
				return 0;
			if (!value(r))
				return 0;
			blank(r);
		} while (take(r, ','));
		if (!take(r, close))
			return 0;
	}
	r->depth--;
	return 1;
}

static int value(struct reader *r)
{
	blank(r);
	r->values++;
	switch (peek(r)) {
	case '{': return list(r, '{', '}');
	case '[': return list(r, '[', ']');
	case '"': return string(r);
	case 't': return literal(r, "true");
	case 'f': return literal(r, "false");
	case 'n': return literal(r, "null");
	default: return number(r);
	}
}

int main(void)
{
	static unsigned char text[256];
	size_t n = fread(text, 1, sizeof text, stdin);
	struct reader r = { text, text + n, 0, 0, 0 };
	int good = value(&r);
	blank(&r);
	if (good && r.at == r.end) {
		printf("good: %u values, depth %u\n", r.values, r.deepest);
		return 0;
	}
	printf("wrong at %zu\n", (size_t)(r.at - text));
	return 1;
}
