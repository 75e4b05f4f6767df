// Reads a field of the element after the last one of a zeroed array of structs.
// bug: heap-overflow
// access: read 8
// good: 2
// bad: 3
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

struct point {
    long x, y;
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct point *points = calloc(3, sizeof *points);
    const struct point *p = points + (argv[1][0] & 3);
    printf("%ld\n", p->y); /* BUG */
    free(points);
    return 0;
}
