// A callee overwrites the terminator's neighbour in an environment string.
// bug: environment-overflow
// access: write 1
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void clear(char *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ((volatile char *)from)[i] = 0; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2 || !environ[0]) return 2;
    size_t length = strlen(environ[0]) + 1;
    clear(environ[0], length + (argv[1][0] & 1));
    printf("%d\n", environ[0][0]);
    return 0;
}
