// Blocks from before main, freed in main and after it; blocks from main freed at exit.
// stdin: 16
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *before[1000], *during[1000];

__attribute__((constructor)) static void begin(void)
{
    for (int i = 0; i < 1000; i++) {
        before[i] = malloc((size_t)(i + 1));
        memset(before[i], i, (size_t)(i + 1));
    }
}

__attribute__((destructor)) static void end(void)
{
    for (int i = 0; i < 1000; i += 2) free(before[i]);
    char *last = strdup("last");
    free(last);
}

static void at_exit(void)
{
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
        sum += during[i][i];
        free(during[i]);
    }
    printf("%ld\n", sum);
}

int main(void)
{
    int first = getchar();
    long sum = 0;
    atexit(at_exit);
    for (int i = 0; i < 1000; i++) {
        sum += before[i][i];
        during[i] = malloc((size_t)(i + 1));
        memset(during[i], i + first, (size_t)(i + 1));
    }
    for (int i = 1; i < 1000; i += 2) {
        before[i] = realloc(before[i], (size_t)(2 * i));
        sum += before[i][i - 1];
        free(before[i]);
    }
    printf("%ld\n", sum);
    return 0;
}
