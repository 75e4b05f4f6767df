// The distance of two locals is used as an index, which lands in the other one.
// bug: stack-overflow
// access: write 1
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdint.h>
#include <stdio.h>

static void mark(char *base, intptr_t index)
{
    base[index] = 'm'; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char left[32] = "word", right[32] = "word";
    char *low = (uintptr_t)left < (uintptr_t)right ? left : right;
    char *high = low == left ? right : left;
    mark(low, (argv[1][0] & 1) * (intptr_t)((uintptr_t)high - (uintptr_t)low));
    printf("%s %s\n", low, high);
    return 0;
}
