// Arrays that share 16 bytes are copied into each other, and a function is given one of them and the struct around it.
// bug: none
// access: none
// good: ab
// bad: abcdef
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    char first[8], second[8];
    int sum;
};

static void take(char *to, const struct pair *from)
{
    to[0] = from->second[7];
    to[1] = (char)('0' + from->sum);
}

static int same(const char *a, const char *b)
{
    return a[0] == b[1] && a[1] == b[0];
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct pair *p = calloc(1, sizeof *p);
    strncpy(p->second, argv[1], 7);
    strcpy(p->first, p->second);
    memcpy(p->second, p->first, sizeof p->second);
    strcpy(p->second, p->first);
    p->sum = (int)strlen(p->second);
    take(p->first, p);
    printf("%s %s %d\n", p->first, p->second, same(p->first, p->second));
    memmove(p->first, p, sizeof p->first);
    free(p);
    return 0;
}
