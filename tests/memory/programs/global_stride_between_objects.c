// The distance of two globals is used as an index, which lands in the other one.
// bug: global-overflow
// access: read 1
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>

static char public_text[64] = "public", secret_text[64] = "secret";

static char peek(const char *from, uintptr_t index)
{
    return from[index]; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *texts[2] = { public_text, secret_text };
    int low = (uintptr_t)secret_text < (uintptr_t)public_text;
    uintptr_t distance = (uintptr_t)texts[!low] - (uintptr_t)texts[low];
    printf("%c\n", peek(texts[low], (argv[1][0] & 1) * distance));
    return 0;
}
