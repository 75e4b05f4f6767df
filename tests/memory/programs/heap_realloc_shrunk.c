// A block was made smaller, but is still filled to its old length.
// bug: heap-overflow
// access: write 1
// good: keep
// bad: shrink
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t length = 64;
    char *block = malloc(length);
    if (argv[1][0] == 's') block = realloc(block, 40);
    for (size_t i = 0; i < length; i++)
        block[i] = 'z'; /* BUG */
    printf("%c\n", block[0]);
    free(block);
    return 0;
}
