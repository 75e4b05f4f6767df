// A pointer to the first member is a pointer to the whole struct.
// bug: none
// access: none
// good: c
// bad: s
// asan: no
// valgrind: no
#include <stdio.h>

struct shape {
    char kind;
};

struct circle {
    struct shape shape;
    int radius;
};

static int radius(const struct shape *s)
{
    return s->kind == 'c' ? ((const struct circle *)s)->radius : 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct circle c = { { argv[1][0] }, 3 };
    printf("%d\n", radius(&c.shape));
    return 0;
}
