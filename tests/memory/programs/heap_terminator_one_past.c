// A name of exactly the block's size is terminated outside of it.
// bug: heap-overflow
// access: write 1
// good: 1234567
// bad: 12345678
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t length = strlen(argv[1]);
    if (length > 8) length = 8;
    char *name = malloc(8);
    memcpy(name, argv[1], length);
    name[length] = 0; /* BUG */
    printf("%.8s\n", name);
    free(name);
    return 0;
}
