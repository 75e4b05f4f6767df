// A two-byte read takes the terminator and the byte after it.
// bug: argument-overflow
// access: read 2
// good: 1aa
// bad: 3aa
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) pair {
    unsigned short value;
};

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) != 3) return 2;
    const struct pair *p = (const void *)(argv[1] + (argv[1][0] & 3));
    unsigned short value = p->value; /* BUG */
    printf("%d\n", value == 0x6161);
    return 0;
}
