/* Word count: branches on every byte, the usual shape of a text filter. */
#include "input.h"

struct counts {
    unsigned long lines, words;
};

static int is_space(unsigned char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void counts_add(struct counts *counts, const unsigned char *p, size_t n) {
    int inside = 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\n') counts->lines++;
        if (is_space(p[i])) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            counts->words++;
        }
    }
}

int main(int argc, char **argv) {
    size_t n = input_read();
    struct counts counts = {0, 0};
    for (int pass = input_passes(argc, argv, 150); pass > 0; pass--) counts_add(&counts, input, n);
    printf("%lu %lu\n", counts.lines, counts.words);
    return 0;
}
