// An early return loses the block.
// bug: memory-leak
// access: none
// good: good
// bad: bad
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static int handle(const char *text)
{
    char *copy = strdup(text); /* BUG */
    if (copy[0] == 'b') return 0;
    int length = (int)strlen(copy);
    free(copy);
    return length;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    printf("%d\n", handle(argv[1]));
    return 0;
}
