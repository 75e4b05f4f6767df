// A character is appended to a string from strdup, which has no room for it.
// bug: heap-overflow
// access: write 1
// good: dir/
// bad: dir
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    char *path = strdup(argv[1]);
    size_t length = strlen(path);
    if (path[length - 1] != '/') {
        path[length] = '/';
        path[length + 1] = 0; /* BUG */
    }
    printf("%s\n", path);
    free(path);
    return 0;
}
