// A block is entered behind its declarations, after it was entered and left the usual way.
// bug: none
// access: none
// good: 1
// bad: 3
// asan: no
// valgrind: no
#include <stdio.h>

static void set(int *p, int n) { *p = n; }
static int get(const int *p) { return *p; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int left = argv[1][0] & 7, sum = 0;
    for (int round = 0; round < 4; round++) {
        if (round & 1) goto inside;
        {
            int x;
            int *p;
        inside:
            p = &x;
            set(p, left + round);
            sum += get(p);
        }
        sum++;
    }
    printf("%d\n", sum);
    return 0;
}
