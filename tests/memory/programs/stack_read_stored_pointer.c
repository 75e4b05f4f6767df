// A cursor kept in a struct is moved past its array before it is read.
// bug: stack-overflow
// access: read 4
// good: 5
// bad: 6
// asan: yes
// valgrind: no
#include <stdio.h>

struct cursor {
    const int *at;
};

static void advance(struct cursor *c, unsigned by) { c->at += by; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int tape[6] = { 1, 2, 3, 4, 5, 6 };
    struct cursor c = { tape };
    unsigned steps = argv[1][0] & 7;
    if (steps > 6) steps = 0;
    advance(&c, steps);
    int read = *c.at; /* BUG */
    printf("%d\n", read);
    return 0;
}
