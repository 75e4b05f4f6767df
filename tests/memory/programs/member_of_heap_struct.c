// The array member of a struct on the heap overflows into a function pointer.
// bug: member-overflow
// access: write 1
// good: abcd
// bad: abcdabcdx
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

struct handler {
    char name[8];
    int (*call)(const char *);
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct handler *h = malloc(sizeof *h);
    h->call = puts;
    char *to = h->name;
    for (const char *p = argv[1]; *p && to < (char *)(h + 1); p++)
        *to++ = *p; /* BUG */
    printf("%s\n", h->call == puts ? "kept" : "lost");
    free(h);
    return 0;
}
