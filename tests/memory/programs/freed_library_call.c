// The length of a string is asked for after it was freed.
// bug: use-after-free
// access: read
// good: name
// bad: -
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *name = strdup(argv[1]);
    int ignored = name[0] == '-';
    if (ignored) free(name);
    size_t length = strlen(name); /* BUG */
    printf("%s\n", length > 3 ? "long" : "short");
    if (!ignored) free(name);
    return 0;
}
