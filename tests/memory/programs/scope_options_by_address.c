// Options are taken by address out of the block that fills them; no function ever sees the address.
// bug: use-after-scope
// access: read 4
// good: 0
// bad: 1
// asan: yes
// valgrind: no
#include <stdio.h>

struct options {
    int width, height;
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct options usual = { 80, 24 }, *chosen = &usual;
    if (argv[1][0] & 1) {
        struct options wide = { 132, argv[1][0] };
        chosen = &wide;
    }
    printf("%d\n", *(volatile int *)&chosen->width > 0); /* BUG */
    return 0;
}
