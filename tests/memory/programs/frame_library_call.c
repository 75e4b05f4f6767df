// A string in a dead frame is passed to strlen.
// bug: use-after-return
// access: read
// good: 0
// bad: 1
// asan: yes
// valgrind: yes
#include <stdio.h>
#include <string.h>

static const char *current = "nothing";

__attribute__((noinline)) static void format(unsigned number)
{
    char text[16];
    snprintf(text, sizeof text, "n%u", number);
    if (number & 1) current = text;
}

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    format(argv[1][0] & 15);
    size_t length = strlen(current); /* BUG */
    printf("%s\n", length == 7 ? "seven" : "other");
    return 0;
}
