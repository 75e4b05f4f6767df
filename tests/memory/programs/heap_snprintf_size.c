// snprintf is told a size larger than the block, and the text needs it.
// bug: heap-overflow
// access: write
// good: short
// bad: rather-long-text
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *label = malloc(12);
    snprintf(label, 24, "<%s>", argv[1]); /* BUG */
    printf("%s\n", label);
    free(label);
    return 0;
}
