// A union is written as a number and read as bytes, all of them its own.
// bug: none
// access: none
// good: 0
// bad: 3
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>

union word {
    uint32_t number;
    unsigned char bytes[4];
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    union word w = { .number = 0x04030201 };
    printf("%d\n", w.bytes[argv[1][0] & 3]);
    return 0;
}
