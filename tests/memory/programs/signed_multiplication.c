// A product of two numbers from the input leaves the range of int.
// bug: signed-overflow
// access: none
// good: 3
// bad: 9
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int width = (argv[1][0] & 15) * 10000;
    int area = width * width / 2; /* BUG */
    printf("%d\n", area);
    return 0;
}
