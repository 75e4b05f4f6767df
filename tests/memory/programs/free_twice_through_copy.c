// Two structs share a block after a shallow copy, and both free it.
// bug: double-free
// access: free
// good: deep
// bad: shallow
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
};

static void text_free(struct text *t)
{
    free(t->bytes); /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct text a = { strdup("text") }, b = a;
    if (argv[1][0] == 'd') b.bytes = strdup(a.bytes);
    printf("%s\n", b.bytes);
    text_free(&a);
    text_free(&b);
    return 0;
}
