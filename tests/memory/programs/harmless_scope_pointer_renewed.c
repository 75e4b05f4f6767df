// A pointer outlives block after block, and is set anew before it is used.
// bug: none
// access: none
// good: abc
// bad: aab
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

static const char *text;
static void show(void) { printf("%s\n", text); }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    for (const char *p = argv[1]; *p; p++) {
        char own[8];
        if (*p == 'b') continue;
        snprintf(own, sizeof own, "<%c>", *p);
        text = own;
        show();
        if (*p == 'c') break;
        size_t n = strlen(own);
        char grown[n + 1];
        memcpy(grown, own, n + 1);
        text = grown;
        show();
    }
    text = argv[1];
    show();
    return 0;
}
