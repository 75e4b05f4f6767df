// The last element is written at the length of a variable-length array.
// bug: stack-overflow
// access: write 1
// good: 4
// bad: 5
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t length = 8 + (size_t)(argc - 2);
    char text[length];
    memset(text, '.', length);
    char *p = text;
    p[(argv[1][0] & 7) + 3] = '!'; /* BUG */
    printf("%c\n", text[7]);
    return 0;
}
