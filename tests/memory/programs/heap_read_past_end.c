// Reads the byte just after an eight-byte heap block.
// bug: heap-overflow
// access: read 1
// good: 7
// bad: 8
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *block = malloc(8);
    for (int i = 0; i < 8; i++) block[i] = (char)('a' + i);
    unsigned index = argv[1][0] & 15;
    if (index > 8) index = 0;
    printf("%d\n", block[index]); /* BUG */
    free(block);
    return 0;
}
