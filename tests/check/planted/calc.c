/*
 * calc: calculate in postfix notation, "1 2 +" is 3.
 *
 * Each argument is one calculation; without arguments each line of standard
 * input is. Numbers have 64 bits and wrap around, which is why the arithmetic
 * is unsigned. Besides + - * / % there are d (the top once more), x (exchange
 * the two upper ones), n (change the sign) and ~ (split the last digit off:
 * 123 becomes 12 3). -x prints hexadecimal.
 */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stack {
    int64_t *v;
    size_t n, room;
};

static struct stack stack;
static int hexadecimal;

static void die(const char *why)
{
    fprintf(stderr, "calc: %s\n", why);
    exit(2);
}

static int is_digit(char c)
{
    return (unsigned)c - '0' < 10;
}

static void stack_grow(struct stack *s)
{
    size_t room = s->room ? 2 * s->room : 4;
    int64_t *v = malloc(room * sizeof *v);
    if (!v) die("out of memory");
    if (s->n) memcpy(v, s->v, s->n * sizeof *v);
    free(s->v);
    s->v = v;
    s->room = room;
}

static void push(struct stack *s, int64_t value)
{
    if (s->n == s->room) stack_grow(s);
    s->v[s->n++] = value;
}

static int64_t pop(struct stack *s)
{
    if (s->n == 0) die("too few numbers");
    return s->v[--s->n];
}

/* The smallest number divided by -1 does not fit and wraps like the rest. */
static int64_t divide(int64_t a, int64_t b)
{
    if (b == 0) die("division by zero");
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return a / b;
}

static int64_t multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t subtract(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static void split(struct stack *s)
{
    int64_t *top = &s->v[s->n - 1];
    push(s, *top % 10);
    *top /= 10;
}

static void apply(struct stack *s, char op)
{
    int64_t a, b;
    if (s->n == 0) die("too few numbers");
    if (op == '~') {
        split(s);
        return;
    }
    if (op == 'n') {
        push(s, subtract(0, pop(s)));
        return;
    }
    if (op == 'd') {
        a = pop(s);
        push(s, a);
        push(s, a);
        return;
    }
    b = pop(s);
    a = pop(s);
    switch (op) {
    case '+': push(s, subtract(a, subtract(0, b))); break;
    case '-': push(s, subtract(a, b)); break;
    case '*': push(s, multiply(a, b)); break;
    case '/': push(s, divide(a, b)); break;
    case '%': push(s, subtract(a, multiply(divide(a, b), b))); break;
    case 'x':
        push(s, b);
        push(s, a);
        break;
    default: die("unknown operator");
    }
}

static const char *number_read(const char *p, struct stack *s)
{
    uint64_t n = 0;
    for (; is_digit(*p); p++) n = n * 10 + (uint64_t)(*p - '0');
    push(s, (int64_t)n);
    return p;
}

static void calculate(const char *p, struct stack *s)
{
    s->n = 0;
    while (*p) {
        if (is_digit(*p)) {
            p = number_read(p, s);
            continue;
        }
        if (*p != ' ') apply(s, *p);
        p++;
    }
    int64_t result = pop(s);
    if (s->n != 0) die("too many numbers");
    if (hexadecimal) printf("%llx\n", (unsigned long long)result);
    else printf("%lld\n", (long long)result);
}

int main(int argc, char **argv)
{
    int i = 1;
    if (i < argc && strcmp(argv[i], "-x") == 0) {
        hexadecimal = 1;
        i++;
    }
    if (i < argc) {
        for (; i < argc; i++) calculate(argv[i], &stack);
    } else {
        char *line = NULL;
        size_t room = 0;
        ssize_t len;
        while ((len = getline(&line, &room, stdin)) > 0) {
            if (line[len - 1] == '\n') line[len - 1] = '\0';
            calculate(line, &stack);
        }
        free(line);
    }
    free(stack.v);
    return 0;
}
