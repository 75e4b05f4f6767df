// The length of a variable-length array is zero or negative.
// bug: allocation-overflow
// access: none
// good: 53
// bad: 35
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    int length = (argv[1][0] & 7) - (argv[1][1] & 7);
    char text[length]; /* BUG */
    if (length > 0) memset(text, 'v', (size_t)length);
    printf("%c\n", length > 0 ? text[0] : '-');
    return 0;
}
