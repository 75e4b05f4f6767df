// Copies sixteen bytes of an argument that may be shorter.
// bug: argument-overflow
// access: read 16
// good: 0123456789abcdef
// bad: short
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char id[17] = "";
    memcpy(id, argv[1], 16); /* BUG */
    printf("%c\n", id[0]);
    return 0;
}
