// A pointer leaves its array for a while and is back before it is used.
// bug: none
// access: none
// good: 1
// bad: 7
// asan: no
// valgrind: no
#include <stdio.h>

static const char *move(const char *from, int by) { return from + by; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char text[8] = "abcdefg";
    const char *at = move(text, 1000);
    at = move(at, argv[1][0] & 7);
    at = move(at, -1000);
    printf("%d\n", *at);
    return 0;
}
