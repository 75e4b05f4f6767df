// Deleting an element moves one element too many when the position is the last.
// bug: heap-overflow
// access: read 4
// good: 2
// bad: 7
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t count = 8, at = argv[1][0] & 7;
    int *list = malloc(count * sizeof *list);
    for (size_t i = 0; i < count; i++) list[i] = (int)i;
    size_t rest = at == count - 1 ? 1 : count - at - 1;
    memmove(list + at, list + at + 1, rest * sizeof *list); /* BUG */
    printf("%d\n", list[0]);
    free(list);
    return 0;
}
