// A table of names is indexed by a digit that has no name.
// bug: stack-overflow
// access: read 8
// good: 3
// bad: 4
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    const char *names[4] = { "north", "east", "south", "west" };
    const char **table = names;
    const char *name = table[argv[1][0] & 7]; /* BUG */
    printf("%s\n", name == names[3] ? "west" : "other");
    return 0;
}
