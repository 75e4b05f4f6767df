// A table of 256 is indexed with a character that may be negative.
// bug: member-underflow
// access: read 1
// good: a
// bad: '\377'
// asan: yes
// valgrind: no
#include <stdio.h>

static struct classes {
    char before[256];
    unsigned char of[256];
    int count;
} classes = { "", { ['a'] = 1 }, 1 };

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    signed char c = (signed char)(argv[1][0] == '\\' ? -1 : argv[1][0]);
    printf("%d\n", classes.of[c]); /* BUG */
    return 0;
}
