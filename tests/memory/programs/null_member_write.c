// Writes a member at an offset of a null struct pointer.
// bug: null-dereference
// access: write 8
// good: on
// bad: off
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <string.h>

struct options {
    char name[32];
    long value;
};

static struct options settings;

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    struct options *o = strcmp(argv[1], "on") == 0 ? &settings : NULL;
    o->value = 1; /* BUG */
    printf("%ld\n", settings.value);
    return 0;
}
