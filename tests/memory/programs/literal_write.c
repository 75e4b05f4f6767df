// Writes to a string literal when the name is the default one.
// bug: read-only-write
// access: write 1
// good: name
// bad: -
// asan: yes
// valgrind: yes
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0) return 2;
    char *name = argv[1][0] == '-' ? "default" : argv[1];
    name[0] = (char)(name[0] & 0x5f); /* BUG */
    printf("%s\n", name);
    return 0;
}
