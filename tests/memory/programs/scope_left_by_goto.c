// A goto leaves the block that holds the error text.
// bug: use-after-scope
// access: read 4
// good: 1
// bad: 2
// asan: yes
// valgrind: no
#include <stdio.h>

static const char *volatile message;

static void complain(const char *text) { message = text; }

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    {
        char text[8] = "odd";
        int n = argv[1][0] & 3;
        if (n == 2) {
            complain(text);
            goto out;
        }
        printf("%s\n", text);
    }
out:
    if (message) printf("%d\n", *(volatile const int *)message != 0); /* BUG */
    return 0;
}
