// The index is out of range, but the range is tested before the array is read.
// bug: none
// access: none
// good: 3
// bad: 9
// asan: no
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int flags[4] = { 0, 1, 0, 1 };
    unsigned index = argv[1][0] & 15;
    if (index < 4 && flags[index]) puts("set");
    else puts("clear");
    return 0;
}
