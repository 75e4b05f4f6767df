// memcpy reads an array whose block has ended.
// bug: use-after-scope
// access: read 8
// good: 0
// bad: 1
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    char out[8], lasting[8] = "lasting";
    const char *volatile from = lasting;
    if (argv[1][0] & 1) {
        char brief[8];
        strcpy(brief, argc > 5 ? "many" : "few");
        from = brief;
    }
    memcpy(out, (const char *)from, 8); /* BUG */
    printf("%s\n", out[0] == 'l' ? "lasting" : "brief");
    return 0;
}
