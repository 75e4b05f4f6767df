// An old pointer into a block is used after the block was enlarged and moved.
// bug: use-after-free
// access: read 1
// good: s
// bad: l
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *text = malloc(16), *barrier = malloc(16);
    strcpy(text, "word");
    char *word = text;
    if (argv[1][0] == 'l') text = realloc(text, 100000);
    printf("%d\n", word[0] == 'w'); /* BUG */
    free(text);
    free(barrier);
    return 0;
}
