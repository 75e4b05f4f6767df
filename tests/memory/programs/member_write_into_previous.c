// A negative index of an array member reaches the member before it.
// bug: member-underflow
// access: write 1
// good: 4
// bad: 3
// asan: no
// valgrind: no
#include <stdio.h>

struct frame {
    char flags[4];
    char body[8];
};

static void put(char *body, int at)
{
    body[at] = '!'; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct frame f = { "fff", "bbbbbbb" };
    put(f.body, (argv[1][0] & 7) - 4);
    printf("%.4s %c\n", f.flags, f.body[0]);
    return 0;
}
