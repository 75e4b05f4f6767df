// An eight-byte read begins in a local of twelve bytes and ends outside.
// bug: stack-overflow
// access: read 8
// good: 0
// bad: 1
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

static unsigned long load(const unsigned char *from)
{
    return *(const unsigned long *)from; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    _Alignas(8) unsigned char header[12];
    memset(header, 3, sizeof header);
    printf("%d\n", load(header + 8 * (argv[1][0] & 1)) != 0);
    return 0;
}
