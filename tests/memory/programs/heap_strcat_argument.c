// Room was reserved for the name and the suffix, but not for the terminator.
// bug: heap-overflow
// access: write
// good: -s name
// bad: name
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    const char *name = argv[argc - 1];
    size_t room = strlen(name) + 4;
    if (strcmp(argv[1], "-s") == 0) room++;
    char *file = malloc(room);
    strcpy(file, name);
    strcat(file, ".bak"); /* BUG */
    printf("%s\n", file);
    free(file);
    return 0;
}
