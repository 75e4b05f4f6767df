// A product is narrowed to a signed byte, which makes the index negative.
// bug: heap-underflow
// access: read 1
// good: 6
// bad: 7
// asan: yes
// valgrind: no
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *screen = malloc(160);
    memset(screen, '.', 160);
    signed char offset = (signed char)((argv[1][0] & 7) * 20);
    printf("%c\n", screen[offset]); /* BUG */
    free(screen);
    return 0;
}
