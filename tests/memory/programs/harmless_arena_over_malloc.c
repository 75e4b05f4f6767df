// An arena hands out pieces of one block; each piece is used within itself.
// bug: none
// access: none
// good: ab
// bad: abcdefgh
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *arena, *arena_next;

static void *arena_take(size_t size)
{
    if (arena + 64 - arena_next < (long)size) return NULL;
    void *piece = arena_next;
    arena_next += (size + 7) & ~7ul;
    return piece;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) > 16) return 2;
    arena = arena_next = malloc(64);
    char *first = arena_take(strlen(argv[1]) + 1);
    int *second = arena_take(sizeof *second);
    strcpy(first, argv[1]);
    *second = 7;
    printf("%s %d\n", first, *second);
    free(arena);
    return 0;
}
