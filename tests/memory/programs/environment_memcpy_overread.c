// Copies more bytes of an environment string than it has.
// bug: environment-overflow
// access: read
// good: 0
// bad: 5
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2 || !environ[0]) return 2;
    size_t length = strlen(environ[0]) + 1;
    char *copy = malloc(length + 8);
    memcpy(copy, environ[0], length + (argv[1][0] & 7)); /* BUG */
    printf("%s\n", strlen(copy) < length ? "copied" : "not copied");
    free(copy);
    return 0;
}
