// A pointer to the element before an array lets indices count from one.
// bug: none
// access: none
// good: 1
// bad: 4
// asan: no
// valgrind: no
#include <stdio.h>

static const int *before(const int *first) { return first - 1; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int months[4] = { 31, 28, 31, 30 };
    const int *base = before(months);
    unsigned month = argv[1][0] & 7;
    if (month < 1 || month > 4) return 2;
    printf("%d\n", base[month]);
    return 0;
}
