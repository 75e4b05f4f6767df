// Writes through a second pointer to a block freed through the first.
// bug: use-after-free
// access: write 1
// good: keep
// bad: drop
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>

struct session {
    char *buffer, *cursor;
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct session s;
    s.buffer = calloc(16, 1);
    s.cursor = s.buffer + 4;
    if (argv[1][0] == 'd') {
        free(s.buffer);
        s.buffer = NULL;
    }
    *(volatile char *)s.cursor = 'x'; /* BUG */
    printf("%s\n", s.buffer ? "kept" : "dropped");
    free(s.buffer);
    return 0;
}
