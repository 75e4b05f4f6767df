// The bound of strncat forgets the terminator.
// bug: stack-overflow
// access: write
// good: abc
// bad: abcd
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char path[9] = "/tmp/";
    size_t left = sizeof path - strlen(path);
    strncat(path, argv[1], left); /* BUG */
    printf("%c\n", path[0]);
    return 0;
}
