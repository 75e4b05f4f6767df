// Copies an argument of any length into a global array.
// bug: global-overflow
// access: write
// good: host
// bad: host.example.org
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

static char host[8];

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    strcpy(host, argv[1]); /* BUG */
    printf("%c\n", host[0]);
    return 0;
}
