// Frees a member in the middle of a struct instead of the struct.
// bug: invalid-free
// access: free
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

struct widget {
    long id;
    char label[24];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct widget *w = calloc(1, sizeof *w);
    void *parts[2] = { w, w->label };
    printf("%ld\n", w->id);
    free(parts[argv[1][0] & 1]); /* BUG */
    return 0;
}
