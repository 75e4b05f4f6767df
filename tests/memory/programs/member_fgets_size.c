// fgets is given the size of the struct instead of the member's.
// bug: member-overflow
// access: write
// good-stdin: ok\n
// bad-stdin: overlong\n
// asan: no
// valgrind: no
#include <stdio.h>

struct answer {
    char text[4];
    int valid;
    char note[24];
};

int main(void)
{
    struct answer a = { "", 1, "none" };
    char *to = a.text;
    if (!fgets(to, sizeof a, stdin)) return 2; /* BUG */
    printf("%d\n", a.valid);
    return 0;
}
