// Clears as many bytes as the digits say, more than the block has.
// bug: heap-overflow
// access: write 33
// good: 32
// bad: 33
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    size_t length = (argv[1][0] & 3) * 10 + (argv[1][1] & 3);
    char *block = malloc(32);
    memset(block, 'x', 32);
    memset(block, 'y', length); /* BUG */
    printf("%c\n", block[0]);
    free(block);
    return 0;
}
