// The program break is raised twice and used as one piece of memory.
// bug: none
// access: none
// good: 1
// bad: 7
// asan: no
// valgrind: no
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *low = sbrk(16);
    if ((intptr_t)low == -1) return 3;
    char *high = sbrk(16);
    if (high != low + 16) return 0;
    memset(low, 's', 32);
    low[12 + (argv[1][0] & 7)] = 'x';
    int found = 0;
    for (int i = 0; i < 32; i++) found += low[i] == 'x';
    return found != 1;
}
