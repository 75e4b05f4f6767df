// Writes the integer just after an array of four on the heap.
// bug: heap-overflow
// access: write 4
// good: 3
// bad: 4
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int *numbers = calloc(4, sizeof *numbers);
    unsigned index = argv[1][0] & 7;
    if (index > 4) index = 0;
    numbers[index] = 1; /* BUG */
    printf("%d\n", numbers[0] + numbers[3]);
    free(numbers);
    return 0;
}
