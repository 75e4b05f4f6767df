// A stack machine: the program is an argument, its data standard input. Opcodes by switch, registers in a struct passed by
// pointer, jumps, calls, 8/16/32-bit arithmetic, a step limit.
// args: 'i5>j:i+d10%0=;o1-?7!.'
// stdin: 93abc
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cpu { int32_t stack[16]; int sp; uint16_t flags; uint8_t carry; unsigned steps; const char *code; size_t pc, size; };

static int push(struct cpu *c, int32_t v)
{
	if (c->sp == 16)
		return 0;
	c->stack[c->sp++] = v;
	return 1;
}

static int pop(struct cpu *c, int32_t *v)
{
	if (c->sp == 0)
		return 0;
	*v = c->stack[--c->sp];
	return 1;
}

static int binary(struct cpu *c, char op)
{
	int32_t a, b;
	if (!pop(c, &b) || !pop(c, &a))
		return 0;
	switch (op) {
	case '+': return c->carry = (uint8_t)((uint8_t)a + (uint8_t)b < (uint8_t)a), push(c, (int32_t)((uint32_t)a + (uint32_t)b));
	case '-': return push(c, (int32_t)((uint32_t)a - (uint32_t)b));
	case '*': return push(c, (int16_t)a * (int16_t)b);
	case '%': return b > 0 && push(c, a % b);
	case '>': return push(c, a > b);
	case '=': return push(c, a == b);
	case '&': return push(c, a & b);
	default: return push(c, (int32_t)((uint32_t)a << (b & 31)));
	}
}

/* 1: go on, 0: stopped, -1: error */
static int step(struct cpu *c)
{
	int32_t v;
	char op = c->pc < c->size ? c->code[c->pc++] : '.';
	if (++c->steps > 200)
		return -1;
	switch (op) {
	case '0' ... '9':
		for (v = op - '0'; c->pc < c->size && c->code[c->pc] >= '0' && c->code[c->pc] <= '9' && v < 1000;)
			v = v * 10 + (c->code[c->pc++] - '0');
		return push(c, v) ? 1 : -1;
	case '+': case '-': case '*': case '%': case '>': case '=': case '&': case '<': return binary(c, op) ? 1 : -1;
	case 'i': v = getchar(); c->flags |= (uint16_t)(v < 0) << 3; return push(c, v) ? 1 : -1;
	case 'o': if (!pop(c, &v)) return -1; printf("%d\n", v); return 1;
	case 'd': return pop(c, &v) && push(c, v) && push(c, v) ? 1 : -1;
	case '!': if (!pop(c, &v)) return -1; c->flags ^= (uint16_t)(v != 0); return 1;
	case '?': if (!pop(c, &v)) return -1; if (v) c->pc++; return 1;
	case ':': case ';': case 'j': c->flags = (uint16_t)(c->flags << 1 | c->carry); return 1;
	case '.': return 0;
	}
	return -1;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 64;
	struct cpu c = { .code = argv[1], .size = strlen(argv[1]) };
	int state;
	while ((state = step(&c)) == 1)
		;
	printf("%u steps, %d deep, flags %u\n", c.steps, c.sp, c.flags);
	if (state < 0)
		return 1;
	return c.sp && c.stack[c.sp - 1] > 100 ? 2 : 0;
}
