/* crash: none */
/* tests: stdin "12+.\n" | stdin "1.2.\n" | stdin "987654321.\n" | stdin ".\n" */
/* push() keeps the depth of a global stack at most SIZE; top() relies on it. */
#include <stdio.h>

#define SIZE 8

static unsigned stack[SIZE];
static unsigned depth;

static void push(unsigned value)
{
	if (depth < SIZE)
		stack[depth++] = value;
}

static unsigned top(void)
{
	if (depth == 0)
		return 0;
	return stack[depth - 1]; /* FALSE: upper; a global invariant */
}

static void command(int c)
{
	if (c >= '0' && c <= '9')
		push((unsigned)(c - '0'));
	else if (c == '+')
		push(top() + 1);
	else if (c == '.')
		printf("%u\n", top());
}

int main(void)
{
	int c;

	while ((c = getchar()) != EOF && c != '\n')
		command(c);
	return 0;
}
