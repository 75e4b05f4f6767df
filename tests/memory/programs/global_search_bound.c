// The bound of a search is too large, which shows when the value is not there.
// bug: global-overflow
// access: read 2
// good: 7
// bad: 8
// asan: yes
// valgrind: no
#include <stdio.h>

static const short ports[5] = { 1, 9, 7, 3, 5 };

static int find(const short *p, short value)
{
    int at = 0;
    while (at < 8 && p[at] != value) /* BUG */
        at++;
    return at;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    printf("%s\n", find(ports, argv[1][0] & 15) < 5 ? "found" : "not found");
    return 0;
}
