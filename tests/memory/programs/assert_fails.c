// An assertion about the length of an argument does not hold.
// bug: assertion
// access: none
// good: abc
// bad: abcde
// asan: no
// valgrind: no
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t length = strlen(argv[1]);
    assert(length < 5); /* BUG */
    printf("%zu\n", length);
    return 0;
}
