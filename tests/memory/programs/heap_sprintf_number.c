// A number of five digits is printed into a block for four and a terminator.
// bug: heap-overflow
// access: write 6
// good: 9
// bad: J
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    unsigned number = (argv[1][0] & 15) * 1000;
    char *text = malloc(5);
    sprintf(text, "%u", number); /* BUG */
    printf("%s\n", text);
    free(text);
    return 0;
}
