// A case with a block of its own leaves a pointer into it.
// bug: use-after-scope
// access: read 1
// good: a
// bad: b
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    const char *volatile name = "none";
    switch (argv[1][0]) {
    case 'a': {
        static char lasting[4] = "a";
        name = lasting;
        break;
    }
    case 'b': {
        char brief[4] = { argv[1][0], 0 };
        name = brief;
        break;
    }
    }
    printf("%d\n", *(volatile const char *)name != 0); /* BUG */
    return 0;
}
