// A callee reads an array member too far, into the member after it.
// bug: member-overflow
// access: read 4
// good: 2
// bad: 3
// asan: no
// valgrind: no
#include <stdio.h>

struct reading {
    int samples[3];
    int secret;
};

static int sample(const int *samples, unsigned index)
{
    return samples[index]; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct reading r = { { 1, 2, 3 }, 4 };
    printf("%d\n", sample(r.samples, argv[1][0] & 3));
    return 0;
}
