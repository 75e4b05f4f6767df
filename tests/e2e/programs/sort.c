// The models of qsort, qsort_r and bsearch compare as the library does, pair by pair, also with an order that contradicts itself.
// cc: -O1
// tandem: trace @ 3
// expect: taken
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long hash = 5381;
static size_t width;
static const unsigned char *array;

static void note(unsigned long n)
{
    hash = hash * 33 + n;
}

/* Of elements up to 32 bytes the addresses are noted too, from the array on if they are in it. */
static int by_first(const void *a, const void *b)
{
    const unsigned char *x = a, *y = b;
    note(x[0] * 256u + y[0]);
    note(x[width - 1] * 256u + y[width - 1]);
    note((unsigned long)(x - y));
    return x[0] - y[0];
}

static int at_random(const void *a, const void *b, void *state)
{
    unsigned *seed = state;
    const unsigned char *x = a, *y = b;
    note(x[width - 1] * 256u + y[width - 1]);
    *seed = *seed * 1103515245u + 12345u;
    return (int)(*seed >> 16) % 3 - 1;
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    note((unsigned)x * 64u + (unsigned)y);
    return (x > y) - (x < y);
}

static void fill(unsigned char *a, size_t n)
{
    unsigned seed = (unsigned)(n * 7919 + width);
    for (size_t i = 0; i < n; i++) {
        memset(a + i * width, (int)i, width);
        seed = seed * 1103515245u + 12345u;
        a[i * width] = (seed >> 16) % 5; /* many are equal */
    }
}

static void sort(size_t n, int contradicts)
{
    unsigned char *a = malloc(n * width + 1);
    unsigned seed = 1;
    array = a;
    fill(a, n);
    if (contradicts)
        qsort_r(a, n, width, at_random, &seed);
    else
        qsort(a, n, width, by_first);
    for (size_t i = 0; i < n * width; i++)
        note(a[i]);
    free(a);
}

int main(int argc, char **argv)
{
    for (width = 1; width <= 100; width += width < 40 ? 1 : 15)
        for (size_t n = 0; n < 40; n += n < 9 ? 1 : 10) {
            sort(n, 0);
            sort(n, 1);
        }
    width = 8;
    sort(3000, 0);
    width = 50;
    sort(300, 0);
    printf("%lx\n", hash);

    int sorted[10], key;
    for (int i = 0; i < 10; i++)
        sorted[i] = 3 * i;
    for (key = -1; key < 30; key++) {
        int *found = bsearch(&key, sorted, 10, sizeof key, by_number);
        note(found ? (unsigned)(found - sorted) : 99);
    }
    printf("%lx\n", hash);

    /* Terms move with the elements, and comparisons are conditions. */
    int mixed[4] = {5, argc > 1 ? argv[1][0] - '0' : 0, 1, 9};
    qsort(mixed, 4, sizeof mixed[0], by_number);
    printf("%d %d\n", mixed[1], mixed[0] == 1 ? 1 : 0);
    return mixed[1] > 4 ? 1 : 0;
}
