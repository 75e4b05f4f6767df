// Reads the byte after the terminator of an argument.
// bug: argument-overflow
// access: read 1
// good: abc0
// bad: abc1
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    size_t length = strlen(argv[1]);
    size_t extra = argv[1][length - 1] & 1;
    printf("%d\n", argv[1][length + extra] == 'x'); /* BUG */
    return 0;
}
