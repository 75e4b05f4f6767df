// Pieces of one mapping are handed out from its end downwards.
// bug: none
// access: none
// good: 1
// bad: 7
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static char *top;

static char *take(size_t size) { return top -= size; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return 3;
    top = map + 4096;
    size_t size = 1 + (argv[1][0] & 7);
    char *a = take(size), *b = take(size);
    memset(a, 'a', size);
    memset(b, 'b', size);
    printf("%c%c\n", a[size - 1], b[0]);
    munmap(map, 4096);
    return 0;
}
