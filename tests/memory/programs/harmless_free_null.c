// free is given null when there was nothing to allocate.
// bug: none
// access: none
// good: x
// bad: ''
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *text = argv[1][0] ? strdup(argv[1]) : NULL;
    printf("%s\n", text ? text : "nothing");
    free(text);
    return 0;
}
