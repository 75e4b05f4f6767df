// A calculator: expressions of integers with precedence, parentheses, unary minus and variables; overflow and division by
// zero are errors. Recursive descent, signed 32-bit arithmetic checked by builtins, 64-bit products.
// stdin: a=12*(3+4)-5\nb=a%7+-2\na*b/3\n(1+2)*(3-x)\n
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[80];
static const char *at;
static int variables[26];
static bool wrong;

static int sum(void);

static int complain(void)
{
	wrong = true;
	return 0;
}

static int number(void)
{
	long v = 0;
	while (*at >= '0' && *at <= '9') {
		v = v * 10 + (*at++ - '0');
		if (v > INT_MAX)
			return complain();
	}
	return (int)v;
}

static int atom(void)
{
	int v;
	switch (*at) {
	case '(':
		at++;
		v = sum();
		if (*at != ')')
			return complain();
		at++;
		return v;
	case '-':
		at++;
		v = atom();
		return v == INT_MIN ? complain() : -v;
	case '0' ... '9':
		return number();
	}
	if (*at >= 'a' && *at <= 'z')
		return variables[*at++ - 'a'];
	return complain();
}

static int product(void)
{
	int v = atom();
	while (!wrong && (*at == '*' || *at == '/' || *at == '%')) {
		char op = *at++;
		int w = atom();
		if (op == '*') {
			long wide = (long)v * w;
			if (wide != (int)wide)
				return complain();
			v = (int)wide;
		} else if (w == 0 || (v == INT_MIN && w == -1)) {
			return complain();
		} else {
			v = op == '/' ? v / w : v % w;
		}
	}
	return v;
}

static int sum(void)
{
	int v = product();
	while (!wrong && (*at == '+' || *at == '-')) {
		bool minus = *at++ == '-';
		int w = product();
		if (minus ? __builtin_sub_overflow(v, w, &v) : __builtin_add_overflow(v, w, &v))
			return complain();
	}
	return v;
}

int main(void)
{
	int errors = 0;
	while (fgets(line, sizeof line, stdin)) {
		int target = -1;
		wrong = false;
		at = line;
		if (line[0] >= 'a' && line[0] <= 'z' && line[1] == '=') {
			target = line[0] - 'a';
			at += 2;
		}
		int v = sum();
		if (wrong || (*at != '\n' && *at)) {
			printf("error at %d\n", (int)(at - line));
			errors++;
		} else if (target >= 0) {
			variables[target] = v;
		} else {
			printf("%d\n", v);
		}
	}
	return errors > 1 ? 1 : 0;
}
