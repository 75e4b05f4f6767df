// Memory from alloca is made for the characters without the terminator.
// bug: stack-overflow
// access: write 1
// good: +name
// bad: -name
// asan: yes
// valgrind: no
#include <alloca.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t length = strlen(argv[1]);
    char *copy = alloca(length + (argv[1][0] == '+'));
    for (size_t i = 0; i < length; i++) copy[i] = argv[1][i];
    copy[length] = 0; /* BUG */
    printf("%c\n", copy[0]);
    return 0;
}
