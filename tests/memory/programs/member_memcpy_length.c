// memcpy into an array member overwrites the counter after it.
// bug: member-overflow
// access: write 6
// good: 4
// bad: 6
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

struct packet {
    unsigned char key[4];
    unsigned count;
};

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct packet p = { { 0 }, 0 };
    unsigned char *key = p.key;
    memcpy(key, "aaaaaaaa", argv[1][0] & 7); /* BUG */
    printf("%u\n", p.count);
    return 0;
}
