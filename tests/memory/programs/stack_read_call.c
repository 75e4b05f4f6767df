// The length byte of a packet decides how much read() stores.
// bug: stack-overflow
// access: write 9
// good-stdin: 4data
// bad-stdin: 9datadata9
// asan: yes
// valgrind: no
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    unsigned char length;
    char body[8] = "";
    if (read(0, &length, 1) != 1) return 2;
    ssize_t got = read(0, body, length & 15); /* BUG */
    printf("%zd %c\n", got, body[0]);
    return 0;
}
