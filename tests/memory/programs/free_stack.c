// Frees the local array that is used for short names.
// bug: invalid-free
// access: free
// good: long-enough
// bad: short
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char local[8];
    size_t length = strlen(argv[1]);
    char *volatile name = length < sizeof local ? local : malloc(length + 1);
    strcpy(name, argv[1]);
    printf("%s\n", (char *)name);
    free(name); /* BUG */
    return 0;
}
