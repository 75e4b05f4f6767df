// A full name member has no terminator, so its length includes the next member.
// bug: member-overflow
// access: read
// good: abc
// bad: abcd
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

struct item {
    char code[4];
    char unit[4];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct item i = { "", "kg" };
    char *code = i.code;
    strncpy(code, argv[1], 4);
    size_t length = strlen(code); /* BUG */
    printf("%zu\n", length);
    return 0;
}
