// The loop that copies words stops one too late.
// bug: stack-overflow
// access: write 2
// good: abcd
// bad: abcde
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    unsigned short wide[4] = { 0 };
    unsigned short *out = wide;
    for (unsigned i = 0; argv[1][i] && i <= 4; i++)
        out[i] = (unsigned char)argv[1][i]; /* BUG */
    printf("%d\n", wide[0]);
    return 0;
}
