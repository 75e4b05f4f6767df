// Enlarges a block by a pointer into its middle.
// bug: invalid-free
// access: free
// good: 0
// bad: 4
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *block = calloc(16, 1);
    char *at = block + (argv[1][0] & 7);
    char *larger = realloc(at, 64); /* BUG */
    printf("%d\n", larger ? larger[0] : -1);
    free(larger);
    return 0;
}
