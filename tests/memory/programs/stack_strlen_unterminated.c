// strncpy leaves no terminator when the name fills the array.
// bug: stack-overflow
// access: read
// good: seven77
// bad: eight888
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char name[8];
    strncpy(name, argv[1], sizeof name);
    size_t length = strlen(name); /* BUG */
    printf("%s\n", length < 8 ? "fits" : "cut");
    return 0;
}
