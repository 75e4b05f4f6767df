// fgets may store twice as many characters as the block has.
// bug: heap-overflow
// access: write
// good-stdin: short\n
// bad-stdin: a line of more than sixteen\n
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = malloc(16);
    line[0] = 0;
    if (!fgets(line, 32, stdin)) puts("nothing"); /* BUG */
    printf("%c\n", line[0]);
    free(line);
    return 0;
}
