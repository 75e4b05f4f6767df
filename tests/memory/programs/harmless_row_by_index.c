// The array is one of many in an object: neither index leaves its own.
// bug: none
// access: none
// good: 00
// bad: 37
// asan: no
// valgrind: no
#include <stdio.h>

static struct {
    int id;
    char name[8];
    int rank;
} people[4] = { { 1, "ann", 3 }, { 2, "bob", 4 }, { 3, "cleo", 1 }, { 4, "dominic", 2 } };

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    printf("%d\n", people[argv[1][0] & 3].name[argv[1][1] & 7]);
    people[argv[1][1] & 3].name[argv[1][0] & 7] = 'x';
    printf("%d\n", people[argv[1][0] & 3].rank);
    return 0;
}
