// Sizes are rounded and masked, from numbers near the end of their range too.
// bug: none
// access: none
// good: 1
// bad: 2
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t n = argv[1][0] & 1 ? 13 : SIZE_MAX - 3;
    void *rounded = malloc((n + 7) & ~(size_t)7 & 63);
    void *padded = malloc(-n & 15);
    void *hashed = malloc((n * 0x9e3779b97f4a7c15u) >> 56);
    void *folded = malloc((uint8_t)(n + 200));
    printf("%d\n", rounded && padded && hashed && folded);
    free(rounded);
    free(padded);
    free(hashed);
    free(folded);
    return 0;
}
