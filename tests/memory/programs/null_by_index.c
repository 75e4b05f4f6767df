// A table of pointers has a hole.
// bug: null-dereference
// access: read 4
// good: 1
// bad: 2
// asan: yes
// valgrind: yes
#include <stdio.h>

static int a = 1, b = 2, c = 3;
static int *const numbers[4] = { &a, &b, NULL, &c };

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    const int *number = numbers[argv[1][0] & 3];
    printf("%d\n", *number); /* BUG */
    return 0;
}
