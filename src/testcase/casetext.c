/* All of it is printable ASCII, whatever the bytes are, so that neither git nor a pager nor a mailer has reason to touch it.
 *
 * A body is shown as text if that stays below twice its size; else in base64. In text, a line that ends with a backslash goes on in the next one. What
 * can be written in two ways is written in one way only: equal contents are equal files. */
#include "testcase/casetext.h"

#include <inttypes.h>
#include <string.h>

#define LINE_MAX_TEXT 120 /* characters of a line of text; then it is broken */
#define LINE_BASE64 57    /* bytes of one, 76 characters */
#define SMALL 64          /* bytes that are always shown as text */

static const char digits64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* --- writing --- */

static char letter_of(uint8_t b)
{
	return b == '\n' ? 'n' : b == '\t' ? 't' : b == '\r' ? 'r' : b == '\\' ? '\\' : 0;
}

/* How many characters it takes. */
static size_t put_byte(uint8_t b, char quote, char out[5])
{
	char letter = b == (uint8_t)quote ? quote : letter_of(b);
	out[0] = '\\';
	if (letter) {
		out[1] = letter;
		return 2;
	}
	if (b >= ' ' && b < 127) {
		out[0] = (char)b;
		return 1;
	}
	out[1] = 'x';
	out[2] = "0123456789abcdef"[b >> 4];
	out[3] = "0123456789abcdef"[b & 15];
	return 4;
}

void casetext_put_string(const void *bytes, size_t size, struct str *out)
{
	char one[5];
	str_add_char(out, '"');
	for (const uint8_t *b = bytes, *end = b + size; size && b < end; b++)
		str_add_bytes(out, one, put_byte(*b, '"', one));
	str_add_char(out, '"');
}

static bool is_text(const uint8_t *b, size_t size)
{
	size_t length = 0;
	for (size_t i = 0; i < size; i++)
		length += (b[i] >= ' ' && b[i] < 127) || b[i] == '\n' ? 1u : letter_of(b[i]) ? 2u : 4u;
	return size <= SMALL || length <= 2 * size;
}

static void put_text(const uint8_t *b, size_t size, struct str *out)
{
	char line[LINE_MAX_TEXT + 8];
	size_t used = 0;
	line[used++] = '|';
	for (size_t i = 0; i < size; i++) {
		bool ends = b[i] == '\n';
		if (!ends)
			used += put_byte(b[i], 0, line + used);
		if (!ends && used <= LINE_MAX_TEXT && i + 1 < size)
			continue;
		if (!ends)
			line[used++] = '\\';
		line[used++] = '\n';
		str_add_bytes(out, line, used);
		used = 1;
	}
}

static void put_base64(const uint8_t *b, size_t size, struct str *out)
{
	for (size_t at = 0; at < size; at += LINE_BASE64) {
		char line[LINE_BASE64 / 3 * 4 + 2] = "|";
		size_t used = 1, end = size - at < LINE_BASE64 ? size : at + LINE_BASE64;
		for (size_t i = at; i < end; i += 3) {
			size_t have = end - i;
			uint32_t v = (uint32_t)b[i] << 16 | (have > 1 ? (uint32_t)b[i + 1] << 8 : 0) | (have > 2 ? b[i + 2] : 0);
			for (unsigned k = 0; k < 4; k++)
				line[used++] = k > have ? '=' : digits64[v >> (18 - 6 * k) & 63];
		}
		line[used++] = '\n';
		str_add_bytes(out, line, used);
	}
}

void casetext_put_body(const void *bytes, size_t size, struct str *out)
{
	bool text = is_text(bytes, size);
	str_printf(out, " size %zu%s\n", size, !size ? "" : text ? " text" : " base64");
	(text ? put_text : put_base64)(bytes, size, out);
}

/* --- reading --- */

static bool skip_blank(struct casetext *t)
{
	if (t->at == t->end || *t->at != ' ')
		return false;
	t->at++;
	return true;
}

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

