// A macro returns a pointer into the block of its statement expression.
// bug: use-after-scope
// access: read 1
// good: 1
// bad: 12
// asan: yes
// valgrind: no
#include <stdio.h>

static void format(char *to, int n) { to[0] = (char)('0' + n % 10), to[1] = 0; }

#define TEXT_OF(n) ({ char text_[4]; format(text_, n); n > 1 ? text_ : "one"; })

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    int n = 0;
    while (argv[1][n]) n++;
    const char *volatile text = TEXT_OF(n);
    printf("%d\n", *(volatile const char *)text != 0); /* BUG */
    return 0;
}
