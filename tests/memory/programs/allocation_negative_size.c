// A negative length becomes an enormous size.
// bug: allocation-overflow
// access: none
// good: 53
// bad: 35
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    int length = argv[1][0] - argv[1][1];
    char *volatile block = malloc((size_t)length); /* BUG */
    printf("%s\n", block ? "allocated" : "refused");
    free(block);
    return 0;
}
