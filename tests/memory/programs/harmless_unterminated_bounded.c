// strncpy may leave no terminator, but every reader knows the bound.
// bug: none
// access: none
// good: abc
// bad: abcdefgh
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char tag[4];
    strncpy(tag, argv[1], sizeof tag);
    printf("%.4s %zu %d\n", tag, strnlen(tag, sizeof tag), memcmp(tag, "abcd", 4) == 0);
    return 0;
}
