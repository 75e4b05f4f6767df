// The best word is kept as a pointer into an array of a past iteration.
// bug: use-after-scope
// access: read 1
// good: aa
// bad: ab
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char first[4] = "-";
    char *volatile best = first;
    for (const char *p = argv[1]; *p; p++) {
        char word[4] = { *p, '.', 0, 0 };
        if (word[0] > 'a') best = word;
    }
    printf("%d\n", *(volatile char *)best == '-'); /* BUG */
    return 0;
}
