// Frees the default value, which is a global.
// bug: invalid-free
// access: free
// good: value
// bad: ''
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char standard[] = "standard";

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *volatile value = argv[1][0] ? strdup(argv[1]) : standard;
    printf("%s\n", (char *)value);
    free(value); /* BUG */
    return 0;
}
