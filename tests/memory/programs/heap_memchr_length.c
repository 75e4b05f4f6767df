// memchr is given twice the length of the block it searches.
// bug: heap-overflow
// access: read
// good: abcdefg,
// bad: abcdefgh
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) != 8) return 2;
    char *record = malloc(8);
    memcpy(record, argv[1], 8);
    const char *end = memchr(record, ',', 16); /* BUG */
    printf("%s\n", end ? "ended" : "open");
    free(record);
    return 0;
}
