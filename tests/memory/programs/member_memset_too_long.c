// memset of a member is given the size of the whole struct from the member on.
// bug: member-overflow
// access: write 12
// good: 4
// bad: L
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

struct cell {
    int id;
    char tag[4];
    char data[12];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct cell c = { 1, "tag", "data" };
    char *tag = c.tag;
    memset(tag, 0, argv[1][0] & 15); /* BUG */
    printf("%d %s\n", c.id, c.data);
    return 0;
}
