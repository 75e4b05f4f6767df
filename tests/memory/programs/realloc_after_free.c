// Enlarges a block that was freed before.
// bug: use-after-free
// access: free
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *block = strdup(argv[1]);
    puts(block);
    if (argv[1][0] == '1') free(block);
    block = realloc(block, 64); /* BUG */
    puts(block);
    free(block);
    return 0;
}
