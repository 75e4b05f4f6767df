// An allocator over malloc.
// stdin: 16
// bad: heap-overflow
#include <stdlib.h>
#define PIECE (1 << 20)
#define GROW(size) malloc(size)
#include "arena.h"
