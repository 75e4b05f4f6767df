// Writes into the guard page behind a mapping.
// bug: mapping-overflow
// access: write 1
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return 3;
    if (mprotect(map + 4096, 4096, PROT_NONE)) return 3;
    map[4095 + (argv[1][0] & 1)] = 'm'; /* BUG */
    printf("%c\n", map[4095]);
    munmap(map, 8192);
    return 0;
}
