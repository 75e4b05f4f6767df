// The distance of two mappings is used as an index, which lands in the other one.
// bug: mapping-overflow
// access: read 1
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

static char *map_page(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *a = map_page(), *b = map_page();
    if (a == MAP_FAILED || b == MAP_FAILED) return 3;
    char *low = (uintptr_t)a < (uintptr_t)b ? a : b;
    uintptr_t distance = (uintptr_t)(low == a ? b : a) - (uintptr_t)low;
    printf("%d\n", low[(argv[1][0] & 1) * distance]); /* BUG */
    munmap(a, 4096);
    munmap(b, 4096);
    return 0;
}
