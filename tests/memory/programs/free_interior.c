// Frees a pointer that skipped leading blanks.
// bug: invalid-free
// access: free
// good: word
// bad: ' word'
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *text = strdup(argv[1]);
    while (*text == ' ') text++;
    printf("%s\n", text);
    free(text); /* BUG */
    return 0;
}
