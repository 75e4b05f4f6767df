// Only as many elements are filled as were given, but a fixed number is searched.
// bug: uninitialised-read
// access: read 1
// good: abcd
// bad: ab
// asan: no
// valgrind: yes
#include <stdio.h>

static int has_zero(const char *bytes, int count)
{
    for (int i = 0; i < count; i++)
        if (bytes[i] == '0') return 1; /* BUG */
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char bytes[4];
    for (int i = 0; i < 4 && argv[1][i]; i++) bytes[i] = argv[1][i];
    printf("%d\n", has_zero(bytes, 4));
    return 0;
}
