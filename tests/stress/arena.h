/* An allocator of a program's own: blocks of four sizes with a word in front, a list of free ones each, over pieces that GROW gives. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union head { union head *next; uint64_t class; };
static char *piece, *piece_end;
static union head *spare[4];

static void *arena_take(size_t size)
{
    unsigned class = size <= 16 ? 0 : size <= 64 ? 1 : size <= 256 ? 2 : 3;
    size_t bytes = sizeof(union head) + ((size_t)16 << (2 * class));
    union head *h = spare[class];
    if (h) {
        spare[class] = h->next;
    } else {
        if ((size_t)(piece_end - piece) < bytes) {
            piece = GROW(PIECE);
            if (!piece) return NULL;
            piece_end = piece + PIECE;
        }
        h = (union head *)(void *)piece;
        piece += bytes;
    }
    h->class = class;
    return h + 1;
}

static void arena_give(void *block)
{
    union head *h = (union head *)block - 1;
    unsigned class = (unsigned)h->class;
    h->next = spare[class];
    spare[class] = h;
}

int main(void)
{
    enum { LIVE = 4096 };
    static unsigned char *blocks[LIVE];
    uint64_t seed = 7, sum = 0;
    for (long i = 0; i < 3000000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned at = (unsigned)(seed >> 40) % LIVE, size = 1 + (unsigned)(seed >> 30) % 1000;
        if (blocks[at]) {
            sum = sum * 31 + blocks[at][0];
            arena_give(blocks[at]);
        }
        blocks[at] = arena_take(size);
        if (!blocks[at]) return 1;
        memset(blocks[at], (int)i, size);
    }
    int c = getchar();
    printf("%llu %d\n", (unsigned long long)sum, c == '1');
    if (c == 'x') /* behind the end of the last piece */
        *(volatile char *)piece_end = 1;
    return 0;
}
