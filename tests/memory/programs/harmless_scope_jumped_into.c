// A block is entered behind its declarations, again and again.
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
    goto inside;
    for (; left > 0; left--) {
        int x;
        int *p;
    inside:
        p = &x;
        set(p, left);
        sum += get(p);
        if (sum > 100) break;
        if (left-- > 1) goto inside;
    }
    printf("%d\n", sum);
    return 0;
}
