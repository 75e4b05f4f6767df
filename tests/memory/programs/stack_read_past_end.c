// Reads the element just after a local array.
// bug: stack-overflow
// access: read 4
// good: 4
// bad: 5
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int primes[5] = { 2, 3, 5, 7, 11 };
    unsigned index = argv[1][0] & 7;
    if (index > 5) index = 0;
    int prime = primes[index]; /* BUG */
    printf("%d\n", prime);
    return 0;
}
