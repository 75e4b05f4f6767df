// A percent sign as the last character makes the decoder jump over the terminator.
// bug: argument-overflow
// access: read 1
// good: a%41b
// bad: a%
// asan: no
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int length = 0;
    const char *p = argv[1];
    while (length < 64 && *p) { /* BUG */
        p += *p == '%' ? 3 : 1;
        length++;
    }
    printf("%s\n", length < 64 ? "decoded" : "too long");
    return 0;
}
