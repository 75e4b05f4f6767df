// Arrays that grow by realloc, by one and by doubling, many at once.
// stdin: 16
#include <stdio.h>
#include <stdlib.h>

enum { ARRAYS = 64, STEPS = 100000 };

int main(void)
{
    long *arrays[ARRAYS] = { 0 }, sum = 0;
    size_t room[ARRAYS] = { 0 };
    int first = getchar();
    for (size_t i = 0; i < STEPS; i++)
        for (size_t k = 0; k < ARRAYS; k++) {
            if (i >= room[k]) {
                room[k] = k % 2 ? 2 * room[k] + 1 : i + 16;
                arrays[k] = realloc(arrays[k], room[k] * sizeof *arrays[k]);
                if (!arrays[k]) return 1;
            }
            arrays[k][i] = (long)(i * k);
        }
    for (size_t k = 0; k < ARRAYS; k++) {
        sum += arrays[k][STEPS - 1] + arrays[k][0];
        free(arrays[k]);
    }
    char *text = NULL;
    for (size_t n = 1; n < 3000; n++) { /* a byte at a time, with what came from the input in front */
        text = realloc(text, n);
        text[n - 1] = (char)(n == 1 ? first : 'a' + (int)n % 26);
    }
    sum += text[0] == '1';
    free(text);
    printf("%ld\n", sum);
    return 0;
}
