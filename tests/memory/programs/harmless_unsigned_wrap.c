// Unsigned arithmetic wraps on the way to an index that is in range.
// bug: none
// access: none
// good: 1
// bad: 7
// asan: no
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char text[8] = "abcdefg";
    unsigned index = (argv[1][0] & 7) - 5u;
    index += 5u;
    printf("%d\n", text[index]);
    return 0;
}
