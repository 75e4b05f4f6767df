// A scan for a separator has no other end.
// bug: heap-overflow
// access: read 1
// good: key:val
// bad: keyval
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *copy = malloc(strlen(argv[1]) + 1);
    strcpy(copy, argv[1]);
    size_t at = 0;
    while (copy[at] != ':') /* BUG */
        at++;
    printf("%zu\n", at);
    free(copy);
    return 0;
}
