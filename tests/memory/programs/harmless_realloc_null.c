// realloc of null is the first allocation of a growing array.
// bug: none
// access: none
// good: ''
// bad: abcdefghi
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *bytes = NULL;
    size_t used = 0, room = 0;
    for (const char *p = argv[1]; *p; p++) {
        if (used == room) {
            room = room ? room * 2 : 2;
            bytes = realloc(bytes, room);
        }
        bytes[used++] = *p;
    }
    printf("%zu %c\n", used, used ? bytes[used - 1] : '-');
    free(bytes);
    return 0;
}
