// A lookup gives null for an unknown key, which is not checked.
// bug: null-dereference
// access: read 4
// good: b
// bad: c
// asan: yes
// valgrind: yes
#include <stdio.h>

struct pair {
    char key;
    int value;
};

static struct pair pairs[2] = { { 'a', 1 }, { 'b', 2 } };

static struct pair *find(char key)
{
    for (int i = 0; i < 2; i++)
        if (pairs[i].key == key) return &pairs[i];
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct pair *p = find(argv[1][0]);
    printf("%d\n", p->value); /* BUG */
    return 0;
}
