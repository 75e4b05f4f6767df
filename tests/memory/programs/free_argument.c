// Frees an argument string instead of its copy.
// bug: invalid-free
// access: free
// good: copy
// bad: -
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *text = argv[1];
    if (text[0] != '-') text = strdup(text);
    printf("%c\n", text[0]);
    free(text); /* BUG */
    return 0;
}
