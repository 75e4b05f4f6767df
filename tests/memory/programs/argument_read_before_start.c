// Removing a trailing slash of an empty argument looks before its start.
// bug: argument-underflow
// access: read 1
// good: a/
// bad: ''
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *path = argv[1];
    size_t length = strlen(path);
    int slash = path[length - 1] == '/'; /* BUG */
    printf("%d\n", slash);
    return 0;
}
