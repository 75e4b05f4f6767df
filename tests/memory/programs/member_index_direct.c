// An array member is indexed by name, which lets the compiler see its bound.
// bug: member-overflow
// access: write 4
// good: 3
// bad: 4
// asan: yes
// valgrind: no
#include <stdio.h>

struct state {
    int slots[4];
    int locked[4];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct state s = { { 0 }, { 1, 1, 1, 1 } };
    s.slots[argv[1][0] & 7] = 0; /* BUG */
    printf("%d\n", s.locked[0]);
    return 0;
}
