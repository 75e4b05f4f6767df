// Addresses behind an object's end are compared as numbers and never used.
// bug: none
// access: none
// good: 1
// bad: 9
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char block[8] = "1234567";
    uintptr_t at = (uintptr_t)block + (uintptr_t)(argv[1][0] & 15);
    int inside = at >= (uintptr_t)block && at < (uintptr_t)block + sizeof block;
    printf("%d\n", inside ? block[at - (uintptr_t)block] : -1);
    return 0;
}
