// A pointer to an array member writes over the member after it.
// bug: member-overflow
// access: write 1
// good: 7
// bad: 8
// asan: no
// valgrind: no
#include <stdio.h>

struct account {
    char name[8];
    char level[8];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct account a = { "guest", "none" };
    char *name = a.name;
    name[argv[1][0] & 15] = 0; /* BUG */
    printf("%s %s\n", a.name, a.level);
    return 0;
}
