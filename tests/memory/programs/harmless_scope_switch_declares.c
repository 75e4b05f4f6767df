// A switch declares its variable before the first case.
// bug: none
// access: none
// good: abc
// bad: cab
// asan: no
// valgrind: no
#include <stdio.h>

static void set(int *p, int n) { *p = n; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int sum = 0;
    for (const char *p = argv[1]; *p; p++)
        switch (*p) {
            int x;
            char y[4];
        case 'a':
            set(&x, 1);
            sum += x;
            break;
        case 'b':
            set(&x, 2); /* and on */
        default:
            set(&x, 3);
            snprintf(y, sizeof y, "%d", x);
            sum += y[0];
        }
    printf("%d\n", sum);
    return 0;
}
