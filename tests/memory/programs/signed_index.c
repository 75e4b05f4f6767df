// An index is a signed product that overflows before it is reduced.
// bug: signed-overflow
// access: none
// good: 2
// bad: 5
// asan: yes
// valgrind: no
#include <stdio.h>

static const char wheel[8] = "abcdefg";

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int turn = (argv[1][0] & 7) * 1000000000; /* BUG */
    printf("%c\n", wheel[turn & 3]);
    return 0;
}
