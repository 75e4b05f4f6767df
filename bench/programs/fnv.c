/* FNV-1a, 64 bit: a chain of xor and multiply, nothing to hide behind. */
#include "input.h"
#include <stdint.h>

static uint64_t fnv_update(uint64_t hash, const unsigned char *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        hash ^= p[i];
        hash *= 0x100000001b3u;
    }
    return hash;
}

int main(int argc, char **argv) {
    size_t n = input_read();
    uint64_t hash = 0xcbf29ce484222325u;
    for (int pass = input_passes(argc, argv, 300); pass > 0; pass--) hash = fnv_update(hash, input, n);
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}
