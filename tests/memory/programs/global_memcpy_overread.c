// More bytes are copied from a global key than it has.
// bug: global-overflow
// access: read 12
// good: 8
// bad: L
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

static char key[10] = "0123456789";

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char out[16] = "";
    size_t length = argv[1][0] & 15;
    memcpy(out, key, length); /* BUG */
    printf("%.10s\n", out);
    return 0;
}
