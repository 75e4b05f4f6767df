// Reads the text of a closed memory stream after it was freed.
// bug: use-after-free
// access: read 1
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    fputs("hello", stream);
    fclose(stream);
    int early = argv[1][0] & 1;
    if (early) free(text);
    printf("%d\n", text[0] == 'h'); /* BUG */
    if (!early) free(text);
    return 0;
}
