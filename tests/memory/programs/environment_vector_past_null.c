// Reads the pointer after the null that ends the environment.
// bug: environment-overflow
// access: read 8
// good: 0
// bad: 1
// asan: no
// valgrind: no
#include <stdio.h>

int main(int argc, char **argv, char **envp)
{
    if (argc < 2) return 2;
    size_t count = 0;
    while (envp[count]) count++;
    const char *entry = envp[count + (argv[1][0] & 1)]; /* BUG */
    printf("%s\n", entry == (char *)-1 ? "odd" : "fine");
    return 0;
}
