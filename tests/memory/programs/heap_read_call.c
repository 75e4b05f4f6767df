// read() is asked for one byte more than the block has room for.
// bug: heap-overflow
// access: write 9
// good: 8
// bad: 9
// good-stdin: 123456789
// bad-stdin: 123456789
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *block = calloc(8, 1);
    ssize_t got = read(0, block, argv[1][0] & 15); /* BUG */
    printf("%zd %c\n", got, block[0]);
    free(block);
    return 0;
}
