// Width times height overflows an int and comes out positive.
// bug: allocation-overflow
// access: none
// good: 1
// bad: 9
// asan: yes
// valgrind: no
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int width = (argv[1][0] & 8) << 13, height = width | 16;
    char *pixels = malloc((size_t)(width * height + 4)); /* BUG */
    if (!pixels) return 3;
    pixels[0] = 'p';
    printf("%c\n", pixels[0]);
    free(pixels);
    return 0;
}
