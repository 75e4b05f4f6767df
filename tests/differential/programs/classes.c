// Everything by tables: a lexer with character classes and a transition table, operators by precedence, values by a table of digits in
// a chosen base, letters counted in a table that the program writes to, a table of handlers.
// args: -b16 xk
// stdin: 1f + a0*(3 - c) ; zebra <= 7e\n-5;k q
#include <stdio.h>
#include <string.h>

enum { OTHER, SPACE, DIGIT, LETTER, OPERATOR, OPEN, CLOSE, END, CLASSES };
enum { START, NUMBER, WORD, DONE, STATES };

struct scanner {
	int line;
	unsigned char classes[256];
	struct { short depth; signed char digit[128]; } values;
};

static const unsigned char next[STATES][CLASSES] = {
	[START] = { DONE, START, NUMBER, WORD, DONE, DONE, DONE, DONE },
	[NUMBER] = { DONE, DONE, NUMBER, NUMBER, DONE, DONE, DONE, DONE },
	[WORD] = { DONE, DONE, WORD, WORD, DONE, DONE, DONE, DONE },
};
static const struct rule { char symbol; unsigned char level; int weight; } rules[8] = {
	{ 0, 0, 0 }, { '+', 1, 10 }, { '-', 1, -20 }, { '*', 2, 300 }, { '<', 3, 4000 }, { '=', 3, 70000 }, { '/', 2, -9 }, { ';', 0, 1 },
};
static unsigned char rule_of[128];
static unsigned short seen[32];
static struct scanner scanner;
static char text[128];

static void set_up(struct scanner *s, const char *more)
{
	for (int c = 0; c < 256; c++)
		s->classes[c] = c == 0 ? END : c == ' ' || c == '\n' ? SPACE : c >= '0' && c <= '9' ? DIGIT : OTHER;
	for (int c = 'a'; c <= 'z'; c++)
		s->classes[c] = LETTER;
	for (int c = 0; c < 128; c++)
		s->values.digit[c] = -1;
	for (int c = 0; c < 16; c++)
		s->values.digit[(int)"0123456789abcdef"[c]] = (signed char)c;
	for (int k = 1; k < 8; k++) {
		rule_of[(int)rules[k].symbol] = (unsigned char)k;
		s->classes[(int)rules[k].symbol] = OPERATOR;
	}
	s->classes['('] = OPEN;
	s->classes[')'] = CLOSE;
	for (; *more; more++)
		s->classes[(unsigned char)*more] = SPACE; /* a symbolic index of a write */
}

static int less(int v) { return v - 1; }
static int same(int v) { return v; }
static int more(int v) { return v + 2; }
static int (*const handlers[4])(int) = { less, same, more, same };

static int number(const struct scanner *s, const char *from, const char *to, int base)
{
	int v = 0;
	for (; from < to; from++) {
		int d = s->values.digit[*from & 127];
		if (d < 0 || d >= base)
			return -1;
		v = v * base + d;
	}
	return v;
}

int main(int argc, char **argv)
{
	int base = argc > 1 && strncmp(argv[1], "-b", 2) == 0 && argv[1][2] == '1' ? 16 : 10, total = 0, depth = 0;
	set_up(&scanner, argc > 2 ? argv[2] : "");
	size_t n = fread(text, 1, sizeof text - 1, stdin);
	text[n] = 0;
	for (const char *p = text; *p;) {
		int state = START;
		const char *from = p;
		for (;;) {
			int class = scanner.classes[(unsigned char)*p];
			int then = next[state][class];
			if (then == DONE)
				break;
			if (state == START && then == START)
				from = p + 1;
			state = then;
			p++;
		}
		switch (state) {
		case NUMBER: total += number(&scanner, from, p, base); continue;
		case WORD:
			for (; from < p; from++)
				if (seen[*from & 31] < 2)
					seen[*from & 31]++;
				else
					total += handlers[*from & 3](5);
			continue;
		}
		switch (scanner.classes[(unsigned char)*p]) {
		case OPERATOR: {
			const struct rule *r = &rules[rule_of[*p & 127]];
			if (r->level > 1)
				total += r->weight;
			else
				total -= depth;
			p++;
			break;
		}
		case OPEN: depth++; p++; break;
		case CLOSE: depth--; p++; break;
		case END: break;
		default: total ^= 1; p++;
		}
		if (rules[*p & 7].weight == 300)
			total++;
	}
	printf("%d %d\n", total, depth);
	for (int i = 0; i < 32; i++)
		if (seen[i] > 1)
			printf("%c", '`' + i);
	puts("");
	return 0;
}
