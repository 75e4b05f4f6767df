// strncpy is bounded by the source's length instead of the block's.
// bug: heap-overflow
// access: write
// good: 123456
// bad: 1234567
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *digits = malloc(6);
    strncpy(digits, argv[1], strlen(argv[1])); /* BUG */
    printf("%c\n", argv[1][0] ? digits[0] : '-');
    free(digits);
    return 0;
}
