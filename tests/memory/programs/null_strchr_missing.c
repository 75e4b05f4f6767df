// The result of strchr is used although the character may be missing.
// bug: null-dereference
// access: write 1
// good: key=value
// bad: keyvalue
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char *equals = strchr(argv[1], '=');
    *equals = 0; /* BUG */
    printf("%s\n", argv[1]);
    return 0;
}
