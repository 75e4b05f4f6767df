// strcpy fills an array member and goes on in the next one.
// bug: member-overflow
// access: write
// good: short
// bad: just-too-long
// asan: no
// valgrind: no
#include <stdio.h>
#include <string.h>

struct user {
    char name[8];
    char home[32];
};

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) > 30) return 2;
    struct user u = { "", "/home" };
    char *to = u.name;
    strcpy(to, argv[1]); /* BUG */
    printf("%s\n", u.home);
    return 0;
}
