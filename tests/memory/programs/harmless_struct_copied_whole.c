// memcpy copies a struct across its members, and a prefix that ends in one.
// bug: none
// access: none
// good: 1
// bad: 7
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

struct record {
    char name[4];
    int number;
    char note[8];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct record a = { "abc", 5, "note" }, b;
    memcpy(&b, &a, sizeof b);
    memcpy(&b, &a, 8 + (size_t)(argv[1][0] & 7));
    printf("%s %d %s\n", b.name, b.number, b.note);
    return 0;
}
