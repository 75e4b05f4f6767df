// A second option replaces the value of the first without freeing it.
// bug: memory-leak
// access: none
// good: x
// bad: xx
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

static char *last;

__attribute__((noinline)) static void set(char c)
{
    last = malloc(40); /* BUG */
    last[0] = c;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (const char *p = argv[1]; *p; p++) set(*p);
    printf("%c\n", last ? last[0] : '-');
    free(last);
    return 0;
}
