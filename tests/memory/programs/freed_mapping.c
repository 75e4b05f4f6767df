// Reads a mapping after it was unmapped.
// bug: use-after-free
// access: read 1
// good: k
// bad: u
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int gone = argv[1][0] == 'u';
    char *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return 3;
    map[0] = 'm';
    if (gone) munmap(map, 4096);
    printf("%c\n", map[0]); /* BUG */
    if (!gone) munmap(map, 4096);
    return 0;
}
