// The size of the block is computed in sixteen bits and wraps.
// bug: heap-overflow
// access: write 4
// good: 3
// bad: 4
// asan: yes
// valgrind: yes
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    uint16_t count = (uint16_t)((argv[1][0] & 7) * 4100);
    uint16_t bytes = (uint16_t)(count * sizeof(int));
    int *numbers = malloc(bytes);
    for (unsigned i = 0; i < count; i++)
        numbers[i] = (int)i; /* BUG */
    printf("%d\n", count ? numbers[count - 1] : 0);
    free(numbers);
    return 0;
}
