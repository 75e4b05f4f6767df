// Appends to an argument in place, over what comes after it.
// bug: argument-overflow
// access: write 1
// good: name. name
// bad: name name
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    char *name = argv[1];
    size_t length = strlen(name);
    if (length == 0 || name[length - 1] == '.') length = 0;
    name[length + (length > 0)] = 'x'; /* BUG */
    printf("%c %s\n", name[0], argv[2]);
    return 0;
}
