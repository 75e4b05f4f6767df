// The length byte in front of a message is believed; the copy leaves its block.
// bug: heap-overflow
// access: write 9
// good: 5hello
// bad: 9hellohello
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t length = argv[1][0] & 15;
    if (length == 0 || strlen(argv[1]) <= length) return 2;
    char *message = malloc(8);
    memcpy(message, argv[1] + 1, length); /* BUG */
    printf("%c\n", message[0]);
    free(message);
    return 0;
}