bool casetext_word(struct casetext *t, char *word, size_t room)
{
	struct casetext from = *t;
	size_t n = 0;
	skip_blank(t);
	while (t->at < t->end && is_word_char(*t->at) && n + 1 < room)
		word[n++] = *t->at++;
	word[n] = '\0';
	bool ok = n && (t->at == t->end || !is_word_char(*t->at));
	if (!ok)
		*t = from;
	return ok;
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static bool take_digits(struct casetext *t, int base, uint64_t max, uint64_t *number)
{
	const char *from = t->at;
	uint64_t n = 0, b = (uint64_t)base;
	for (int d; t->at < t->end && (d = digit_of(*t->at)) < base; t->at++) {
		if (n > (max - (uint64_t)d) / b)
			return false;
		n = n * b + (uint64_t)d;
	}
	*number = n;
	return t->at > from;
}

bool casetext_number(struct casetext *t, int base, uint64_t max, uint64_t *number)
{
	struct casetext from = *t;
	bool ok = skip_blank(t) && take_digits(t, base, max, number);
	if (!ok)
		*t = from;
	return ok;
}

bool casetext_signed(struct casetext *t, int64_t *number)
{
	struct casetext from = *t;
	uint64_t n = 0;
	bool ok = skip_blank(t), minus = ok && t->at < t->end && *t->at == '-';
	t->at += minus;
	ok = ok && take_digits(t, 10, INT64_MAX, &n);
	if (!ok)
		*t = from;
	*number = minus ? -(int64_t)n : (int64_t)n;
	return ok;
}

/* The byte behind a backslash; at is behind that. */
static bool take_escape(const char **at, const char *end, char quote, uint8_t *byte)
{
	static const char letters[] = "ntr\\", bytes[] = "\n\t\r\\";
	if (*at == end)
		return false;
	char c = *(*at)++;
	const char *letter = c ? strchr(letters, c) : NULL;
	if (letter)
		*byte = (uint8_t)bytes[letter - letters];
	else if (c == quote && quote)
		*byte = (uint8_t)quote;
	else if (c == 'x' && end - *at >= 2 && digit_of((*at)[0]) < 16 && digit_of((*at)[1]) < 16) {
		*byte = (uint8_t)(digit_of((*at)[0]) << 4 | digit_of((*at)[1]));
		*at += 2;
	} else
		return false;
	return true;
}

bool casetext_string(struct casetext *t, struct arena *arena, const char **bytes, size_t *size)
{
	const char *at = t->at, *close;
	if (t->end - at < 3 || at[0] != ' ' || at[1] != '"')
		return false;
	at += 2;
	for (close = at; close < t->end && *close != '"' && *close != '\n'; close++)
		close += *close == '\\' && close + 1 < t->end;
	if (close >= t->end || *close != '"')
		return false;
	char *to = arena_alloc(arena, (size_t)(close - at) + 1);
	size_t n = 0;
	while (at < close) {
		uint8_t b = (uint8_t)*at++;
		if (b == '\\' && !take_escape(&at, close, '"', &b))
			return false;
		to[n++] = (char)b;
	}
	t->at = close + 1;
	*bytes = to;
	*size = n;
	return true;
}

bool casetext_line_end(struct casetext *t)
{
	if (t->at == t->end || *t->at != '\n')
		return false;
	t->at++;
	return true;
}

/* The next line of a body, without the | and its end. */
static bool take_line(struct casetext *t, const char **line, const char **end)
{
	if (t->at == t->end || *t->at != '|')
		return false;
	const char *stop = memchr(t->at, '\n', (size_t)(t->end - t->at));
	if (!stop)
		return false;
	*line = t->at + 1;
	*end = stop;
	t->at = stop + 1;
	return true;
}

static bool take_text(struct casetext *t, uint8_t *to, size_t size)
{
	const char *at, *end;
	size_t n = 0;
	while (n < size) {
		if (!take_line(t, &at, &end))
			return false;
		bool goes_on = false;
		while (at < end && !goes_on) {
			uint8_t b = (uint8_t)*at++;
			goes_on = b == '\\' && at == end;
			if (goes_on)
				break;
			if ((b == '\\' && !take_escape(&at, end, 0, &b)) || n == size)
				return false;
			to[n++] = b;
		}
		if (!goes_on && n == size)
			return false;
		if (!goes_on)
			to[n++] = '\n';
	}
	return true;
}

static int value64(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Four characters; how many bytes they are, 0: none. */
static size_t take_four(const char *at, uint8_t to[3])
{
	size_t pads = (at[3] == '=') + (at[3] == '=' && at[2] == '=');
	uint32_t v = 0;
	for (size_t k = 0; k < 4; k++) {
		int d = k >= 4 - pads ? 0 : value64(at[k]);
		if (d < 0)
			return 0;
		v = v << 6 | (uint32_t)d;
	}
	if (pads && v << (8 * (4 - pads)) != 0) /* bits that nobody would miss */
		return 0;
	to[0] = (uint8_t)(v >> 16);
	to[1] = (uint8_t)(v >> 8);
	to[2] = (uint8_t)v;
	return 3 - pads;
}

static bool take_base64(struct casetext *t, uint8_t *to, size_t size)
{
	const char *at, *end;
	uint8_t three[3];
	size_t n = 0;
	while (n < size) {
		if (!take_line(t, &at, &end) || at == end || (end - at) % 4)
			return false;
		for (; at < end; at += 4) {
			size_t got = take_four(at, three);
			if (!got || got > size - n || (got < 3 && n + got != size))
				return false;
			memcpy(to + n, three, got);
			n += got;
		}
	}
	return true;
}

bool casetext_body(struct casetext *t, struct arena *arena, const uint8_t **bytes, size_t *size)
{
	char word[16], encoding[16] = "";
	uint64_t n;
	if (!casetext_word(t, word, sizeof word) || strcmp(word, "size") != 0 || !casetext_number(t, 10, SIZE_MAX, &n))
		return false;
	if ((n && !casetext_word(t, encoding, sizeof encoding)) || !casetext_line_end(t))
		return false;
	*size = n;
	*bytes = NULL;
	if (!n)
		return true;
	if (n > (size_t)(t->end - t->at)) /* each byte takes a character at least, or three take four */
		return false;
	uint8_t *to = arena_alloc(arena, n + 1);
	*bytes = to;
	return strcmp(encoding, "text") == 0 ? take_text(t, to, n) : strcmp(encoding, "base64") == 0 && take_base64(t, to, n);
}
