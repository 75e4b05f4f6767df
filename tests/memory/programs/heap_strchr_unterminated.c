// strchr looks for a character that an unterminated block does not contain.
// bug: heap-overflow
// access: read
// good: ab=d
// bad: abcd
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
    const char *equals = strchr(field, '='); /* BUG */
    printf("%s\n", equals && equals < field + 4 ? "pair" : "word");
    free(field);
    return 0;
}
