/* crash: stdin "3+" */
/* tests: stdin "34+" | stdin "12+3+" | stdin "99-" | stdin "7" */
/* A calculator takes two operands off its stack, whether they are there or not. */
#include <stdio.h>

#define SIZE 8

static unsigned stack[SIZE];
static int depth;

static void push(unsigned value)
{
	if (depth >= 0 && depth < SIZE)
		stack[depth++] = value;
}

static unsigned pop(void)
{
	if (depth > SIZE)
		return 0;
	return stack[--depth]; /* TRUE: lower */
}

static void command(int c)
{
	unsigned a, b;

	if (c >= '0' && c <= '9') {
		push((unsigned)(c - '0'));
	} else if (c == '+' || c == '-') {
		b = pop();
		a = pop();
		push(c == '+' ? a + b : a - b);
	}
}

int main(void)
{
	int c;

	while ((c = getchar()) != EOF)
		command(c);
	printf("depth %d, first %u\n", depth, stack[0]);
	return 0;
}
