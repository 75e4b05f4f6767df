// The average of no values divides by their count.
// bug: division-by-zero
// access: none
// good: 12
// bad: ''
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <string.h>

static unsigned long average(const char *values, size_t count)
{
    unsigned long sum = 0;
    for (size_t i = 0; i < count; i++) sum += (unsigned char)values[i];
    return sum / count; /* BUG */
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    printf("%lu\n", average(argv[1], strlen(argv[1])));
    return 0;
}
