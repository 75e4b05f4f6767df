// The pointer one past the end only ends a loop; it is never read.
// bug: none
// access: none
// good: abc
// bad: abcdefgh
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char text[8];
    size_t length = strlen(argv[1]);
    memcpy(text, argv[1], length < sizeof text ? length : sizeof text);
    const char *end = text + (length < sizeof text ? length : sizeof text);
    int sum = 0;
    for (const char *p = text; p != end; p++) sum += *p;
    printf("%d\n", sum);
    return 0;
}
