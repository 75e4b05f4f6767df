/* Reads all of stdin into one buffer, for the loop benchmarks: what they
 * measure is the loop, so reading is done once and out of the way. */
#ifndef BENCH_INPUT_H
#define BENCH_INPUT_H

#include <stdio.h>
#include <stdlib.h>

static unsigned char input[1 << 20];

static size_t input_read(void) {
    size_t n = fread(input, 1, sizeof input, stdin);
    if (n == 0) {
        fputs("empty input\n", stderr);
        exit(1);
    }
    return n;
}

/* How often to go over the input: so that the loop, not start-up, is timed. */
static int input_passes(int argc, char **argv, int otherwise) {
    return argc > 1 ? atoi(argv[1]) : otherwise;
}

#endif
