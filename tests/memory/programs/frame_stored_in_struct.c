// A struct keeps a pointer to a buffer in a frame that has returned.
// bug: use-after-return
// access: write 1
// good: s
// bad: d
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

static struct {
    char *line;
} context;

static char lasting[16];

__attribute__((noinline)) static size_t prepare(int dynamic)
{
    char buffer[16] = "buffer";
    context.line = dynamic ? buffer : lasting;
    return strlen(buffer);
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t length = prepare(argv[1][0] == 'd');
    context.line[0] = 'x'; /* BUG */
    printf("%zu\n", length);
    return 0;
}
