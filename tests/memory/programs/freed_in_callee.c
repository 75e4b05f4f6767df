// A callee frees the block when a check fails, and its caller uses it all the same.
// bug: use-after-free
// access: read 1
// good: abc
// bad: Abc
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check(char *text)
{
    if (text[0] >= 'a') return 1;
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *text = strdup(argv[1]);
    int ok = check(text);
    printf("%d\n", text[0] == 'a'); /* BUG */
    if (ok) free(text);
    return 0;
}
