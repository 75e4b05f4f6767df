// Copies as many bytes of a long text as the digits say into a short local.
// bug: stack-overflow
// access: write 13
// good: 12
// bad: 13
// asan: yes
// valgrind: no
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    static const char text[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    if (argc < 2 || argv[1][0] == 0) return 2;
    size_t length = (argv[1][0] & 3) * 10 + (argv[1][1] & 7);
    char local[12] = "";
    memcpy(local, text, length); /* BUG */
    printf("%c\n", local[11]);
    return 0;
}
