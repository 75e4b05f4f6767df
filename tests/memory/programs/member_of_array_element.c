// A name in an array of structs overflows into the next element.
// bug: member-overflow
// access: write 1
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdio.h>

struct entry {
    char name[4];
};

static struct entry entries[4] = { { "aa" }, { "bb" }, { "cc" }, { "dd" } };

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *name = entries[1].name;
    name[3 + (argv[1][0] & 1)] = 'z'; /* BUG */
    printf("%c\n", entries[2].name[0]);
    return 0;
}
