// A length that was never found, SIZE_MAX, and one more: the end of the copy is in front of it.
// bug: heap-underflow
// access: write 1
// good: 5
// bad: 0
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t length_to(const char *text, char end)
{
    const char *found = strchr(text, end);
    return found ? (size_t)(found - text) : (size_t)-1;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t n = length_to(argv[1], '5');
    char *copy = malloc(n + 1);
    if (!copy) return 3;
    copy[n] = 0; /* BUG */
    printf("%d\n", copy[n]);
    free(copy);
    return 0;
}
