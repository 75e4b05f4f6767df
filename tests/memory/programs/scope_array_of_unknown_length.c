// A variable-length array is used when its block has ended.
// bug: use-after-scope
// access: read 1
// good: a
// bad: aaaa
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t n = strlen(argv[1]);
    const char *volatile kept = "x";
    if (n > 2) {
        char copy[n + 1];
        strcpy(copy, argv[1]);
        kept = copy;
    }
    printf("%d\n", *(volatile const char *)kept != 0); /* BUG */
    return 0;
}
