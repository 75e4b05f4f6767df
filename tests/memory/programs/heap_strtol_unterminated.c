// strtol reads a block of digits that has no end.
// bug: heap-overflow
// access: read
// good: 12x4
// bad: 1234
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) != 4) return 2;
    char *field = malloc(4);
    memcpy(field, argv[1], 4);
    long number = strtol(field, NULL, 10); /* BUG */
    printf("%s\n", number > 100 ? "many" : "few");
    free(field);
    return 0;
}
