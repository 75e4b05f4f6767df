/* A calculator by recursive descent. It reads one line: comparisons of sums of products of numbers, names and what stands in parentheses.
 * Two bugs: % by zero is not looked for where / is, and a keyword that nobody documented. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, NUMBER, NAME, OPERATOR, ERROR };

struct scanner {
	const char *at;
	enum kind kind;
	int operator;  /* of an OPERATOR; "<=" is 'l', ">=" is 'g' */
	long number;
	char name[12];
	int depth;     /* open parentheses */
	const char *trouble;
};

static void fail(struct scanner *s, const char *why)
{
	s->kind = ERROR;
	if (!s->trouble)
		s->trouble = why;
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static void scan_number(struct scanner *s)
{
	s->kind = NUMBER;
	s->number = 0;
	while (is_digit(*s->at)) {
		s->number = s->number * 10 + (*s->at++ - '0');
		if (s->number > 100000) {
			fail(s, "a number is too large");
			return;
		}
	}
}

static void scan_name(struct scanner *s)
{
	size_t n = 0;
	s->kind = NAME;
	while (is_letter(*s->at)) {
		if (n + 1 == sizeof s->name) {
			fail(s, "a name is too long");
			return;
		}
		s->name[n++] = *s->at++;
	}
	s->name[n] = 0;
}

static void scan(struct scanner *s)
{
	while (*s->at == ' ')
		s->at++;
	if (*s->at == 0 || *s->at == '\n')
		s->kind = END;
	else if (is_digit(*s->at))
		scan_number(s);
	else if (is_letter(*s->at))
		scan_name(s);
	else if (strchr("+-*/%()<>=", *s->at)) {
		s->kind = OPERATOR;
		s->operator = *s->at++;
		if ((s->operator == '<' || s->operator == '>') && *s->at == '=') {
			s->operator = s->operator == '<' ? 'l' : 'g';
			s->at++;
		}
	} else
		fail(s, "a strange character");
}

static int is(const struct scanner *s, int operator)
{
	return s->kind == OPERATOR && s->operator == operator;
}

static long expression(struct scanner *s);

static long name(struct scanner *s)
{
	char word[sizeof s->name];
	strcpy(word, s->name);
	scan(s);
	if (strcmp(word, "ten") == 0)
		return 10;
	if (strcmp(word, "abs") == 0) {
		long x = expression(s);
		return x < 0 ? -x : x;
	}
	if (strcmp(word, "panic") == 0)
		abort();
	fail(s, "an unknown name");
	return 0;
}

static long primary(struct scanner *s)
{
	long x = 0;
	if (s->kind == NUMBER) {
		x = s->number;
		scan(s);
	} else if (s->kind == NAME)
		x = name(s);
	else if (is(s, '(')) {
		if (++s->depth > 3) {
			fail(s, "too many parentheses");
			return 0;
		}
		scan(s);
		x = expression(s);
		if (is(s, ')'))
			scan(s);
		else
			fail(s, "no )");
		s->depth--;
	} else
		fail(s, "something is missing");
	return x;
}

static long unary(struct scanner *s)
{
	if (is(s, '-')) {
		scan(s);
		return -unary(s);
	}
	return primary(s);
}

static long product(struct scanner *s)
{
	long x = unary(s);
	while (is(s, '*') || is(s, '/') || is(s, '%')) {
		int operator = s->operator;
		scan(s);
		long y = unary(s);
		if (s->kind == ERROR)
			break;
		if (operator == '*') {
			x *= y;
			if (x > 1000000 || x < -1000000)
				fail(s, "too large");
		} else if (operator == '%')
			x %= y;
		else if (y == 0)
			fail(s, "division by zero");
		else
			x /= y;
	}
	return x;
}

static long sum(struct scanner *s)
{
	long x = product(s);
	while (is(s, '+') || is(s, '-')) {
		int sign = s->operator == '+' ? 1 : -1;
		scan(s);
		x += sign * product(s);
	}
	return x;
}

static long expression(struct scanner *s)
{
	long x = sum(s);
	if (s->kind != OPERATOR)
		return x;
	int operator = s->operator;
	switch (operator) {
	case '<': scan(s); return x < sum(s);
	case '>': scan(s); return x > sum(s);
	case '=': scan(s); return x == sum(s);
	case 'l': scan(s); return x <= sum(s);
	case 'g': scan(s); return x >= sum(s);
	default: return x;
	}
}

int main(void)
{
	char line[64];
	struct scanner s = { .at = line };
	if (!fgets(line, sizeof line, stdin)) {
		puts("nothing to do");
		return 2;
	}
	scan(&s);
	long x = expression(&s);
	if (s.kind != END && !s.trouble)
		s.trouble = "something is left over";
	if (s.trouble) {
		printf("error: %s\n", s.trouble);
		return 1;
	}
	printf("%ld\n", x);
	return 0;
}
