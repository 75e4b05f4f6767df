// Ten million allocations of mixed sizes; a thousandth of the blocks is alive at a time.
// stdin: 16
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIVE = 10000, ROUNDS = 10000000 };
static unsigned char *blocks[LIVE];
static uint32_t sizes[LIVE];

int main(void)
{
    uint64_t seed = 1, sum = 0;
    for (long i = 0; i < ROUNDS; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t at = (uint32_t)(seed >> 40) % LIVE, shape = (uint32_t)(seed >> 32) & 255;
        if (blocks[at]) {
            sum = sum * 31 + blocks[at][0] + blocks[at][sizes[at] - 1];
            free(blocks[at]);
        }
        sizes[at] = shape < 200 ? 1 + (uint32_t)(seed >> 20) % 64 : shape < 250 ? 1 + (uint32_t)(seed >> 20) % 1024 : 1 + (uint32_t)(seed >> 20) % 20000;
        blocks[at] = malloc(sizes[at]);
        if (!blocks[at]) return 1;
        blocks[at][0] = (unsigned char)i;
        blocks[at][sizes[at] - 1] = (unsigned char)(i >> 8);
    }
    for (int i = 0; i < LIVE; i++) free(blocks[i]);
    int c = getchar();
    printf("%llu %d\n", (unsigned long long)sum, c == '1');
    return 0;
}
