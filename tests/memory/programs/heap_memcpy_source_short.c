// The copied length exceeds the block that is read, as in a heartbeat reply.
// bug: heap-overflow
// access: read 12
// good: 8
// bad: L
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char reply[16] = "";
    char *payload = malloc(8);
    memset(payload, 'p', 8);
    memcpy(reply, payload, argv[1][0] & 15); /* BUG */
    printf("%.8s\n", reply);
    free(payload);
    return 0;
}
