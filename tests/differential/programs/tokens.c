// A tokeniser for a C-like language: keywords by strcmp, numbers in three bases, operators of up to three characters, comments.
// stdin: if (x1 >= 0x1F) { y <<= 2; } else while(!z) // end\n return 017+9; /* c */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, WORD, KEYWORD, NUMBER, OPERATOR, BAD, KINDS };
struct token { enum kind kind; unsigned long value; int length; };

static const char *const keywords[] = { "else", "for", "if", "return", "while" };
static const char *const operators[] = { "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "+=" };
static char text[128];

static int is_keyword(const char *s, int n)
{
	char word[16];
	if (n > 15)
		return 0;
	memcpy(word, s, (size_t)n);
	word[n] = 0;
	for (unsigned i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (strcmp(word, keywords[i]) == 0)
			return 1;
	return 0;
}

static const char *skip(const char *s)
{
	for (;;) {
		while (isspace((unsigned char)*s))
			s++;
		if (s[0] == '/' && s[1] == '/') {
			while (*s && *s != '\n')
				s++;
		} else if (s[0] == '/' && s[1] == '*') {
			for (s += 2; *s && !(s[0] == '*' && s[1] == '/'); s++)
				;
			if (*s)
				s += 2;
		} else {
			return s;
		}
	}
}

static struct token next(const char *s)
{
	struct token t = { END, 0, 0 };
	unsigned char c = (unsigned char)*s;
	if (!c)
		return t;
	if (isalpha(c) || c == '_') {
		while (isalnum((unsigned char)s[t.length]) || s[t.length] == '_')
			t.length++;
		t.kind = is_keyword(s, t.length) ? KEYWORD : WORD;
		return t;
	}
	if (isdigit(c)) {
		char *end;
		t.value = strtoul(s, &end, 0);
		t.length = (int)(end - s);
		t.kind = isalnum((unsigned char)*end) ? BAD : NUMBER;
		return t;
	}
	t.kind = OPERATOR;
	for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++) {
		size_t n = strlen(operators[i]);
		if (strncmp(s, operators[i], n) == 0) {
			t.length = (int)n;
			return t;
		}
	}
	t.length = 1;
	if (!strchr("+-*/%<>=!&|^~(){}[];,.?:", c))
		t.kind = BAD;
	return t;
}

int main(void)
{
	unsigned count[KINDS] = { 0 }, depth = 0, deepest = 0;
	unsigned long total = 0;
	text[fread(text, 1, sizeof text - 1, stdin)] = 0;
	const char *s = skip(text);
	for (struct token t; (t = next(s)).kind != END; s = skip(s + t.length)) {
		count[t.kind]++;
		total += t.value;
		if (*s == '(' || *s == '{')
			depth++;
		if ((*s == ')' || *s == '}') && depth-- == 0)
			return 3;
		if (depth > deepest)
			deepest = depth;
	}
	printf("%u words, %u keywords, %u numbers, %u operators, %u bad; %lu; depth %u\n", count[WORD], count[KEYWORD], count[NUMBER],
	       count[OPERATOR], count[BAD], total, deepest);
	return depth ? 2 : count[BAD] ? 1 : 0;
}
