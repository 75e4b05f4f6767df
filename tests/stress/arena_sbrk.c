// An allocator over sbrk.
// stdin: 16
// bad: wild
#define _GNU_SOURCE
#include <unistd.h>
#define PIECE (1 << 20)
#define GROW(size) grow(size)

static void *grow(long size)
{
    void *p = sbrk(size);
    return p == (void *)-1 ? (void *)0 : p;
}
#include "arena.h"
