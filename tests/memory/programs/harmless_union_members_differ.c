// The larger member of a union is used after a smaller one, within the union.
// bug: none
// access: none
// good: 0
// bad: 7
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

union value {
    char small[2];
    char large[8];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    union value v;
    memset(&v, 'l', sizeof v);
    v.small[0] = 's';
    char *p = v.large;
    printf("%c\n", p[argv[1][0] & 7]);
    return 0;
}
