// Reads after the terminator of an environment string.
// bug: environment-overflow
// access: read 1
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2 || !environ[0]) return 2;
    const char *first = environ[0];
    size_t index = strlen(first) + (argv[1][0] & 1);
    printf("%s\n", first[index] == '\n' ? "line" : "other"); /* BUG */
    return 0;
}
