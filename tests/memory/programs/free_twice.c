// A block is freed on the way and once more at the end.
// bug: double-free
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
    free(block); /* BUG */
    return 0;
}
