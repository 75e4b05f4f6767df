// Passes null to strlen when the option has no value.
// bug: null-dereference
// access: read 1
// good: -o=x
// bad: -o
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <string.h>

static const char *value_of(const char *option)
{
    for (; *option; option++)
        if (*option == '=') return option + 1;
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    const char *value = value_of(argv[1]);
    size_t length = strlen(value); /* BUG */
    printf("%zu\n", length);
    return 0;
}
