// A copy of four or more characters has no terminator when its length is asked.
// bug: heap-overflow
// access: read
// good: abc
// bad: abcd
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *tag = calloc(4, 1);
    size_t length = strlen(argv[1]);
    memcpy(tag, argv[1], length < 4 ? length : 4);
    size_t found = strlen(tag); /* BUG */
    printf("%s\n", found < 4 ? "short" : "long");
    free(tag);
    return 0;
}
