// A two-dimensional array is walked as bytes from the address of the whole.
// bug: none
// access: none
// good: 0
// bad: K
// asan: no
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char grid[3][4] = { "abc", "def", "ghi" };
    const char *flat = (const char *)&grid;
    unsigned index = argv[1][0] & 15;
    if (index >= sizeof grid) return 2;
    printf("%d\n", flat[index]);
    return 0;
}
