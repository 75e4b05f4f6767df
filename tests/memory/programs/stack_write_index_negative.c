// A digit below the base gives a negative index.
// bug: stack-underflow
// access: write 4
// good: 5
// bad: 3
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int counts[16] = { 0 };
    int index = (argv[1][0] & 15) - 4;
    counts[index]++; /* BUG */
    printf("%d\n", counts[1]);
    return 0;
}
