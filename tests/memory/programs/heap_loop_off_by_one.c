// A loop runs to the count inclusively when a flag is given.
// bug: heap-overflow
// access: write 4
// good: -x
// bad: -i
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] != '-') return 2;
    int inclusive = argv[1][1] == 'i';
    int *squares = malloc(6 * sizeof *squares);
    for (int i = 0; inclusive ? i <= 6 : i < 6; i++)
        squares[i] = i * i; /* BUG */
    printf("%d\n", squares[5]);
    free(squares);
    return 0;
}
