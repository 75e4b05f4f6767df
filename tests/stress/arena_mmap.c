// An allocator over mmap.
// stdin: 16
// bad: mapping-overflow
#define _GNU_SOURCE
#include <sys/mman.h>
#define PIECE (1 << 20)
#define GROW(size) map(size)

static void *map(unsigned long size)
{
    void *p = mmap((void *)0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? (void *)0 : p;
}
#include "arena.h"
