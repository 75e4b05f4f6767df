// A stale pointer writes into a block that another allocation may have taken over.
// bug: use-after-free
// access: write 1
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
    char *old = malloc(24), *stale = old;
    strcpy(old, "old");
    if (argv[1][0] & 1) {
        free(old);
        old = NULL;
    }
    char *fresh = malloc(24);
    strcpy(fresh, "fresh");
    *(volatile char *)stale = 'X'; /* BUG */
    printf("%d\n", fresh[0] == 'f');
    free(fresh);
    free(old);
    return 0;
}
