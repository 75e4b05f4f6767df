// The arguments of printf lie where a variable of an earlier call was, right behind its end.
// bug: none
// access: none
// good: 5
// bad: 7
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

static int width;
static char text[64];

__attribute__((noinline)) static int number_at_depth(int depth, const char *s)
{
    volatile char pad[16];
    pad[0] = (char)depth;
    return depth ? number_at_depth(depth - 1, s) + (pad[0] == 99) : (int)strtol(s, NULL, 10);
}

__attribute__((noinline)) static int print_at_depth(int depth)
{
    volatile char pad[24];
    pad[0] = (char)depth;
    return depth ? print_at_depth(depth - 1) + (pad[0] == 99) : sprintf(text, "%*d", width, depth);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] < '1' || argv[1][0] > '9' || argv[1][1]) return 2;
    int n = 0;
    for (int k = 0; k < 12; k++)
        for (int j = 0; j < 12; j++) {
            width = number_at_depth(k, argv[1]);
            n += print_at_depth(j);
        }
    printf("%d %s\n", n, text);
    return 0;
}
