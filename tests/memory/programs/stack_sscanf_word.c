// A word of any length is scanned into eight bytes.
// bug: stack-overflow
// access: write
// good: set=on
// bad: set=automatic
// asan: yes
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char value[8] = "";
    if (sscanf(argv[1], "set=%s", value) != 1) return 2; /* BUG */
    printf("%c\n", value[0]);
    return 0;
}
